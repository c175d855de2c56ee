// Writes the facts of a session as Markdown of fixed sections inside a budget. All words but headings, labels and counts are the transcript's.
import { createPricer, spendBudget, type Piece, type PriceOf, type Selection } from './budget';
import { partsOf, type Parts } from './parts';
import { ANSWERS_HEADING, REQUESTS_HEADING, sectionsOf, writeFrame, writeSections, type Section } from './sections';
import type { SessionFacts } from './sessionFacts';
import { spendingOf, type Spending } from './spending';
import { costOfTerms, fittingTerms, missingTerms, termsOf, type MissingTerms } from './termIndex';

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
  const draft: Draft = { parts, sections, spending, estimate, priceOf: createPricer(estimate), frame: estimate(writeFrame(sections)) };
  const rich = writeWithin(draft, budget);
  const terms = termsOf(facts);
  const lacking = missingTerms(rich.text, terms);
  const left = budget - estimate(rich.text);
  // Words cost less alone than in their sentences: where many are missing, some sentences make room for them.
  const wanted = Math.min(costOfTerms(lacking, estimate), budget * INDEX_SHARE);
  if (wanted <= left || budget < SHORT_BUDGET) return withTerms(draft, rich.selection, fittingTerms(lacking, left, estimate));
  const { text, selection } = writeWithin(draft, budget - wanted);
  return withTerms(draft, selection, fittingTerms(missingTerms(text, terms), budget - estimate(text), estimate));
}

interface Draft {
  readonly parts: Parts;
  readonly sections: readonly Section[];
  readonly spending: Spending;
  readonly estimate: (text: string) => number;
  readonly priceOf: PriceOf;
  /** What stands around the pieces at most. */
  readonly frame: number;
}

function writeWithin(draft: Draft, budget: number): { readonly text: string; readonly selection: Selection } {
  const { parts, sections, spending, estimate, priceOf } = draft;
  let must = [...spending.core, ...spending.must];
  const spend = (frame: number): { selection: Map<Piece, number>; text: string } => {
    const selection = new Map(spendBudget(must, spending.steps, { priceOf, budget, spent: frame }));
    return { selection, text: writeSections(sections, selection) };
  };
  let { selection, text } = spend(draft.frame);
  // A demand of the user that no quoted request holds gets a line of its own.
  const unsaid = [...parts.rules.sayings].filter(([, said]) => !text.includes(said)).map(([piece]) => piece);
  must = [...must, ...unsaid];
  // Headings and notes that were not needed leave room.
  const left = budget - estimate(text);
  if (unsaid.length > 0 || left > WORTH_SPENDING) ({ selection, text } = spend(draft.frame - Math.max(0, left)));
  for (let round = 0; round < MAX_ROUNDS && estimate(text) > budget; round++) {
    if (!dropLeast(selection, spending, estimate(text) - budget, estimate)) break;
    text = writeSections(sections, selection);
  }
  return { text, selection };
}

/** Writes the lists of terms below the sections whose texts they come from. */
function withTerms({ sections }: Draft, selection: Selection, { requests, answers }: MissingTerms): string {
  const lists: ReadonlyMap<string, readonly string[]> = new Map([
    [REQUESTS_HEADING, requests],
    [ANSWERS_HEADING, answers],
  ]);
  const closed = sections.map((section) => {
    const terms = lists.get(section.heading) ?? [];
    return terms.length === 0 ? section : { ...section, closing: `${TERMS_LABEL} ${terms.join(' ')}` };
  });
  return writeSections(closed, selection);
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

/** Below this many tokens the usual introduction would take a third of the room. */
const SHORT_BUDGET = 400;
const MAX_ROUNDS = 12;
/** Fewer tokens buy nothing. */
const WORTH_SPENDING = 12;
/** Most of the budget that lists of words may take from sentences. */
const INDEX_SHARE = 0.3;
const TERMS_LABEL = 'Also mentioned:';
