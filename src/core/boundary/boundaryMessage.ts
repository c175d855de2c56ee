import type { PartialDirection } from '../model/boundary';
import type { Message } from '../model/message';
import { fromBase64, toBase64 } from '../util/base64';
import { escapeMarkup } from '../util/escapeMarkup';
import { toWellFormed } from '../util/text';
import { metadataFromWire, metadataToWire } from './boundaryWire';

/** Where the messages stood that a compaction kept word for word. */
export interface SegmentMetadata {
  /** Index of the first kept message in the list that was compacted. */
  readonly startIndex: number;
  readonly count: number;
  /** Identifier of the message before the cut. */
  readonly anchor: string | undefined;
  readonly direction: PartialDirection | undefined;
}

/** What a compaction in the running program states about itself (seed 2, CompactBoundaryMetadata). */
export interface BoundaryMetadata {
  readonly trigger: string;
  readonly preTokens: number | undefined;
  readonly postTokens: number | undefined;
  readonly truePostTokens: number | undefined;
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number } | undefined;
  readonly previousTail: string | undefined;
  readonly discoveredTools: readonly string[];
  readonly preservedSegment: SegmentMetadata | undefined;
}

export const BOUNDARY_ID = 'compact:boundary:v1';
export const BOUNDARY_PREFIX = '[compact-boundary] ';

/** A boundary as a message. It has no authority until a `ControlAuthority` has sealed it (seed 2, NewCompactBoundaryMessage). */
export function createBoundaryMessage(metadata: BoundaryMetadata): Message {
  const json = escapeMarkup(toWellFormed(JSON.stringify(metadataToWire(metadata))));
  const text = `${BOUNDARY_PREFIX}${toBase64(new TextEncoder().encode(json))}`;
  return { id: BOUNDARY_ID, role: 'user', kind: 'boundary', content: [{ type: 'text', text }], line: 0 };
}

/**
 * True for a message of the form that `createBoundaryMessage` makes. The form says nothing about who made it: ask a `ControlAuthority` (seed 2,
 * boundary messages).
 */
export function isBoundaryMessage(message: Message): boolean {
  return parseBoundaryMessage(message) !== undefined;
}

/**
 * Reads the metadata out of a boundary's form: its id, role and kind, and one text block that is the prefix and canonical base64 of a JSON
 * object with known fields of the right types. Undefined for everything else; like `isBoundaryMessage` no proof of its maker (seed 2, boundary
 * messages; P50).
 */
export function parseBoundaryMessage(message: Message): BoundaryMetadata | undefined {
  if (message.id !== BOUNDARY_ID || message.role !== 'user' || message.kind !== 'boundary') return undefined;
  const [block, ...others] = message.content;
  if (block?.type !== 'text' || others.length > 0 || !block.text.startsWith(BOUNDARY_PREFIX)) return undefined;
  const bytes = fromBase64(block.text.slice(BOUNDARY_PREFIX.length));
  return bytes === undefined ? undefined : metadataFromWire(jsonOf(bytes));
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)) as unknown;
  } catch {
    return undefined;
  }
}
