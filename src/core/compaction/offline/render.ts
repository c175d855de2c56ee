// Writes the facts of a session as Markdown of fixed sections inside a budget. All words but headings, labels and counts are the transcript's.
import { spendBudget, type Piece } from './budget';
import { harmless } from './markdown';
import { partsOf } from './parts';
import { ANSWERS_HEADING, sectionsOf, writeFrame, writeSections } from './sections';
import type { SessionFacts } from './sessionFacts';
import { spendingOf, type Spending } from './spending';

export interface RenderOptions {
  /** Most tokens that the summary may have. */
  readonly budget: number;
  readonly estimate: (text: string) => number;
  /** The summarized messages stand after the kept ones. */
  readonly isLater: boolean;
  /** Words that the user wishes to see kept; pieces that hold one come first. */
  readonly focus: readonly string[];
}

/** Writes the summary. It keeps to the budget as long as the last request and open work fit into it. */
export function renderSummary(facts: SessionFacts, options: RenderOptions): string {
  const { budget, estimate } = options;
  const parts = partsOf(facts);
  const sections = sectionsOf(parts, facts, { isLater: options.isLater, isShort: budget < SHORT_BUDGET });
  const spending = focused(spendingOf(parts), options.focus);
  const must = [...spending.core, ...spending.must];
  const limits = { estimate, budget, spent: estimate(writeFrame(sections)) };
  const first = writeSections(sections, spendBudget(must, spending.steps, limits));
  // A demand of the user that no quoted request holds gets a line of its own.
  const unsaid = [...parts.rules.sayings].filter(([, said]) => !first.includes(said)).map(([piece]) => piece);
  const selection = new Map(spendBudget([...must, ...unsaid], spending.steps, limits));
  let text = writeSections(sections, selection);
  for (let round = 0; round < MAX_ROUNDS && estimate(text) > budget; round++) {
    if (!dropLeast(selection, spending, estimate(text) - budget, estimate)) break;
    text = writeSections(sections, selection);
  }
  const names = missingNames(text, facts, options);
  if (names === undefined) return text;
  const named = sections.map((section) => (section.heading === ANSWERS_HEADING ? { ...section, intro: names } : section));
  return writeSections(named, selection);
}

/** Puts pieces that hold one of the words in front of the others of their step. */
function focused(spending: Spending, words: readonly string[]): Spending {
  if (words.length === 0) return spending;
  const known = new Map<Piece, boolean>();
  const isWanted = (piece: Piece): boolean => {
    const text = (known.has(piece) ? '' : (piece.forms.at(-1) ?? '')).toLowerCase();
    const wanted = known.get(piece) ?? words.some((word) => text.includes(word));
    known.set(piece, wanted);
    return wanted;
  };
  const steps = spending.steps.map((step) => ({
    ...step,
    pieces: [...step.pieces.filter(isWanted), ...step.pieces.filter((piece) => !isWanted(piece))],
  }));
  return { ...spending, steps };
}

/** Drops pieces that came last until about `excess` tokens are free. False when nothing may be dropped any more. */
function dropLeast(selection: Map<Piece, number>, spending: Spending, excess: number, estimate: (text: string) => number): boolean {
  const core = new Set(spending.core);
  const order = [...new Set([...spending.must, ...spending.steps.flatMap(({ pieces }) => pieces), ...selection.keys()])];
  let freed = 0;
  for (let i = order.length - 1; i >= 0 && freed < excess; i--) {
    const piece = order[i];
    const form = piece === undefined ? undefined : selection.get(piece);
    if (piece === undefined || form === undefined || core.has(piece)) continue;
    freed += estimate(piece.forms[form] ?? '');
    selection.delete(piece);
  }
  if (freed > 0) return true;
  const last = spending.core[0];
  const reduced = last !== undefined && (selection.get(last) ?? 0) > 0;
  if (reduced) selection.set(last, 0);
  return reduced;
}

/** Names of answers and requests that the text does not hold yet, as many as the rest of the budget allows. */
function missingNames(text: string, facts: SessionFacts, { budget, estimate }: RenderOptions): string | undefined {
  let left = budget - estimate(text) - NAMES_FRAME;
  const names: string[] = [];
  for (const name of facts.identifiers) {
    if (left <= 0 || names.length >= MAX_NAMES) break;
    if (text.includes(name)) continue;
    left -= estimate(name) + 1;
    if (left > 0) names.push(harmless(name));
  }
  return names.length === 0 ? undefined : `Also named: ${names.join(', ')}`;
}

/** Below this many tokens the usual introduction would take a third of the room. */
const SHORT_BUDGET = 400;
const MAX_ROUNDS = 12;
const MAX_NAMES = 60;
const NAMES_FRAME = 14;
