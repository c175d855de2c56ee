import type { Diagnostic, Transcript } from '../../model/transcript';
import { field, isRecord, recordOf, stringOf } from '../../util/json';
import type { SessionFacts } from '../transcriptDraft';
import { FoldCollector } from './foldCollector';
import type { TranscriptFormat } from './format';
import { GeminiHistory } from './geminiHistory';
import { geminiRecord, geminiStored, type GeminiRecord } from './geminiRecord';
import { sessionTranscript } from './sessionTranscript';
import type { StableNames } from './stableNames';

/** Gemini CLI sessions: one JSON document (to 0.39), or JSONL of messages, changes and rewinds. */
export const gemini: TranscriptFormat = {
  id: 'gemini',
  agent: 'Gemini CLI',
  recognise: (sample) => sample.reduce<number>((best, value) => Math.max(best, sureness(value)), 0),
  collect: () => new FoldCollector(geminiRecord, transcriptOf),
  stored: geminiStored,
};

function sureness(value: unknown): number {
  if (!isRecord(value)) return 0;
  if (stringOf(value, 'sessionId') !== undefined && stringOf(value, 'projectHash') !== undefined) return 1;
  if (recordOf(value, '$set') !== undefined || field(value, '$rewindTo') !== undefined) return 0.9;
  return stringOf(value, 'type') === 'gemini' && Object.hasOwn(value, 'content') ? 0.9 : 0;
}

function transcriptOf(records: readonly GeminiRecord[], damage: readonly Diagnostic[], names: StableNames): Transcript {
  const history = new GeminiHistory();
  const diagnostics = [...damage];
  let facts: SessionFacts = {};
  for (const record of records) {
    if (record.kind === 'message') {
      history.put(record.entry);
      if (record.entry.isOdd) diagnostics.push({ line: record.entry.message.line, code: 'odd_content', severity: 'info' });
    } else if (record.kind === 'facts') {
      facts = merged(facts, record.facts);
      if (record.list !== undefined) history.replace(record.list);
    } else if (record.kind === 'rewind') history.rewind(record.to);
    else if (record.kind === 'odd') diagnostics.push({ line: record.line, code: 'unknown_record', severity: 'info' });
  }
  const { replay, spent, abandoned } = history.played();
  if (abandoned > 0) diagnostics.push({ line: 0, code: 'abandoned_branch', severity: 'info', detail: `${abandoned} messages` });
  const { context, boundaries } = replay;
  const messages = names.paired(replay.messages);
  return sessionTranscript({ format: 'gemini', facts, messages, context, boundaries, spent, diagnostics }, names);
}

/** The newest that is told of each. */
function merged(old: SessionFacts, facts: SessionFacts): SessionFacts {
  return { sessionId: facts.sessionId ?? old.sessionId, title: facts.title ?? old.title, cwd: facts.cwd ?? old.cwd };
}
