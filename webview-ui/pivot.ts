// Where the cut of a compaction lies, and what is asked for when a person moves it. Pure; places are those of the plan, 0 … `contextCount`.
import type { PlanRequestView } from '../src/core/protocol/planView';
import type { RowView } from '../src/core/protocol/viewModel';
import type { SummaryPlan } from './flow';

export type SummaryKind = SummaryPlan['kind'];

/** Fewer messages than this are never summarized. */
const LEAST_SUMMARIZED = 2;

/** Request for a cut at a place, of the same kind as before. */
export function requestAt(kind: SummaryKind, position: number, contextCount: number): PlanRequestView {
  const place = Math.max(0, Math.min(contextCount, Math.round(position)));
  return kind === 'full' ? { kind, keepMessages: contextCount - place } : { kind, position: place };
}

/** Request for the same cut in another direction. */
export function inDirection(kind: SummaryKind, plan: SummaryPlan): PlanRequestView {
  return requestAt(kind, plan.cutPosition, plan.contextCount);
}

/** The place that a request names by itself; undefined where it names a message, turns or tokens. */
export function placeOf(request: PlanRequestView, contextCount: number): number | undefined {
  if (request.kind === 'full') return Math.max(0, contextCount - (request.keepMessages ?? contextCount));
  return request.pivotId === undefined ? request.position : undefined;
}

export type PivotMove = 'previous' | 'next' | 'previousTurn' | 'nextTurn' | 'first' | 'last';

/** Key → move, of a slider: to the right and up is later. */
export const PIVOT_KEYS: ReadonlyMap<string, PivotMove> = new Map<string, PivotMove>([
  ['ArrowLeft', 'previous'],
  ['ArrowDown', 'previous'],
  ['ArrowRight', 'next'],
  ['ArrowUp', 'next'],
  ['PageDown', 'previousTurn'],
  ['PageUp', 'nextTurn'],
  ['Home', 'first'],
  ['End', 'last'],
]);

/**
 * Request that moves the cut of a plan by a key; undefined where there is no cut further on. Turns are counted from the end, which only a
 * compaction of what is before the cut can do; the others move by a tenth of the context.
 */
export function moveRequest(plan: SummaryPlan, move: PivotMove): PlanRequestView | undefined {
  const { kind, contextCount, cutPosition, keptTurns, previousPosition, nextPosition } = plan;
  const at = (position: number | null): PlanRequestView | undefined =>
    position === null ? undefined : requestAt(kind, position, contextCount);
  if (move === 'previous') return at(previousPosition);
  if (move === 'next') return at(nextPosition);
  if (move === 'previousTurn' && previousPosition === null) return undefined;
  if (move === 'nextTurn' && nextPosition === null) return undefined;
  if (kind === 'partialUpTo' && move === 'previousTurn') return { kind, keepTurns: keptTurns + 1 };
  if (kind === 'partialUpTo' && move === 'nextTurn' && keptTurns > 0) return { kind, keepTurns: keptTurns - 1 };
  return moveFrom(kind, cutPosition, contextCount, move);
}

/** The same from a place where no plan could be made: one message, or a tenth of the context. */
export function moveFrom(kind: SummaryKind, place: number, contextCount: number, move: PivotMove): PlanRequestView | undefined {
  const step = Math.max(1, Math.round(contextCount / 10));
  const targets: Readonly<Record<PivotMove, number>> = {
    previous: place - 1,
    next: place + 1,
    previousTurn: place - step,
    nextTurn: place + step,
    first: 0,
    last: contextCount,
  };
  const target = Math.max(first(kind), Math.min(last(kind, contextCount), targets[move]));
  return target === place ? undefined : requestAt(kind, target, contextCount);
}

/** Lowest and highest place where a compaction may be possible. */
export function first(kind: SummaryKind): number {
  return kind === 'partialFrom' ? 0 : LEAST_SUMMARIZED;
}

export function last(kind: SummaryKind, contextCount: number): number {
  return Math.max(0, kind === 'partialFrom' ? contextCount - LEAST_SUMMARIZED : contextCount);
}

/**
 * Place of a row of the list, counted from the plan's cut along the rows that are in the context. Rows that have not been read yet count as
 * in it. The row after the last one is the end.
 */
export function placeOfRow(plan: SummaryPlan, target: number, rowCount: number, rowAt: (index: number) => RowView | undefined): number {
  if (target >= rowCount) return plan.contextCount;
  const [from, to] = target < plan.cutIndex ? [target, plan.cutIndex] : [plan.cutIndex, target];
  let between = 0;
  for (let index = from; index < to; index++) if (rowAt(index)?.active !== false) between++;
  const place = plan.cutPosition + (target < plan.cutIndex ? -between : between);
  return Math.max(0, Math.min(plan.contextCount, place));
}
