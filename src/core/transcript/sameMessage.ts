import type { Message } from '../model/message';
import { isRecord } from '../util/json';

/**
 * True when two records say the same: author, kind, time, provider's message and content. Ids, folders and versions may differ, since an
 * agent that resumes a session writes some records again. Costs no more than the smaller of the two.
 */
export function isSameMessage(a: Message | undefined, b: Message | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.role !== b.role || a.kind !== b.kind || a.timestamp !== b.timestamp || a.messageId !== b.messageId) return false;
  return isSameValue(a.content, b.content);
}

/** Compares two JSON values (whose depth the line reader has bounded); the order of a record's fields does not matter. */
export function isSameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, index) => isSameValue(item, b[index]));
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isSameValue(a[key], b[key]));
}
