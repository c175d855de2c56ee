// Lines of Aider's Markdown history: what a line is shows in its first characters alone.
import type { Usage } from '../../model/usage';
import { usableUsage } from '../usage';

const START = /^# aider chat started at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\s*$/u;

/** True for text that begins like a history: it holds the head of a chat before anything that is JSON. */
export function isAiderHistory(head: string): boolean {
  if (/^\s*[[{]/u.test(head)) return false;
  return head.split('\n').some(isChatStart);
}

export function isChatStart(line: string): boolean {
  return START.test(line);
}

/** True for a line that the user wrote as Aider stores it: with a line break of Markdown at its end, which a heading in an answer lacks. */
export function endsInBreak(line: string): boolean {
  return line.startsWith('#### ') && line.endsWith('  ');
}

/** Text of a line that the user wrote; undefined for another line. */
export function userText(line: string): string | undefined {
  if (line === '####') return '';
  return line.startsWith('#### ') ? withoutBreak(line.slice('#### '.length)) : undefined;
}

/** Text of a line that the program wrote; undefined for another line. */
export function noticeText(line: string): string | undefined {
  if (line === '>') return '';
  return line.startsWith('> ') ? withoutBreak(line.slice('> '.length)) : undefined;
}

/** Model that a notice names. */
export function noticeModel(notice: string): string | undefined {
  return /^(?:Main m|M)odel: (\S{1,200})/u.exec(notice)?.[1];
}

export function noticeVersion(notice: string): string | undefined {
  return /^Aider v(\S{1,100})/u.exec(notice)?.[1];
}

/** `Tokens: 2.4k sent, 1.2k cache write, 9k cache hit, 104 received. …` The numbers are rounded; what was sent holds what was cached. */
export function noticeUsage(notice: string): Usage | undefined {
  if (!notice.startsWith('Tokens: ')) return undefined;
  const end = notice.indexOf(' received');
  const numbers = new Map<string, number>();
  for (const part of notice.slice('Tokens: '.length, end === -1 ? notice.length : end + ' received'.length).split(', ')) {
    const match = /^([\d.,]{1,20})([kM]?) (sent|cache write|cache hit|received)$/u.exec(part);
    if (match !== null) numbers.set(match[3] ?? '', amount(match[1] ?? '', match[2] ?? ''));
  }
  const sent = numbers.get('sent');
  if (sent === undefined) return undefined;
  const [read, written] = [numbers.get('cache hit') ?? 0, numbers.get('cache write') ?? 0];
  return usableUsage({
    input: Math.max(0, sent - read - written),
    output: numbers.get('received') ?? 0,
    cacheRead: read,
    cacheCreation: written,
  });
}

function amount(digits: string, unit: string): number {
  const scale = unit === 'k' ? 1000 : unit === 'M' ? 1_000_000 : 1;
  return Math.round(Number(digits.replaceAll(',', '')) * scale);
}

/** Lines end with two spaces, which are Markdown's line break. */
function withoutBreak(text: string): string {
  return text.endsWith('  ') ? text.slice(0, -2) : text;
}
