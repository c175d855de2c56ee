// The ways to say where a context is to be cut, each turned into a position in `PlanInput.context`.
import { turnStarts } from '../cut/turns';
import type { PivotChoice, PlanRefusal } from './plan';
import { contextMessages, cutsOf, resolvePivot, type Pivot, type PlanInput } from './planInput';

/**
 * Position of the chosen pivot. A place beyond the end counts as the end. `keepTurns` and `keepTokens` begin at the newest place where nothing is
 * torn and so many turns, or tokens, stay at least; 0 where the context has fewer. Linear. Refuses with `unknownMessage` an id that is not in
 * the context, and numbers that count nothing.
 */
export function pivotPosition(input: PlanInput, choice: PivotChoice): Pivot | PlanRefusal {
  if ('pivotId' in choice) return resolvePivot(input, choice.pivotId);
  const count = Math.trunc('position' in choice ? choice.position : 'keepTurns' in choice ? choice.keepTurns : choice.keepTokens);
  if (!(count >= 0)) return { outcome: 'refusal', code: 'unknownMessage' };
  if ('position' in choice) return { outcome: 'pivot', position: Math.min(count, input.context.length) };
  const newest = 'keepTurns' in choice ? turnsFromEnd(input, count) : tokensFromEnd(input, count);
  return { outcome: 'pivot', position: safeAtOrBefore(input, newest) };
}

function turnsFromEnd(input: PlanInput, turns: number): number {
  const starts = turnStarts(contextMessages(input));
  return turns === 0 ? input.context.length : (starts[starts.length - turns] ?? 0);
}

function tokensFromEnd({ context, tokens }: PlanInput, wanted: number): number {
  let position = context.length;
  for (let kept = 0; position > 0 && kept < wanted; position--) kept += tokens[context[position - 1] ?? -1] ?? 0;
  return position;
}

function safeAtOrBefore(input: PlanInput, from: number): number {
  const cuts = cutsOf(input);
  let position = from;
  while (position > 0 && !cuts.isTailStart(position)) position--;
  return position;
}
