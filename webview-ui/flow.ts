// The states that a compaction goes through on the page: asked for, shown, run, written. `P` is the kind of plan.
import type { PlanRequestView, PlanView, ProgressView, RunView } from '../src/core/protocol/planView';

export type SummaryPlan = Extract<PlanView, { outcome: 'plan' }>;
export type MicroPlan = Extract<PlanView, { outcome: 'micro' }>;
export type WrittenRun = Extract<RunView, { outcome: 'written' }>;

/** What the last try came to, shown above the plan, which can be run again. */
export interface Notice {
  readonly outcome: 'refused' | 'failed' | 'cancelled';
  /** Why; `notSupported` for a format that cannot be written. */
  readonly code: string;
  readonly message: string;
  /** A model's summary did not pass, the offline one would. */
  readonly offerOffline: boolean;
}

interface Of<P> {
  readonly request: PlanRequestView;
  readonly plan: P;
  /** The session has grown since; the host refuses such a plan. */
  readonly outdated: boolean;
}

/** A plan as it is shown. `settled` is false while a newer answer, or the rest of this one, is on its way: the figures stay until then. */
export interface ShownPlan<P> extends Of<P> {
  readonly kind: 'shown';
  /** The request that `plan` answers; another object than `request` while that one's answer is awaited. */
  readonly answered: PlanRequestView;
  readonly settled: boolean;
  readonly notice: Notice | undefined;
}

export interface RunningPlan<P> extends Of<P> {
  readonly kind: 'running';
  readonly progress: ProgressView | undefined;
  readonly cancelling: boolean;
}

export type Flow<P> =
  | { readonly kind: 'closed' }
  | { readonly kind: 'planning'; readonly request: PlanRequestView }
  /** `last` is the plan that was shown before the request was changed to one that is refused, or that failed. */
  | {
      readonly kind: 'refused' | 'broken';
      readonly request: PlanRequestView;
      /** The request that was refused or failed; another object than `request` while that one's answer is awaited. */
      readonly answered: PlanRequestView;
      readonly message: string;
      /** A plan that cannot be written but can be copied as a prompt. */
      readonly promptPlanId: string | undefined;
      readonly last: P | undefined;
    }
  | ShownPlan<P>
  | RunningPlan<P>
  | { readonly kind: 'written'; readonly request: PlanRequestView; readonly plan: P; readonly run: WrittenRun };

/** True while the answer to what is asked for now is on its way. */
export function isAwaited<P>(flow: Flow<P>): boolean {
  return 'answered' in flow && flow.answered !== flow.request;
}

/** The plan behind a flow; undefined where none has been made. */
export function planOf<P>(flow: Flow<P>): P | undefined {
  switch (flow.kind) {
    case 'closed':
    case 'planning':
      return undefined;
    case 'refused':
    case 'broken':
      return flow.last;
    case 'shown':
    case 'running':
    case 'written':
      return flow.plan;
  }
}
