import { isMedia, isToolResult, isToolUse, type Message } from '../model/message';
import type { RowKind, RowView } from '../protocol/viewModel';
import { mainCategory } from '../session/categories';
import type { Inspection } from '../session/inspection';
import { oneLine } from '../util/text';
import { previewText } from './preview';

const PREVIEW_UNITS = 200;

/** Looks up what rows need to know of the whole list, once per inspection. */
export interface RowIndex {
  readonly active: ReadonlySet<number>;
  readonly preserved: ReadonlySet<number>;
  readonly maxTokens: number;
}

/** Builds the look-ups for `rowView`. Linear in the number of messages. */
export function rowIndexOf(inspection: Inspection): RowIndex {
  const { transcript, sizes } = inspection;
  const last = transcript.boundaries.at(-1);
  const preservedIds = new Set(last?.preservedSegment?.ids ?? []);
  const active = new Set(transcript.context);
  const preserved = new Set(transcript.context.filter((index) => preservedIds.has(transcript.messages[index]?.id ?? '')));
  let maxTokens = 0;
  for (const tokens of sizes.tokens) maxTokens = Math.max(maxTokens, tokens);
  return { active, preserved, maxTokens };
}

/** The row of one message; undefined past the end. */
export function rowView(inspection: Inspection, rows: RowIndex, index: number): RowView | undefined {
  const message = inspection.transcript.messages[index];
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
    label: rowLabel(inspection.transcript.messages, index),
    tokens: inspection.sizes.tokens[index] ?? 0,
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
 * preserved; names of tools come from earlier messages, which are compared before.
 */
export function firstChangedRow(before: Inspection, beforeRows: RowIndex, after: Inspection, afterRows: RowIndex): number | null {
  const a = before.transcript.messages;
  const b = after.transcript.messages;
  const shorter = Math.min(a.length, b.length);
  for (let index = 0; index < shorter; index++) {
    const same =
      a[index] === b[index] &&
      before.sizes.tokens[index] === after.sizes.tokens[index] &&
      beforeRows.active.has(index) === afterRows.active.has(index) &&
      beforeRows.preserved.has(index) === afterRows.preserved.has(index);
    if (!same) return index;
  }
  return a.length === b.length ? null : shorter;
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

function rowLabel(messages: readonly Message[], index: number): string {
  for (const block of messages[index]?.content ?? []) {
    if (isToolUse(block)) return oneLine(block.name, 60);
    if (isToolResult(block)) return oneLine(calledTool(messages, index, block.toolUseId), 60);
  }
  return '';
}

/** Messages before a result in which its call is looked for; all calls of a session in a list would cost more than the few rows on the screen. */
const FARTHEST_CALL = 5000;

/** Name of the tool that a result answers; '' when its call is not before it. */
function calledTool(messages: readonly Message[], result: number, id: string): string {
  for (let index = result; index >= Math.max(0, result - FARTHEST_CALL); index--) {
    const call = messages[index]?.content.find((block) => isToolUse(block) && block.id === id);
    if (call?.type === 'toolUse') return call.name;
  }
  return '';
}

function holdsMedia(block: Message['content'][number]): boolean {
  return isMedia(block) || (isToolResult(block) && typeof block.content !== 'string' && block.content.some(isMedia));
}
