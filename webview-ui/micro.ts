// Clearing tool results: the flow of its plans, and what is ticked.
import { effect, untracked, type ReadonlySignal } from '@preact/signals';
import type { ClearableView, ClearReasonView } from '../src/core/protocol/planView';
import type { SessionView } from '../src/core/protocol/viewModel';
import type { MicroPlan } from './flow';
import { createPlanning, type Planning } from './planning';
import type { PageClient } from './rpc';

/** As every flow of plans, but for `preview`: with a `pivotId` it clears the results of that message alone. */
export type Micro = Planning<MicroPlan>;

/** Makes the flow of plans that clear tool results. */
export function createMicro(client: PageClient, session: ReadonlySignal<SessionView | undefined>, onWritten: () => void): Micro {
  const planning = createPlanning<MicroPlan>(client, session, {
    accept: (answer) => (answer.outcome === 'micro' ? answer : undefined),
    staged: false,
    onWritten,
  });
  // The menu names the message of a row; its results are known by the ids of their calls, which the first plan tells.
  let wanted: string | undefined;
  effect(() => {
    const flow = planning.flow.value;
    if (flow.kind !== 'shown' || wanted === undefined) return;
    const messageId = wanted;
    wanted = undefined;
    const own = flow.plan.results.filter((one) => one.messageId === messageId && !isLocked(one)).map(({ toolUseId }) => toolUseId);
    if (own.length > 0) untracked(() => planning.adjust({ kind: 'micro', clear: own }));
  });
  return {
    ...planning,
    preview({ pivotId, clear }) {
      wanted = pivotId;
      planning.preview({ kind: 'micro', ...(clear === undefined ? {} : { clear }) });
    },
  };
}

export type ClearSelection = 'all' | 'none' | ClearReasonView;

/** True where a tick is refused: the user has pinned the message, and only taking the pin off frees it. */
export function isLocked({ protection }: ClearableView): boolean {
  return protection === 'pinned';
}

/** Ids of the results that are cleared when one tick is changed. */
export function toggled(results: readonly ClearableView[], changed: ClearableView): readonly string[] {
  return results.filter((one) => (one === changed ? !one.chosen : one.chosen) && !isLocked(one)).map(({ toolUseId }) => toolUseId);
}

/** Ids of the results of a selection. What is protected is only ever ticked by itself. */
export function selected(results: readonly ClearableView[], selection: ClearSelection): readonly string[] {
  if (selection === 'none') return [];
  const isWanted = ({ protection, reason }: ClearableView): boolean => protection === null && (selection === 'all' || reason === selection);
  return results.filter(isWanted).map(({ toolUseId }) => toolUseId);
}
