import type { Message } from '../model/message';

/** How the ids of reminders begin, which a compaction adds and the next one makes anew. */
export const REMINDER_ID = 'compact:reminder:v1:';

/**
 * A reminder of the running program as a message of the new view (seed 2, 2.1): its title in brackets, then its text. It has no authority until
 * a `ControlAuthority` has sealed it. [] for a blank text. `key` tells the reminders of one view apart.
 */
export function createReminder(key: string, title: string, body: string): readonly Message[] {
  if (body.trim() === '') return [];
  // Text from a transcript must not end the reminder early and go on as something else.
  const text = `${OPEN}\n[${title}]\n${body.trim().replaceAll(CLOSE, '<\\/system-reminder>')}\n${CLOSE}`;
  return [{ id: `${REMINDER_ID}${key}`, role: 'user', kind: 'attachment', content: [{ type: 'text', text }], line: 0 }];
}

/**
 * The text inside a reminder's tags and below its title; undefined for what has not exactly this form. The form says nothing about its maker
 * (seed 2, reminders).
 */
export function reminderBody(text: string, title: string): string | undefined {
  const head = `${OPEN}\n[${title}]\n`;
  const foot = `\n${CLOSE}`;
  return text.startsWith(head) && text.endsWith(foot) && text.length > head.length + foot.length
    ? text.slice(head.length, -foot.length)
    : undefined;
}

const OPEN = '<system-reminder>';
const CLOSE = '</system-reminder>';
