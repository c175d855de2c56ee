// Shortens an answer without rewording it: what is kept stands as it was written, what is left out is left out whole.
import { sentencesOf } from './sentences';
import { shortened } from './telling';
import { keywordsIn } from './terms';

type UnitKind = 'heading' | 'item' | 'sentence';

interface Unit {
  readonly kind: UnitKind;
  readonly text: string;
}

/**
 * Ever longer forms of a text, nine of them: its first words, how it opens and closes, then with the sentences, headings and list items that say most in little room, in
 * their order. Words in `seen` are taken as said elsewhere already; the words of the third form are added to it.
 */
export function condensedForms(text: string, seen: Set<string> = new Set()): string[] {
  const units = unitsOf(text);
  const opening = openingOf(units);
  const last = units.findLast(({ kind }) => kind !== 'heading');
  const closing = last === undefined || opening.includes(last) ? [] : [last];
  const short = [opening, closing].filter((part) => part.length > 0).map((part) => part.map((unit) => unit.text).join(' '));
  const sure = new Set([...opening, ...closing]);
  const ranked = [
    ...sure,
    ...byGain(
      units.filter((unit) => !sure.has(unit)),
      sure,
      seen,
    ),
  ];
  const ends = short.join(GAP);
  const forms = [headline(ends), ends, ...FORM_LENGTHS.map((max) => inOrder(units, firstOf(ranked, max)))];
  for (const word of keywordsIn(forms[2] ?? '')) seen.add(word);
  return ends === '' ? [] : forms;
}

function headline(text: string): string {
  return text.length <= HEADLINE + HEADLINE_SLACK ? text : shortened(text.split('\n', 1)[0] ?? '', HEADLINE);
}

/** Units by how many new words they say for their length, the best first. */
function byGain(units: readonly Unit[], sure: ReadonlySet<Unit>, seen: ReadonlySet<string>): Unit[] {
  const said = new Set<string>();
  for (const { text } of sure) for (const word of keywordsIn(text)) said.add(word);
  return units
    .map((unit) => ({
      unit,
      gain: keywordsIn(unit.text).filter((word) => !said.has(word) && !seen.has(word)).length / (unit.text.length + UNIT_COST),
    }))
    .sort((a, b) => b.gain - a.gain)
    .map(({ unit }) => unit);
}

/** Units from the front of a ranking that fit into so many characters. */
function firstOf(ranked: readonly Unit[], max: number): Set<Unit> {
  const chosen = new Set<Unit>();
  let used = 0;
  for (const unit of ranked) {
    if (chosen.size > 0 && used + unit.text.length > max) continue;
    chosen.add(unit);
    used += unit.text.length + 1;
  }
  return chosen;
}

function inOrder(units: readonly Unit[], chosen: ReadonlySet<Unit>): string {
  const lines = units.filter((unit) => chosen.has(unit)).map(lineOf);
  return chosen.size < units.length ? `${lines.join('\n')} …` : lines.join('\n');
}

/** The first sentences, as many as it takes to say something: "Great!" alone says nothing. */
function openingOf(units: readonly Unit[]): Unit[] {
  const from = Math.max(
    0,
    units.findIndex(({ kind }) => kind === 'sentence'),
  );
  const opening: Unit[] = [];
  let length = 0;
  for (let i = from; i < units.length && opening.length < MAX_OPENING && length < SAYING; i++) {
    const unit = units[i];
    if (unit === undefined || (opening.length > 0 && unit.kind === 'heading')) break;
    opening.push(unit);
    length += unit.text.length;
  }
  return opening;
}

/** Units of prose in order. Code blocks, rulers and empty lines are left out. */
function unitsOf(text: string): Unit[] {
  const units: Unit[] = [];
  let fence: string | undefined;
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    const mark = /^(?:`{3,}|~{3,})/.exec(line)?.[0];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true) fence = undefined;
    } else if (mark !== undefined) fence = mark;
    else if (SAYS_SOMETHING.test(line)) units.push(...unitsOfLine(line));
  }
  return units;
}

function unitsOfLine(line: string): Unit[] {
  if (line.startsWith('#')) return [{ kind: 'heading' as const, text: line.replace(/^#+\s*/, '') }].filter(({ text }) => text !== '');
  if (ITEM.test(line)) return [{ kind: 'item' as const, text: line.replace(ITEM, '') }].filter(({ text }) => text !== '');
  return sentencesOf(line).map((text) => ({ kind: 'sentence', text }));
}

function lineOf({ kind, text }: Unit): string {
  return kind === 'item' ? `- ${text}` : text;
}

const HEADLINE = 200;
const HEADLINE_SLACK = 60;
const GAP = ' … ';
const MAX_OPENING = 3;
const SAYING = 40;
const FORM_LENGTHS = [700, 1_200, 1_800, 2_600, 3_600, 5_000, 8_000] as const;
/** What a line costs beside its letters. */
const UNIT_COST = 8;
const SAYS_SOMETHING = /[\p{L}\p{N}]/u;
const ITEM = /^(?:[-*•+]|\d{1,3}[.)])\s+/;
