import type { CompactBoundary } from '../../model/boundary';
import type { Message } from '../../model/message';
import type { Diagnostic } from '../../model/transcript';
import { promptTokens } from '../../model/usage';
import { field, recordOf, stringOf, type JsonRecord } from '../../util/json';
import { LocalIds } from '../assemble';
import type { SourceRecord } from '../lineReader';
import { plainBoundary, type TranscriptDraft } from '../transcriptDraft';
import type { TranscriptFormat } from './format';
import { neutralMessages, isFailed } from './opencodeMessage';
import { isOpencodeExport, isOpencodeFragment, opencodeSession, type OpencodeMessage } from './opencodeSession';
import { isOriginOf } from './origin';
import { SessionCollector } from './session';

/** opencode: rows of its database, files of its storage folder, or an export. */
export const opencode: TranscriptFormat = {
  id: 'opencode',
  agent: 'opencode',
  recognise: (sample) => {
    if (isOriginOf(sample, 'opencode')) return 1;
    return sample.some(isOpencodeExport) ? 0.95 : sample.length === 1 && sample.every(isOpencodeFragment) ? 0.85 : 0;
  },
  collect: () => new SessionCollector('opencode', read),
};

const LOST = { line: 0, code: 'bad_json', severity: 'error' } as const;
const MAX_LOST = 1000;

function read(records: readonly SourceRecord[]): TranscriptDraft {
  const { info = {}, messages: stored, lost } = opencodeSession(records.map((record) => record.value));
  const kept = beforeRevert(stored, stringOf(recordOf(info, 'revert') ?? {}, 'messageID'));
  return {
    sessionId: stringOf(info, 'id'),
    agentVersion: stringOf(info, 'version'),
    title: stringOf(info, 'title'),
    cwd: stringOf(info, 'directory'),
    ...play(kept),
    diagnostics: [...Array.from({ length: Math.min(lost, MAX_LOST) }, () => LOST), ...undone(stored.length - kept.length)],
  };
}

/** Messages that were taken back are deleted when the session goes on. */
function beforeRevert(messages: readonly OpencodeMessage[], from: string | undefined): readonly OpencodeMessage[] {
  const at = from === undefined ? -1 : messages.findIndex(({ info }) => stringOf(info, 'id') === from);
  return at === -1 ? messages : messages.slice(0, at);
}

function undone(count: number): readonly Diagnostic[] {
  return count === 0 ? [] : [{ line: 0, code: 'abandoned_branch', severity: 'info', detail: `${count} messages` }];
}

function play(stored: readonly OpencodeMessage[]): Pick<TranscriptDraft, 'messages' | 'context' | 'boundaries'> {
  const ids = new LocalIds(new Set());
  const summaries = summariesOf(stored);
  // Only the last compaction decides what is sent.
  const last = stored.findLastIndex(({ info }) => summaries.has(stringOf(info, 'id') ?? ''));
  const messages: Message[] = [];
  const boundaries: CompactBoundary[] = [];
  /** Indexes of what was made of each of opencode's messages. */
  const places: (readonly number[])[] = [];
  let context: number[] = [];
  let preTokens: number | undefined;
  let open: Compaction | undefined;
  for (const [at, message] of stored.entries()) {
    const isCompaction = summaries.has(stringOf(message.info, 'id') ?? '');
    const made = neutralMessages(message, at, ids, isCompaction);
    const indexes = made.map((one) => messages.push(one) - 1);
    places.push(indexes);
    const first = indexes[0] ?? 0;
    const boundary = open === undefined ? undefined : messages[open.index];
    if (isCompaction) {
      open = { index: first, part: compactionPart(message), tail: at === last ? tailOf(at, stored, places) : [], preTokens };
    } else if (open !== undefined && boundary !== undefined && isSummaryOf(message, boundary)) {
      // What was written between the two is sent as well; a tail stands behind the summary.
      const { index, tail } = open;
      context = [...context.filter((one) => one > index), ...indexes, ...tail];
      boundaries.push(boundaryOf(boundary, open, messages[first]?.id, messages));
      open = undefined;
    } else if (!isFailed(message)) context.push(...indexes);
    preTokens = sizeAfter(made) ?? preTokens;
  }
  return { messages, context, boundaries };
}

/** A compaction whose summary is still to come. */
interface Compaction {
  readonly index: number;
  readonly part: JsonRecord | undefined;
  /** Indexes of what it keeps word for word. */
  readonly tail: readonly number[];
  readonly preTokens: number | undefined;
}

/** Size of the context after the last request among these messages. */
function sizeAfter(messages: readonly Message[]): number | undefined {
  const usage = messages.findLast((message) => message.usage !== undefined && message.kind === 'message')?.usage;
  return usage === undefined ? undefined : promptTokens(usage) + usage.outputTokens;
}

/** User messages that ask for a compaction which has come to its end: the ids that finished summaries name. */
function summariesOf(stored: readonly OpencodeMessage[]): ReadonlySet<string> {
  const asked = new Set(stored.filter((one) => compactionPart(one) !== undefined).map(({ info }) => stringOf(info, 'id') ?? ''));
  const done = new Set<string>();
  for (const message of stored) {
    const parent = stringOf(message.info, 'parentID') ?? '';
    if (isFinishedSummary(message) && asked.has(parent)) done.add(parent);
  }
  return done;
}

function isFinishedSummary({ info }: OpencodeMessage): boolean {
  return field(info, 'summary') === true && stringOf(info, 'finish') !== undefined && field(info, 'error') === undefined;
}

function isSummaryOf(message: OpencodeMessage, boundary: Message): boolean {
  return isFinishedSummary(message) && stringOf(message.info, 'parentID') === boundary.id;
}

function compactionPart({ info, parts }: OpencodeMessage): JsonRecord | undefined {
  return stringOf(info, 'role') === 'user' ? parts.find((part) => stringOf(part, 'type') === 'compaction') : undefined;
}

/** What the compaction at a place keeps word for word: from the message that it names up to itself. It is sent behind the summary. */
function tailOf(at: number, stored: readonly OpencodeMessage[], places: readonly (readonly number[])[]): readonly number[] {
  const compaction = stored[at];
  const from = compaction === undefined ? undefined : stringOf(compactionPart(compaction) ?? {}, 'tail_start_id');
  const start = from === undefined ? -1 : stored.findIndex(({ info }) => stringOf(info, 'id') === from);
  if (start === -1 || start >= at) return [];
  return stored
    .slice(start, at)
    .flatMap((one, index) => (isFailed(one) || compactionPart(one) !== undefined ? [] : (places[start + index] ?? [])));
}

function boundaryOf(
  boundary: Message,
  { index, part, tail, preTokens }: Compaction,
  summaryId: string | undefined,
  messages: readonly Message[],
): CompactBoundary {
  const auto = field(part ?? {}, 'auto');
  const ids = tail.flatMap((one) => messages[one]?.id ?? []);
  return plainBoundary(index, boundary, {
    trigger: auto === true ? 'auto' : auto === false ? 'manual' : 'unknown',
    preTokens,
    summaryId,
    preservedSegment:
      tail.length === 0 ? undefined : { startIndex: tail[0] ?? null, count: tail.length, anchor: summaryId, direction: 'upTo', ids },
  });
}
