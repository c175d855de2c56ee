import type { Diagnostic, Transcript } from '../../model/transcript';
import { arrayOf, isRecord, recordOf, stringOf } from '../../util/json';
import { liveChain, type ChainNode } from '../chain';
import { isSameMessage } from '../sameMessage';
import type { SessionFacts } from '../transcriptDraft';
import { FoldCollector } from './foldCollector';
import type { TranscriptFormat } from './format';
import { qwenRecord, qwenStored, type QwenRecord } from './qwenRecord';
import { Replay } from './replay';
import { sessionTranscript } from './sessionTranscript';
import type { StableNames } from './stableNames';

/** Qwen Code sessions: JSONL of records that form a tree, with Gemini's parts in them. */
export const qwen: TranscriptFormat = {
  id: 'qwen',
  agent: 'Qwen Code',
  recognise: (sample) => sample.reduce<number>((best, value) => Math.max(best, sureness(value)), 0),
  collect: () => new FoldCollector(qwenRecord, transcriptOf),
  stored: qwenStored,
};

function sureness(value: unknown): number {
  if (!isRecord(value) || stringOf(value, 'uuid') === undefined || stringOf(value, 'sessionId') === undefined) return 0;
  const message = recordOf(value, 'message');
  if (message !== undefined && arrayOf(message, 'parts') !== undefined) return 1;
  return recordOf(value, 'systemPayload') !== undefined ? 0.95 : 0;
}

interface Carrier {
  readonly record: QwenRecord;
  readonly node: ChainNode;
}

function transcriptOf(records: readonly QwenRecord[], damage: readonly Diagnostic[], names: StableNames): Transcript {
  const carriers = records.flatMap((record): Carrier[] => (record.node === undefined ? [] : [{ record, node: record.node }]));
  const chain = liveChain(
    carriers.map(({ node }) => node),
    undefined,
    (later, earlier) => isSameMessage(carriers[later]?.record.message, carriers[earlier]?.record.message),
  );
  const replay = new Replay();
  for (const position of chain.chain) {
    const record = carriers[position]?.record;
    if (record?.compaction !== undefined) replay.compact(record.compaction);
    else if (record?.message !== undefined) replay.add(record.message);
  }
  const diagnostics = [...damage, ...records.flatMap((record) => record.diagnostic ?? []), ...chain.diagnostics];
  const abandoned = chain.abandoned.filter((position) => carriers[position]?.record.message !== undefined).length;
  if (abandoned > 0) diagnostics.push({ line: 0, code: 'abandoned_branch', severity: 'info', detail: `${abandoned} messages` });
  const counted = carriers.filter((_, position) => !chain.copies.has(position));
  const side = counted.flatMap(({ record, node }) => (node.isSidechain ? (record.message ?? []) : []));
  return sessionTranscript(
    {
      format: 'qwen',
      facts: newest(records),
      messages: names.paired(replay.messages),
      context: replay.context,
      boundaries: replay.boundaries,
      sidechains: side.length === 0 ? [] : [{ id: side[0]?.id ?? '', messages: side }],
      spent: counted.flatMap(({ record }) => record.message ?? []),
      diagnostics,
    },
    names,
  );
}

function newest(records: readonly QwenRecord[]): SessionFacts {
  const last = <K extends keyof SessionFacts>(key: K): SessionFacts[K] => {
    return records.findLast(({ facts }) => facts[key] !== undefined)?.facts[key];
  };
  return {
    agentVersion: last('agentVersion'),
    sessionId: last('sessionId'),
    cwd: records.find(({ facts }) => facts.cwd !== undefined)?.facts.cwd,
    title: last('title'),
    windowTokens: last('windowTokens'),
  };
}
