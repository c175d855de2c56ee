// The four words of an action as the page goes through them: ask for a plan, show it, run it, show what came of it.
import { signal, untracked, type ReadonlySignal } from '@preact/signals';
import { RpcError } from '../src/core/protocol/channel';
import type { SessionView, SummarizerChoice } from '../src/core/protocol/viewModel';
import type { PlanRequestView, PlanView, ProgressView, RunView } from '../src/core/protocol/planView';
import { visibleText } from './outsideText';
import type { PageClient } from './rpc';

export type Plan = Extract<PlanView, { outcome: 'plan' }>;
export type WrittenRun = Extract<RunView, { outcome: 'written' }>;

/** What the last try came to, shown above the plan, which can be run again. */
export interface Notice {
  readonly outcome: 'refused' | 'failed' | 'cancelled';
  readonly message: string;
}

export type Flow =
  | { readonly kind: 'closed' }
  | { readonly kind: 'planning'; readonly request: PlanRequestView }
  | { readonly kind: 'refused'; readonly request: PlanRequestView; readonly message: string }
  | { readonly kind: 'broken'; readonly request: PlanRequestView; readonly message: string }
  | {
      readonly kind: 'shown';
      readonly request: PlanRequestView;
      readonly plan: Plan;
      /** The session has grown since; the host refuses such a plan. */
      readonly outdated: boolean;
      readonly notice: Notice | undefined;
    }
  | {
      readonly kind: 'running';
      readonly request: PlanRequestView;
      readonly plan: Plan;
      readonly outdated: boolean;
      readonly progress: ProgressView | undefined;
      readonly cancelling: boolean;
    }
  | { readonly kind: 'written'; readonly request: PlanRequestView; readonly run: WrittenRun };

export interface Compaction {
  readonly flow: ReadonlySignal<Flow>;
  /** Counts the times that a preview was opened, for the focus. */
  readonly opened: ReadonlySignal<number>;
  readonly preview: (request: PlanRequestView) => void;
  readonly run: (summarizer: SummarizerChoice, instructions: string) => void;
  /** Cancels what is running; closes what is only shown. */
  readonly cancel: () => void;
  readonly close: () => void;
  /** The rows of the session have changed. */
  readonly outdate: () => void;
}

/** Makes the flow of previews and runs for the session that is shown. */
export function createCompaction(client: PageClient, session: ReadonlySignal<SessionView | undefined>): Compaction {
  const flow = signal<Flow>({ kind: 'closed' });
  const opened = signal(0);
  let work: AbortController | undefined;

  client.on('compaction/progress', (progress) => {
    const now = flow.value;
    if (now.kind === 'running' && progress.planId === now.plan.planId) flow.value = { ...now, progress };
  });

  /** Starts a piece of work; the earlier one, if any, is given up, and its answer is not shown. */
  const begin = (): AbortController => {
    work?.abort();
    work = new AbortController();
    return work;
  };

  const plan = async (request: PlanRequestView): Promise<void> => {
    const handle = untracked(() => session.value?.handle);
    if (handle === undefined) return;
    const mine = begin();
    flow.value = { kind: 'planning', request };
    try {
      const answer = await client.request('compaction/preview', { handle, request }, mine.signal);
      if (mine !== work) return;
      flow.value =
        answer.outcome === 'plan'
          ? { kind: 'shown', request, plan: answer, outdated: false, notice: undefined }
          : { kind: 'refused', request, message: answer.outcome === 'refusal' ? visibleText(answer.message) : '' };
    } catch (error) {
      if (mine === work) flow.value = { kind: 'broken', request, message: messageOf(error) };
    }
  };

  const run = async (summarizer: SummarizerChoice, instructions: string): Promise<void> => {
    const shown = flow.value;
    const handle = untracked(() => session.value?.handle);
    if (shown.kind !== 'shown' || handle === undefined) return;
    const { request, plan: made } = shown;
    const mine = begin();
    flow.value = { kind: 'running', request, plan: made, outdated: false, progress: undefined, cancelling: false };
    const again = (notice: Notice): void => {
      const outdated = flow.value.kind === 'running' && flow.value.outdated;
      flow.value = { kind: 'shown', request, plan: made, outdated, notice };
    };
    try {
      const answer = await client.request('compaction/run', { handle, planId: made.planId, summarizer, instructions }, mine.signal);
      if (mine !== work) return;
      if (answer.outcome === 'written') flow.value = { kind: 'written', request, run: answer };
      else again({ outcome: answer.outcome, message: visibleText(answer.message) });
    } catch (error) {
      if (mine !== work) return;
      const cancelled = error instanceof RpcError && error.code === 'cancelled';
      again({ outcome: cancelled ? 'cancelled' : 'failed', message: cancelled ? '' : messageOf(error) });
    }
  };

  const close = (): void => {
    work?.abort();
    work = undefined;
    flow.value = { kind: 'closed' };
  };

  return {
    flow,
    opened,
    preview(request) {
      // A run goes on until it ends or is cancelled; a second one beside it would only be confusing.
      if (flow.value.kind !== 'running') void plan(request);
      opened.value++;
    },
    run(summarizer, instructions) {
      void run(summarizer, instructions);
    },
    cancel() {
      const now = flow.value;
      if (now.kind !== 'running') {
        close();
        return;
      }
      flow.value = { ...now, cancelling: true };
      work?.abort();
    },
    close,
    outdate() {
      const now = flow.value;
      if (now.kind === 'shown' || now.kind === 'running') flow.value = { ...now, outdated: true };
    },
  };
}

/** Text of whatever was thrown. It may quote a transcript or a server's answer. */
export function messageOf(error: unknown): string {
  return visibleText(error instanceof Error ? error.message : String(error));
}
