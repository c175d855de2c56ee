// Facts that a model is weak at, taken from the transcript by our own count and put behind a model's summary, marked as such.
import type { Message } from '../model/message';
import { createPricer, spendBudget, type Piece, type Step } from './offline/budget';
import { extractFacts } from './offline/facts';
import { FILES_HEADING } from './offline/fileStatements';
import { newest, partsOf } from './offline/parts';
import { writeFrame, writeSections, type Section } from './offline/sections';
import { spendingOf } from './offline/spending';
import { roughTokens, zoneTokens } from './offline/zoneTokens';

/** Heading of the part that no model wrote. */
export const LEDGER_HEADING = 'Taken from the transcript';

/**
 * The last request, open calls, constraints, files and commands of some messages as Markdown, word for word, within about a hundredth of
 * their size; '' when there is nothing of the kind. Linear.
 */
export function ledgerOf(messages: readonly Message[]): string {
  const parts = partsOf(extractFacts(messages));
  const { rules, files, commands } = parts;
  const sections: readonly Section[] = [
    { heading: 'Last request (verbatim)', pieces: parts.lastRequest },
    { heading: 'Constraints (verbatim)', pieces: rules.all, missing: leftOut },
    { heading: FILES_HEADING, intro: files.intro, pieces: files.all, missing: leftOut },
    { heading: 'Commands and outcomes', pieces: commands, missing: leftOut },
    { heading: 'Open calls', pieces: parts.openCalls, missing: leftOut },
  ];
  const pieces = sections.flatMap((section) => section.pieces);
  if (pieces.length === 0) return '';
  const budget = ledgerTokens(zoneTokens(messages));
  const step = (those: readonly Piece[], upTo: number, share: number): Step => ({ pieces: those, upTo, share });
  const { core } = spendingOf(parts);
  const steps = [
    step(parts.lastRequest, 1, 0.4),
    step(files.changed, 0, 0.5),
    step(newest(rules.sure), 0, 0.4),
    step(files.read, 0, 0.3),
    step(newest(commands), 0, 0.3),
    step(files.changed, 0, 1),
    step(newest(rules.sure), 0, 1),
    step(files.read, 0, 1),
    step(newest(commands), 1, 1),
  ];
  const open = core.filter((piece) => pieces.includes(piece));
  const selection = spendBudget(open, steps, { priceOf: createPricer(roughTokens), budget, spent: roughTokens(writeFrame(sections)) });
  return `## ${LEDGER_HEADING}\n${INTRODUCTION}\n\n${writeSections(sections, selection)}`;
}

/** Tokens that the ledger of so many may have, about. */
export function ledgerTokens(zone: number): number {
  return Math.min(Math.max(LEAST_TOKENS, zone * SHARE), MOST_TOKENS);
}

function leftOut(count: number): string {
  return `${count} more left out`;
}

const INTRODUCTION = 'The sections below were not written by the model: they are counted and quoted from the transcript itself.';
const SHARE = 0.01;
const LEAST_TOKENS = 600;
const MOST_TOKENS = 3_000;
