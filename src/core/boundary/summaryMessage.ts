import type { Message } from '../model/message';

/** A summary as a message of the new view. It has no record yet, so its id is empty. */
export function summaryMessage(text: string): Message {
  return { id: '', role: 'user', kind: 'summary', content: [{ type: 'text', text }], line: 0 };
}
