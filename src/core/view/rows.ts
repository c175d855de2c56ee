import { isMedia, isToolResult, isToolUse, type Message } from '../model/message';
import type { Transcript } from '../model/transcript';
import type { RowKind, RowView } from '../protocol/viewModel';
import { mainCategory } from '../session/categories';
import type { Inspection } from '../session/inspection';
import { tokensAt, tokensFrom } from '../session/newestPart';
import { messageAt, messageCount, sharedMessages } from '../transcript/lineage';
import { isPause, type Steps } from '../util/steps';
import { oneLine } from '../util/text';
import { previewText } from './preview';

const PREVIEW_UNITS = 200;

/** Looks up what rows need to know of the whole list, once per inspection. */
export interface RowIndex {
  readonly active: ReadonlySet<number>;
  readonly preserved: ReadonlySet<number>;
  readonly maxTokens: number;
}

/** Builds the look-ups for `rowView`. Linear in the number of messages, of a long session in the measured ones. */
export function rowIndexOf(inspection: Inspection): RowIndex {
  const { transcript, sizes, newest } = inspection;
  const last = transcript.boundaries.at(-1);
  const preservedIds = new Set(last?.preservedSegment?.ids ?? []);
  const active = new Set(transcript.context);
  const preserved = new Set(transcript.context.filter((index) => preservedIds.has(messageAt(transcript, index)?.id ?? '')));
  let maxTokens = newest?.largestBefore ?? 0;
  for (const tokens of (newest?.inspection ?? { sizes }).sizes.tokens) maxTokens = Math.max(maxTokens, tokens);
  return { active, preserved, maxTokens };
}

/** The row of one message; undefined past the end. */
export function rowView(inspection: Inspection, rows: RowIndex, index: number): RowView | undefined {
  const message = messageAt(inspection.transcript, index);
  if (message === undefined) return undefined;
  const isActive = rows.active.has(index);
  const kind = rowKind(message);
  return {
    index,
    id: message.id,
    kind,
    active: isActive,
    preserved: rows.preserved.has(index),
    preview: oneLine(previewText(message), PREVIEW_UNITS),
    label: rowLabel(inspection.transcript, message, index),
    tokens: tokensAt(inspection, index) ?? 0,
    measurement: 'estimate',
    category: mainCategory(message, inspection.mediaTokens),
    timestamp: message.timestamp ?? null,
    isError: message.kind === 'apiError' || message.content.some((block) => isToolResult(block) && block.isError === true),
    hasMedia: message.content.some(holdsMedia),
    canCompact: isActive && kind !== 'boundary',
  };
}

/**
 * First row that may differ between two states, null when none does. A row depends on its message, its tokens, and on being active or
 * preserved; names of tools come from earlier messages, which are compared before. Of a session that has only grown the measured rows alone are
 * looked at.
 */
export function* firstChangedRow(before: Inspection, beforeRows: RowIndex, after: Inspection, afterRows: RowIndex): Steps<number | null> {
  const [a, b] = [before.transcript, after.transcript];
  const shorter = Math.min(messageCount(a), messageCount(b));
  const shared = yield* sharedMessages(a, b);
  const from = Math.min(shared, firstOpen(before, after));
  const tokens = [tokensFrom(before, from), tokensFrom(after, from)] as const;
  for (let index = from; index < shared; index++) {
    if (isPause(index)) yield;
    const same =
      tokens[0][index - from] === tokens[1][index - from] &&
      beforeRows.active.has(index) === afterRows.active.has(index) &&
      beforeRows.preserved.has(index) === afterRows.preserved.has(index);
    if (!same) return index;
  }
  return shared === shorter && messageCount(a) === messageCount(b) ? null : shared;
}

/** First row whose size, or whose place in the context, may have changed: those before it are as they were measured once. */
function firstOpen({ newest: before }: Inspection, { newest: after }: Inspection): number {
  return before === undefined || after?.older !== before.older ? 0 : Math.min(before.from, after.from);
}

function rowKind(message: Message): RowKind {
  switch (message.kind) {
    case 'summary':
    case 'boundary':
    case 'microBoundary':
    case 'attachment':
    case 'meta':
      return message.kind;
    case 'apiError':
      return 'error';
    case 'message':
      break;
  }
  if (message.content.some(isToolResult)) return 'toolResult';
  if (message.content.some(isToolUse)) return 'toolUse';
  return message.role === 'user' || message.role === 'assistant' ? message.role : 'system';
}

function rowLabel(transcript: Transcript, { content }: Message, index: number): string {
  for (const block of content) {
    if (isToolUse(block)) return oneLine(block.name, 60);
    if (isToolResult(block)) return oneLine(calledTool(transcript, index, block.toolUseId), 60);
  }
  return '';
}

/** Messages before a result in which its call is looked for; all calls of a session in a list would cost more than the few rows on the screen. */
const FARTHEST_CALL = 5000;

/** Name of the tool that a result answers; '' when its call is not before it. */
function calledTool(transcript: Transcript, result: number, id: string): string {
  for (let index = result; index >= Math.max(0, result - FARTHEST_CALL); index--) {
    const call = messageAt(transcript, index)?.content.find((block) => isToolUse(block) && block.id === id);
    if (call?.type === 'toolUse') return call.name;
  }
  return '';
}

function holdsMedia(block: Message['content'][number]): boolean {
  return isMedia(block) || (isToolResult(block) && typeof block.content !== 'string' && block.content.some(isMedia));
}
