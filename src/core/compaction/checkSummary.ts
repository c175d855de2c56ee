// Looks at a model's summary before it is used: what it lacks, what it made up, and whether it is a summary at all.
import type { Message } from '../model/message';
import { oneLine } from '../util/text';
import { isConstraint } from './constraints';
import { extractFacts } from './offline/facts';
import { createLostIndex } from './lostIndex';
import { namesIn } from './lostNames';
import { messageTexts } from './messageTexts';

export type SummaryProblemCode = 'missingSections' | 'droppedFacts' | 'inventedNames' | 'tooLarge' | 'brokenFence';

export interface SummaryProblem {
  readonly code: SummaryProblemCode;
  /** For people: what is wrong, without what to do about it. */
  readonly sentence: string;
  /** For the model: what to do better. */
  readonly repair: string;
}

export interface SummaryCheck {
  readonly problems: readonly SummaryProblem[];
  /** Names of code that the source does not hold; they are marked in `text` and are no reason to refuse it. */
  readonly unknownNames: readonly string[];
  /** The summary with a mark behind each name that stands nowhere in the source. */
  readonly text: string;
}

export interface CheckedSource {
  readonly messages: readonly Message[];
  /** Headings that the summary was asked for; undefined where any form will do. */
  readonly sections: readonly string[] | undefined;
}

/** What stands behind a name that the source does not hold. */
export const UNKNOWN_MARK = ' [not in the transcript]';

/** Checks a summary against what it summarizes. Linear. */
export function checkSummary(text: string, source: CheckedSource): SummaryCheck {
  const spoken = [...messageTexts(source.messages)];
  const invented = inventedNames(text, spoken);
  const paths = invented.filter(({ kind }) => kind !== 'identifier').map(({ name }) => name);
  const problems = [
    missingSections(text, source.sections ?? []),
    droppedFacts(text, source.messages),
    paths.length === 0 ? undefined : inventedProblem(paths),
    sizeProblem(text, spoken),
    (text.match(/^```/gm)?.length ?? 0) % 2 === 0 ? undefined : BROKEN_FENCE,
  ];
  return {
    problems: problems.filter((problem) => problem !== undefined),
    unknownNames: invented.filter(({ kind }) => kind === 'identifier').map(({ name }) => name),
    text: marked(
      text,
      invented.map(({ name }) => name),
    ),
  };
}

/** Headings may be in the user's language: then their number counts. */
function missingSections(text: string, wanted: readonly string[]): SummaryProblem | undefined {
  const headings = [...text.matchAll(/^#{1,4} (.+)$/gm)].map(([, heading = '']) => heading.toLowerCase());
  const missing = wanted.filter((title) => !headings.some((heading) => heading.includes(title.toLowerCase())));
  if (missing.length === 0 || headings.length >= wanted.length) return undefined;
  return {
    code: 'missingSections',
    sentence: `lacks ${missing.length} of its ${wanted.length} sections (${missing.slice(0, SHOWN).join(', ')}${missing.length > SHOWN ? ', …' : ''})`,
    repair: `It lacks these sections: ${missing.map((title) => `"## ${title}"`).join(', ')}. Write "None." below a heading that has nothing.`,
  };
}

/** The last request, rules without a choice, and files that were made, changed or deleted: most of them must be told. */
function droppedFacts(text: string, messages: readonly Message[]): SummaryProblem | undefined {
  const { requests, statements, files } = extractFacts(messages);
  const last = requests.findLast(({ isHandled }) => !isHandled)?.blocks.join(' ');
  const rules = statements.filter((statement) => isConstraint(statement) && !statement.isPasted);
  const phrases = [...(last === undefined ? [] : [last]), ...rules.map((rule) => rule.text)];
  const paths = files.filter(({ actions }) => actions.some((action) => action !== 'read')).map(({ path }) => path);
  const index = createLostIndex(text, [], { names: [], files: paths, phrases });
  const lostPhrases = phrases.filter((phrase) => !index.hasPhrase(phrase) && !index.tells(phrase, TOLD_SHARE));
  const lostPaths = paths.filter((path) => !index.hasFile(path, false));
  const lost = [...lostPhrases, ...lostPaths];
  const all = phrases.length + paths.length;
  if (lost.length < LEAST_DROPPED || lost.length < all * DROPPED_SHARE) return undefined;
  return {
    code: 'droppedFacts',
    sentence: `leaves out ${lost.length} of ${all} things that must not be lost (requests, constraints and changed files)`,
    repair: `It leaves out: ${lost
      .slice(0, REPAIRED)
      .map((fact) => JSON.stringify(oneLine(fact, 300)))
      .join(', ')}.`,
  };
}

interface Invented {
  readonly name: string;
  readonly kind: 'file' | 'url' | 'identifier';
}

/** Paths and addresses wherever they stand; identifiers only where they are written as code, since product names look like them. */
function inventedNames(text: string, source: readonly string[]): readonly Invented[] {
  const found = new Map<string, Invented['kind']>();
  const note = (piece: string, isCode: boolean): void => {
    for (const { name, kind } of namesIn(piece)) {
      if (kind === 'number' || (kind === 'identifier' && !isCode && !name.includes('_'))) continue;
      if (!found.has(name)) found.set(name, kind);
    }
  };
  text.split(/(`[^`\n]+`)/).forEach((piece, i) => note(piece, i % 2 === 1));
  const names = [...found].map(([name, kind]) => ({ name, kind }));
  const values = (kinds: readonly Invented['kind'][]): string[] => names.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name);
  const index = createLostIndex('', source, { names: values(['url', 'identifier']), files: values(['file']), phrases: [] });
  return names.filter(({ name, kind }) => (kind === 'file' ? !index.hasFile(name, true) : !index.hasName(name)));
}

function inventedProblem(names: readonly string[]): SummaryProblem {
  const shown = names.slice(0, SHOWN).map((name) => oneLine(name, 80));
  const more = names.length > SHOWN ? ', …' : '';
  return {
    code: 'inventedNames',
    sentence: `names ${names.length === 1 ? 'a file or address that stands' : `${names.length} files or addresses that stand`} nowhere in the transcript (${shown.join(', ')}${more})`,
    repair: `These stand nowhere in the transcript; correct them to what stands there or leave them out: ${names.slice(0, REPAIRED).join(', ')}.`,
  };
}

function sizeProblem(text: string, source: readonly string[]): SummaryProblem | undefined {
  const size = source.reduce((sum, one) => sum + one.length, 0);
  if (text.length <= Math.max(size, FREE_CHARACTERS)) return undefined;
  return {
    code: 'tooLarge',
    sentence: 'is larger than what it would replace',
    repair: 'It is longer than the transcript itself. Write much less.',
  };
}

/** Puts the mark behind each place where one of the names stands as a whole. */
function marked(text: string, names: readonly string[]): string {
  if (names.length === 0) return text;
  const unknown = new Set(names);
  const pattern = new RegExp(
    [...unknown]
      .slice(0, MAX_MARKED)
      .sort((a, b) => b.length - a.length)
      .map((name) => name.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&'))
      .map((name) => `(?<![\\w./-])${name}(?:\\(\\))?\`?(?![\\w/])`)
      .join('|'),
    'g',
  );
  return text.replace(pattern, (match) => match + UNKNOWN_MARK);
}

const BROKEN_FENCE: SummaryProblem = {
  code: 'brokenFence',
  sentence: 'ends inside of a quotation',
  repair: 'A code fence in it is not closed. Give the whole record again, to its end.',
};
const SHOWN = 3;
const REPAIRED = 40;
const MAX_MARKED = 200;
const LEAST_DROPPED = 2;
const DROPPED_SHARE = 0.6;
const TOLD_SHARE = 0.6;
/** A summary of a few lines may be as long as what it replaces; the plan compares the sizes once more. */
const FREE_CHARACTERS = 1_000;
