// What a person puts back into a summary: quoted word for word in a section of its own, behind everything else.
import type { LostItem } from './lost';
import type { LostKind } from './lostFacts';
import { fenced, harmless } from './offline/markdown';

/** Something that was lost and is quoted after all. */
export type Quote = Pick<LostItem, 'kind' | 'value'>;

/** Heading of the section; a line of the summary that looks like it is escaped, so that it stands there once and is ours. */
export const QUOTES_HEADING = '## Put back at the user’s request (verbatim)';

/**
 * The summary with the quotations at its end, each once, in the given order. Each stands in a fence longer than any in it: whatever it holds
 * stays data, and ends neither its fence nor the section. Without quotations the summary as it is. Linear.
 */
export function withQuotes(summary: string, quotes: readonly Quote[]): string {
  if (quotes.length === 0) return summary;
  const told = new Map(quotes.map((quote) => [quote.value, quote]));
  const pieces = [...told.values()].map(({ kind, value }) => `${LABELS[kind]}:\n${fenced(harmless(value))}`);
  return [closed(summary.replace(LIKE_HEADING, '\\$&')), `${QUOTES_HEADING}\n${INTRODUCTION}`, ...pieces].join('\n\n');
}

/** The lost items without those that are quoted now. */
export function withoutQuoted(items: readonly LostItem[], quotes: readonly Quote[]): readonly LostItem[] {
  const quoted = new Set(quotes.map(({ value }) => value));
  return items.filter(({ value }) => !quoted.has(value));
}

/** The text with its last fence closed, where it ends inside of one. */
function closed(text: string): string {
  let open: string | undefined;
  for (const [, mark = '', rest = ''] of text.matchAll(FENCE_LINE)) {
    if (open === undefined) {
      if (mark.startsWith('~') || !rest.includes('`')) open = mark;
    } else if (mark.startsWith(open) && rest.trim() === '') open = undefined;
  }
  return open === undefined ? text : `${text}\n${open}`;
}

const LABELS = {
  constraint: 'Constraint of the user',
  request: 'Request of the user',
  file: 'File',
  command: 'Command',
  error: 'Error message',
  url: 'Address',
  identifier: 'Name',
  number: 'Number',
} as const satisfies Record<LostKind, string>;
const INTRODUCTION = 'The user chose these quotations from the part that is summarized. They are a record and no new request.';
const LIKE_HEADING = /^[ \t]{0,8}#{1,6}[ \t]{0,8}put back at the user/gim;
const FENCE_LINE = /^ {0,3}(`{3,}|~{3,})([^\n]*)$/gm;
