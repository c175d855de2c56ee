import type { Diagnostic, Transcript } from '../../model/transcript';
import { isRecord, numberOf, recordOf, stringOf } from '../../util/json';
import { liveChain } from '../chain';
import type { SessionFacts } from '../transcriptDraft';
import { FoldCollector } from './foldCollector';
import type { TranscriptFormat } from './format';
import { piEntry, piStored, type PiEntry } from './piEntry';
import { PiPath } from './piPath';
import { sessionTranscript } from './sessionTranscript';
import type { StableNames } from './stableNames';

/** Sessions of the pi coding agent: JSONL of entries that form a tree, and (version 1) a list. */
export const pi: TranscriptFormat = {
  id: 'pi',
  agent: 'pi',
  recognise: (sample) => sample.reduce<number>((best, value) => Math.max(best, sureness(value)), 0),
  collect: () => new FoldCollector(piEntry, transcriptOf),
  stored: piStored,
};

const ROLES = new Set(['user', 'assistant', 'toolResult', 'bashExecution', 'custom', 'branchSummary', 'compactionSummary']);

function sureness(value: unknown): number {
  if (!isRecord(value)) return 0;
  const type = stringOf(value, 'type');
  if (type === 'session') {
    const isOwn = numberOf(value, 'version') !== undefined || stringOf(value, 'provider') !== undefined;
    return isOwn && stringOf(value, 'cwd') !== undefined ? 1 : 0;
  }
  const message = type === 'message' ? recordOf(value, 'message') : undefined;
  if (message !== undefined) return ROLES.has(stringOf(message, 'role') ?? '') && Object.hasOwn(value, 'timestamp') ? 0.9 : 0;
  return type === 'compaction' && stringOf(value, 'summary') !== undefined && Object.hasOwn(value, 'tokensBefore') ? 0.9 : 0;
}

function transcriptOf(entries: readonly PiEntry[], damage: readonly Diagnostic[], names: StableNames): Transcript {
  const carriers = entries.flatMap((entry, place) => (entry.isHeader || entry.isOdd ? [] : [{ entry, place }]));
  const nodes = carriers.map(({ entry }) => ({
    id: entry.id,
    parentId: entry.parentId,
    isSidechain: false,
    canBeLeaf: entry.leafId === undefined,
    line: entry.line,
  }));
  const chain = liveChain(nodes, leafOf(entries));
  const path = new PiPath(chain.chain.flatMap((position) => carriers[position] ?? []));
  const diagnostics: Diagnostic[] = [...damage, ...chain.diagnostics, ...path.diagnostics];
  for (const { isOdd, line } of entries) if (isOdd) diagnostics.push({ line, code: 'unknown_record', severity: 'info' });
  const abandoned = chain.abandoned.filter((position) => carriers[position]?.entry.message !== undefined).length;
  if (abandoned > 0) diagnostics.push({ line: 0, code: 'abandoned_branch', severity: 'info', detail: `${abandoned} messages` });
  const { messages, context, boundaries } = path;
  return sessionTranscript(
    {
      format: 'pi',
      facts: { ...headerFacts(entries), model: path.model },
      messages,
      context,
      boundaries,
      spent: entries.flatMap(({ spent }) => spent ?? []),
      diagnostics,
    },
    names,
  );
}

/** Where the last `leaf` entry says that the conversation goes on, unless it has gone on since. */
function leafOf(entries: readonly PiEntry[]): string | undefined {
  return entries.findLast(({ leafId, message, compaction }) => leafId !== undefined || message !== undefined || compaction !== undefined)
    ?.leafId;
}

function headerFacts(entries: readonly PiEntry[]): SessionFacts {
  const header = entries.find(({ isHeader }) => isHeader)?.facts;
  return { ...header, title: entries.findLast(({ facts }) => facts.title !== undefined)?.facts.title };
}
