// How the user's requests are quoted, long and short.
import type { Piece } from './budget';
import { cutToUnits } from '../../util/text';
import { harmless, inOneLine, quoted } from './markdown';
import { sentencesOfText } from './sentences';
import type { UserRequest } from './sessionFacts';
import { bearingOf } from './statements';
import { PASTED_CHARACTERS, PASTED_END } from './userSide';

/** Forms of a request, by position. */
export const REQUEST_FORMS = { headline: 0, essentials: 1, ends: 2, whole: 3 } as const;

/** Pieces for requests in order but for the one at `except`, in the forms of `REQUEST_FORMS`. */
export function requestPieces(requests: readonly UserRequest[], except: number | undefined): Piece[] {
  const seen = new Map<string, number>();
  return runsOf(requests, except).map(({ first, last, request }) => {
    const blocks = request.blocks.map((block) => withoutRepeats(block, first + 1, seen));
    const { whole, ends } = lengthsOf(blocks);
    const short = essentials(ends);
    const number = first === last ? `${first + 1}.` : `${first + 1}–${last + 1}.`;
    const forms = [headline(short), short, ends, whole.length <= MAX_WHOLE ? whole : ends];
    return { forms: forms.map((form) => numbered(number, form, request)), count: last - first + 1 };
  });
}

interface Run {
  readonly first: number;
  readonly last: number;
  readonly request: UserRequest;
}

/** Requests in order; the same words several times in a row are one. */
function runsOf(requests: readonly UserRequest[], except: number | undefined): Run[] {
  const runs: Run[] = [];
  requests.forEach((request, i) => {
    if (i === except) return;
    const before = runs.at(-1);
    const isSame = before?.last === i - 1 && before.request.interrupted === request.interrupted && sameWords(before.request, request);
    if (isSame) runs[runs.length - 1] = { ...before, last: i };
    else runs.push({ first: i, last: i, request });
  });
  return runs;
}

function sameWords(a: UserRequest, b: UserRequest): boolean {
  return a.blocks.length === b.blocks.length && a.blocks.every((block, i) => block === b.blocks[i]);
}

/** The last request, as long as the budget allows: its ends only, or every word. */
export function lastRequestPiece(request: UserRequest): Piece {
  const { whole, ends } = lengthsOf(request.blocks);
  return { forms: distinct([ends, whole]).map((text) => quoted(text).text) };
}

function lengthsOf(blocks: readonly string[]): { readonly whole: string; readonly ends: string } {
  return { whole: harmless(blocks.join('\n\n')), ends: harmless(blocks.map(withoutMiddle).join('\n\n')) };
}

/** Leaves out lines of a long block that stood in an earlier request: prompts made from one template differ in a few words only. */
function withoutRepeats(block: string, number: number, seen: Map<string, number>): string {
  if (block.length <= SHORT_REQUEST) return block;
  const kept: string[] = [];
  let run: string[] = [];
  let first = 0;
  const flush = (): void => {
    const isLong = run.reduce((sum, line) => sum + line.length, 0) >= MIN_REPEAT;
    kept.push(...(isLong ? [`[… as in request ${first} …]`] : run));
    run = [];
  };
  for (const line of block.split('\n')) {
    const known = seen.get(line);
    if (known === undefined ? line.trim() === '' && run.length > 0 : known !== number) {
      if (run.length === 0) first = known ?? first;
      run.push(line);
      continue;
    }
    if (line.trim() !== '') seen.set(line, number);
    flush();
    kept.push(line);
  }
  flush();
  return kept.join('\n');
}

/** Cuts the middle out of a block that was pasted in and states it. */
export function withoutMiddle(text: string): string {
  const [head, tail] = endsOf(text);
  return tail === undefined ? head : `${head}\n${omission(text.length - head.length - tail.length)}\n${tail}`;
}

/** Both ends of a block that was pasted in, each with its five hundred characters and the word that they end in; else the whole text. */
export function endsOf(text: string): readonly [string, string?] {
  if (text.length <= PASTED_CHARACTERS) return [text];
  let to = PASTED_END;
  while (to < PASTED_END + MAX_WORD && !isSpace(text[to])) to++;
  let from = text.length - PASTED_END;
  while (from > text.length - PASTED_END - MAX_WORD && !isSpace(text[from - 1])) from--;
  if (isLowSurrogate(text, to)) to++;
  if (isLowSurrogate(text, from)) from--;
  return [text.slice(0, to), text.slice(from)];
}

/** States how much is missing at a place. */
export function omission(characters: number): string {
  return `[… ${characters} characters left out …]`;
}

/** First sentences and those that bind the work but are no rules, with marks where others are missing. Rules have a section of their own. */
function essentials(text: string): string {
  if (text.length <= SHORT_REQUEST) return text;
  const sentences = sentencesOfText(text);
  const kept: string[] = [];
  let skipped = false;
  let opened = 0;
  for (const sentence of sentences) {
    const isOpening = opened < OPENING;
    if (isOpening) opened += sentence.length;
    if (isOpening || isUnstated(sentence) || sentence.startsWith('[… ')) {
      kept.push(skipped ? `… ${sentence}` : sentence);
      skipped = false;
    } else skipped = true;
  }
  const short = kept.join('\n') + (skipped ? ' …' : '');
  return short.length < text.length * WORTH_SHORTENING ? short : text;
}

/** The first words. */
function headline(text: string): string {
  return text.length <= HEADLINE + HEADLINE_SLACK ? text : `${wordsUpTo(inOneLine(text.slice(0, HEADLINE * 2)), HEADLINE)} …`;
}

function wordsUpTo(line: string, max: number): string {
  if (line.length <= max) return line;
  const space = line.lastIndexOf(' ', max);
  return space > max / 2 ? line.slice(0, space) : cutToUnits(line, max);
}

function isUnstated(sentence: string): boolean {
  const bearing = bearingOf(sentence);
  return bearing !== undefined && bearing !== 'rule';
}

function numbered(number: string, text: string, request: UserRequest): string {
  const { text: body, isBlock } = quoted(text);
  const mark = request.interrupted ? ' (stopped by the user)' : '';
  return isBlock ? `${number}${mark}\n${body}` : `${number} ${body}${mark}`;
}

function distinct(forms: readonly string[]): string[] {
  return forms.filter((form, i) => i === 0 || form.length > (forms[i - 1]?.length ?? 0));
}

function isSpace(c: string | undefined): boolean {
  return c === undefined || c === ' ' || c === '\n' || c === '\t' || c === '\r';
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}

const SHORT_REQUEST = 240;
/** Repeated lines below this length together are no template. */
const MIN_REPEAT = 120;
/** Characters from which on a request has been opened. */
const OPENING = 140;
const HEADLINE = 110;
/** Cutting less than this off is not worth the mark. */
const HEADLINE_SLACK = 30;
const WORTH_SHORTENING = 0.7;
const MAX_WORD = 80;
/** A request up to this many characters may be quoted whole when the budget is rich. */
const MAX_WHOLE = 6_000;
