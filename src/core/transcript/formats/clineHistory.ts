import type { CompactBoundary } from '../../model/boundary';
import type { ContentBlock, Message } from '../../model/message';
import type { ContextReport } from '../../model/transcript';
import { field, isRecord, stringOf, type JsonRecord } from '../../util/json';
import { toWellFormed } from '../../util/text';
import { LocalIds, messageId, messageOf } from '../assemble';
import { plainBoundary } from '../transcriptDraft';
import { anthropicContent } from './anthropicBlocks';
import type { ClineCompaction, ClineRequest, ClineUi } from './clineUi';
import { isoTime } from './session';

/** What the conversation of a task is, with the boundaries that were put between its messages. */
export interface ClineConversation {
  readonly messages: readonly Message[];
  readonly context: readonly number[];
  readonly boundaries: readonly CompactBoundary[];
  readonly reports: readonly ContextReport[];
}

/** Where a boundary stands: before the message of that index, with what it left of those before. */
interface Cut {
  readonly before: number;
  readonly compaction: ClineCompaction | undefined;
  readonly summary: number | undefined;
  readonly isAuto: boolean;
}

/** Plays the messages of `api_conversation_history.json` with what the user interface's list says of requests and compactions. */
export function clineConversation(
  history: readonly unknown[],
  ui: ClineUi,
  range: readonly [number, number] | undefined,
): ClineConversation {
  const stored = history.map((one) => (isRecord(one) ? one : {}));
  const cuts = [...rooCuts(stored, ui), ...clineCuts(stored, ui, range)].sort((a, b) => a.before - b.before);
  const sent = new Set(effective(stored, range));
  let size: number | undefined;
  const sizes = ui.requests.map((request) => (size = request.isDeleted ? size : request.contextTokens));
  const ids = new LocalIds(new Set());
  const messages: Message[] = [];
  const boundaries: CompactBoundary[] = [];
  /** Index of a stored message among the messages, which hold boundaries as well. */
  const places: number[] = [];
  const take = (cut: Cut): void => {
    const id = messageId(`compaction:${cut.compaction?.id ?? cut.before}`, 0, cut.before, ids);
    ids.add(id);
    const boundary = messageOf({ id, role: 'system', kind: 'boundary', content: [], line: 0, timestamp: cut.compaction?.timestamp });
    const index = messages.push(boundary) - 1;
    boundaries.push(plainBoundary(index, boundary, { trigger: cut.isAuto ? 'auto' : 'unknown', ...sizesOf(cut, sizes) }));
  };
  let taken = 0;
  const takeUpTo = (at: number): void => {
    for (let cut = cuts[taken]; cut !== undefined && cut.before <= at; cut = cuts[++taken]) take(cut);
  };
  stored.forEach((value, at) => {
    takeUpTo(at);
    const message = messageOfHistory(value, at, ids);
    ids.add(message.id);
    places.push(messages.push(message) - 1);
  });
  takeUpTo(Infinity);
  const context = places.flatMap((place, at) => (sent.has(at) ? [place] : []));
  return {
    messages,
    context,
    boundaries: withKept(boundaries, context, messages),
    reports: reportsOf(ui, cuts.at(-1), stored, places, boundaries, messages),
  };
}

/** Indexes of the stored messages that the model gets. */
function effective(stored: readonly JsonRecord[], range: readonly [number, number] | undefined): readonly number[] {
  const all = stored.map((_, at) => at);
  const summary = stored.findLastIndex((one) => field(one, 'isSummary') === true);
  const markers = new Set(
    stored.flatMap((one) => (field(one, 'isTruncationMarker') === true ? (stringOf(one, 'truncationId') ?? []) : [])),
  );
  const condensed = new Set(stored.flatMap((one) => (field(one, 'isSummary') === true ? (stringOf(one, 'condenseId') ?? []) : [])));
  const isCut = (at: number): boolean => markers.has(stringOf(stored[at] ?? {}, 'truncationParent') ?? '');
  const isCondensed = (at: number): boolean => condensed.has(stringOf(stored[at] ?? {}, 'condenseParent') ?? '');
  if (summary !== -1 && isInPlace(stored, summary)) return all.filter((at) => at >= summary && !isCut(at));
  if (range !== undefined) return all.filter((at) => at < range[0] || at > range[1]);
  return all.filter((at) => !isCut(at) && !isCondensed(at));
}

/**
 * The newer versions put the summary behind all that it stands for. Older ones removed the messages in between: the first one then still
 * stands before the summary, and is sent.
 */
function isInPlace(stored: readonly JsonRecord[], summary: number): boolean {
  return stringOf(stored[summary] ?? {}, 'condenseId') !== undefined || summary > 1;
}

function rooCuts(stored: readonly JsonRecord[], ui: ClineUi): readonly Cut[] {
  const condenses = ui.compactions.filter(({ kind }) => kind === 'condense');
  const truncations = ui.compactions.filter(({ kind }) => kind === 'truncation');
  const summaries = stored.flatMap((one, at) => (field(one, 'isSummary') === true ? [at] : []));
  const markers = stored.flatMap((one, at) => (field(one, 'isTruncationMarker') === true ? [at] : []));
  const cutsAt = (places: readonly number[], known: readonly ClineCompaction[], key: string): readonly Cut[] => {
    const byId = new Map(known.flatMap((one) => (one.id === undefined ? [] : [[one.id, one] as const])));
    return places.map((before, index) => {
      // Without an id the newest belong together, since a rewind takes back both.
      const compaction = byId.get(stringOf(stored[before] ?? {}, key) ?? '') ?? known.at(index - places.length);
      return { before, compaction, summary: key === 'condenseId' ? before : undefined, isAuto: key !== 'condenseId' };
    });
  };
  return [...cutsAt(summaries, condenses, 'condenseId'), ...cutsAt(markers, truncations, 'truncationId')];
}

/** Cline cuts by a range of indexes: each new one is a compaction, made when the newest message was the one that it names. */
function clineCuts(stored: readonly JsonRecord[], ui: ClineUi, newest: readonly [number, number] | undefined): readonly Cut[] {
  const ranges = ui.ranges.filter(({ end }) => end < stored.length);
  const known = ui.compactions.filter(({ id }) => id === undefined);
  const cuts = ranges.map(({ end, historyIndex, afterRequests }, index): Cut => {
    const before = Math.min(stored.length, Math.max(end, historyIndex ?? end) + 1);
    const compaction = known.at(index - ranges.length) ?? {
      kind: 'truncation',
      id: undefined,
      preTokens: undefined,
      postTokens: undefined,
      timestamp: undefined,
      afterRequests,
    };
    return { before, compaction, summary: undefined, isAuto: true };
  });
  const last = ranges.at(-1);
  const isKnown = newest === undefined || (last?.start === newest[0] && last.end === newest[1]) || newest[1] >= stored.length;
  return isKnown ? cuts : [...cuts, { before: newest[1] + 1, compaction: undefined, summary: undefined, isAuto: true }];
}

function sizesOf({ compaction, before, summary }: Cut, sizes: readonly (number | undefined)[]): Partial<CompactBoundary> {
  return {
    preTokens: compaction?.preTokens ?? (compaction === undefined ? undefined : sizes[compaction.afterRequests - 1]),
    postTokens: compaction?.postTokens,
    summaryId: summary === undefined ? undefined : `message:${before}`,
  };
}

/** The last boundary says what of the messages before it is still sent. */
function withKept(
  boundaries: readonly CompactBoundary[],
  context: readonly number[],
  messages: readonly Message[],
): readonly CompactBoundary[] {
  return boundaries.map((boundary, at) => {
    const next = boundaries[at + 1]?.index ?? Infinity;
    const kept = next === Infinity ? context.filter((index) => index < boundary.index) : [];
    if (kept.length === 0) return boundary;
    const ids = kept.flatMap((index) => messages[index]?.id ?? []);
    const segment = { startIndex: kept[0] ?? null, count: kept.length, anchor: undefined, direction: undefined, ids };
    return { ...boundary, preservedSegment: segment };
  });
}

/** Requests and their answers, the newest with the newest: older ones may be gone, and an answer may still be without its numbers. */
function pairs(requests: readonly ClineRequest[], answers: readonly number[]): readonly (readonly [ClineRequest, number | undefined])[] {
  const own = requests.filter(({ isDeleted }) => !isDeleted);
  return own.map((request, index) => [request, answers[answers.length - own.length + index]] as const);
}

function isAnswer(one: JsonRecord): boolean {
  return stringOf(one, 'role') === 'assistant' && field(one, 'isSummary') !== true && stringOf(one, 'type') !== 'reasoning';
}

/** Each request with its reply, and the agent's own count right after a condensation. */
function reportsOf(
  ui: ClineUi,
  lastCut: Cut | undefined,
  stored: readonly JsonRecord[],
  places: readonly number[],
  boundaries: readonly CompactBoundary[],
  messages: readonly Message[],
): readonly ContextReport[] {
  const answers = stored.flatMap((one, at) => (isAnswer(one) ? [at] : []));
  const { before, compaction } = lastCut ?? { before: 0, compaction: undefined };
  const split = compaction?.afterRequests ?? 0;
  const paired = [
    ...pairs(ui.requests.slice(0, split), compaction === undefined ? [] : answers.filter((at) => at < before)),
    ...pairs(ui.requests.slice(split), compaction === undefined ? answers : answers.filter((at) => at >= before)),
  ];
  const reports = paired.map(([request, answer]): ContextReport => {
    const { usage } = request;
    return {
      afterIndex: answer === undefined ? 0 : (places[answer] ?? 0) + 1,
      contextTokens: request.contextTokens,
      inputTokens: usage?.inputTokens ?? 0,
      outputTokens: usage?.outputTokens ?? 0,
      cacheReadTokens: usage?.cacheReadTokens ?? 0,
      isAgentEstimate: false,
      line: 0,
    };
  });
  const indexOf = new Map(messages.map((message, index) => [message.id, index]));
  for (const { index, postTokens, summaryId } of boundaries) {
    if (postTokens === undefined || postTokens === 0) continue;
    const afterIndex = Math.max(index, indexOf.get(summaryId ?? '') ?? 0) + 1;
    reports.push({
      afterIndex,
      contextTokens: postTokens,
      inputTokens: 0,
      outputTokens: 0,
      cacheReadTokens: 0,
      isAgentEstimate: true,
      line: 0,
    });
  }
  return reports.sort((a, b) => a.afterIndex - b.afterIndex);
}

function messageOfHistory(value: JsonRecord, at: number, ids: LocalIds): Message {
  const role = stringOf(value, 'role') === 'assistant' ? 'assistant' : 'user';
  const isMarker = field(value, 'isTruncationMarker') === true;
  const info = field(value, 'modelInfo');
  return messageOf({
    id: messageId(`message:${at}`, 0, at, ids),
    role,
    kind: field(value, 'isSummary') === true ? 'summary' : isMarker ? 'meta' : 'message',
    content: contentOf(value),
    line: 0,
    timestamp: isoTime(field(value, 'ts')),
    model: role === 'assistant' && isRecord(info) ? (stringOf(info, 'modelId') ?? stringOf(info, 'id')) : undefined,
  });
}

function contentOf(value: JsonRecord): readonly ContentBlock[] {
  const reasoning = stringOf(value, 'reasoning_content') ?? '';
  const hidden = stringOf(value, 'type') === 'reasoning' ? stringOf(value, 'encrypted_content') : undefined;
  return [
    ...(hidden === undefined ? [] : [{ type: 'thinking', text: '', signature: hidden, redacted: true } as const]),
    ...(reasoning === '' ? [] : [{ type: 'thinking', text: toWellFormed(reasoning) } as const]),
    ...anthropicContent(field(value, 'content')).blocks,
  ];
}
