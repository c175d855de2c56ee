import type { Message } from '../model/message';

/** A summary as a message of the new view. It has no record yet, so its id is empty. */
export function summaryMessage(text: string): Message {
  return { id: '', role: 'user', kind: 'summary', content: [{ type: 'text', text }], line: 0 };
}

export const SUMMARY_ID = 'compact:summary:v1';

/**
 * A summary as a control message of the running program. It has no authority until a `ControlAuthority` has sealed it (seed 2,
 * NewCompactSummaryMessage).
 */
export function createSummaryMessage(text: string): Message {
  return { ...summaryMessage(text), id: SUMMARY_ID };
}

/** True for a message of the form that `createSummaryMessage` makes; no proof of its maker (seed 2, summary messages). */
export function isSummaryMessage(message: Message): boolean {
  return message.id === SUMMARY_ID && message.role === 'user' && message.kind === 'summary';
}
