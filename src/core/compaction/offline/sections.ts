// The sections of a summary in their order, with their headings and the few sentences that are ours.
import type { Piece, Selection } from './budget';
import { FILES_HEADING } from './fileStatements';
import { harmless } from './markdown';
import { workedOn, type Parts } from './parts';
import type { AnswerFact, FileAction, SessionFacts, UserRequest } from './sessionFacts';
import { COMMITS_LABEL } from './workPieces';

export interface Section {
  readonly heading: string;
  readonly pieces: readonly Piece[];
  /** Stands above the pieces. */
  readonly intro?: string | undefined;
  /** Without a piece below it the introduction says nothing. */
  readonly introducesPieces?: true;
  /** Stands below all of it. */
  readonly closing?: string;
  /** Says how many things are missing. */
  readonly missing?: (count: number) => string;
}

export const REQUESTS_HEADING = 'User requests (verbatim)';
export const ANSWERS_HEADING = 'Answers and findings';

export interface SectionOptions {
  /** The summarized messages stand after the kept ones. */
  readonly isLater: boolean;
  /** There is room for a few lines only. */
  readonly isShort: boolean;
}

/** All sections; those without pieces and words are not written later. */
export function sectionsOf(parts: Parts, facts: SessionFacts, options: SectionOptions): Section[] {
  const sections = fullSections(parts, facts, options);
  // With room for a few lines, notes on what is missing would take the place of what is there.
  return options.isShort ? sections.map(withoutNote) : sections;
}

function withoutNote({ heading, intro, introducesPieces, pieces }: Section): Section {
  return { heading, intro, pieces, ...(introducesPieces === undefined ? {} : { introducesPieces }) };
}

function fullSections(parts: Parts, facts: SessionFacts, { isLater, isShort }: SectionOptions): Section[] {
  const { rules, choices, files, commands } = parts;
  return [
    { heading: 'Session at a glance', intro: isShort ? shortGlance(facts) : glance(facts, isLater), pieces: [] },
    {
      heading: REQUESTS_HEADING,
      pieces: [...parts.earlierRequests, ...parts.lastRequest],
      missing: (count) => `${counted(count, 'earlier request')} left out`,
    },
    {
      heading: 'Constraints and decisions',
      pieces: [...rules.all, ...rules.sayings.keys(), ...choices.spoken, ...choices.silent],
      missing: (count) => `${count} more left out`,
    },
    {
      heading: FILES_HEADING,
      intro: files.intro,
      introducesPieces: true,
      pieces: files.all,
      missing: (count) => `${counted(count, 'more file')} left out`,
    },
    {
      heading: 'Commands and outcomes',
      intro:
        parts.lookUps === 0 ? undefined : `Besides: ${counted(parts.lookUps, 'command')} that only read, searched, listed or made folders.`,
      pieces: [...commands.filter(isCommit), ...commands.filter((piece) => !isCommit(piece))],
      missing: (count) => `${counted(count, 'more command')} left out`,
    },
    {
      heading: 'Errors and fixes',
      pieces: [...parts.unfixed, ...parts.fixed],
      missing: (count) => `${counted(count, 'more error')} left out`,
    },
    {
      heading: ANSWERS_HEADING,
      pieces: [...parts.answers, ...parts.reports, ...parts.notes],
      missing: (count) => `${counted(count, 'more text')} of the agent left out`,
    },
    {
      heading: 'Open work',
      pieces: [...parts.openTodos, ...parts.doneTodos, ...parts.running, ...parts.openCalls],
      missing: (count) => `${counted(count, 'more item')} left out`,
    },
    { heading: 'Earlier summary', pieces: parts.summaries, missing: (count) => `${count} older left out` },
    {
      heading: 'Last state',
      intro: stateIntro(facts.answers.at(-1)),
      introducesPieces: true,
      pieces: [...parts.state, ...parts.lastCalls],
    },
  ];
}

/** Writes the sections with the selected pieces; notes say what is missing. */
export function writeSections(sections: readonly Section[], selection: Selection): string {
  return joined(
    sections.map(({ heading, intro, introducesPieces, pieces, missing, closing }) => {
      const lines: string[] = [];
      let label: string | undefined;
      for (const piece of pieces) {
        const form = selection.get(piece);
        if (form === undefined) continue;
        if (piece.label !== label && piece.label !== undefined) lines.push(piece.label);
        label = piece.label;
        lines.push(piece.forms[form] ?? '');
      }
      const left = countOf(pieces.filter((piece) => !selection.has(piece)));
      const note = left > 0 ? missing?.(left) : undefined;
      const opening = introducesPieces === true && lines.length === 0 ? undefined : intro;
      return [`## ${heading}`, ...optional(opening), ...lines, ...(note === undefined ? [] : [`(${note})`]), ...optional(closing)];
    }),
  );
}

/** All that can stand around pieces: headings, introductions, every label once and every note. Tells what the frame costs at most. */
export function writeFrame(sections: readonly Section[]): string {
  return joined(
    sections.map(({ heading, intro, pieces, missing }) => {
      const labels = new Set(pieces.flatMap(({ label }) => optional(label)));
      return [`## ${heading}`, ...optional(intro), ...labels, ...(pieces.length === 0 ? [] : optional(missing?.(countOf(pieces))))];
    }),
  );
}

function joined(sections: readonly (readonly string[])[]): string {
  return sections
    .filter((lines) => lines.length > 1)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function optional(text: string | undefined): string[] {
  return text === undefined ? [] : [text];
}

/** What the session is about in counts. */
function glance(facts: SessionFacts, isLater: boolean): string {
  const last = workedOn(facts.requests)?.request;
  const files = (action: FileAction): number => facts.files.filter(({ actions }) => actions.includes(action)).length;
  const talk = [counted(facts.messages, 'message'), counted(facts.requests.length, 'user request'), counted(facts.toolCalls, 'tool call')];
  const lines = [
    `This covers ${isLater ? LATER : EARLIER}. It was made from the transcript alone, without a model: it quotes and counts and adds nothing.`,
    `- ${talk.join(', ')}; files: ${files('created')} created, ${files('changed')} changed, ${files('deleted')} deleted, ${files('read')} read.`,
  ];
  if (facts.folder !== undefined) lines.push(`- Usual folder: ${harmless(facts.folder)}`);
  if (last !== undefined) lines.push(`- ${stateOf(last)}`);
  return lines.join('\n');
}

/** For a handful of messages: counts would take the room of the words that they count. */
function shortGlance(facts: SessionFacts): string {
  const last = workedOn(facts.requests)?.request;
  return ['Essentials, quoted without a model.', ...optional(last === undefined ? undefined : stateOf(last))].join(' ');
}

function stateOf(last: UserRequest): string {
  return last.interrupted ? STOPPED : LAST_REQUEST[last.state];
}

function stateIntro(answer: AnswerFact | undefined): string | undefined {
  if (answer === undefined) return undefined;
  return answer.isFinal ? 'The last words of the agent here:' : 'The last words of the agent here; it went on working after them:';
}

function isCommit(piece: Piece): boolean {
  return piece.label === COMMITS_LABEL;
}

function countOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { count }) => sum + (count ?? 1), 0);
}

function counted(count: number, name: string): string {
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

const EARLIER = 'the earlier part of this conversation; what came after it follows word for word';
const LATER = 'the later part of this conversation; the messages before it are kept word for word';
const STOPPED = 'The user stopped the agent during the last request.';
const LAST_REQUEST = {
  answered: 'The agent answered the last request; its words stand under Last state.',
  inWork: 'The agent was still working on the last request.',
  unanswered: 'The last request has no answer yet.',
} as const satisfies Record<UserRequest['state'], string>;
