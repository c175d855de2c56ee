// One flow of plans: ask, show, change what is asked, run, and say what came of it.
import { signal, untracked, type ReadonlySignal } from '@preact/signals';
import { RpcError } from '../src/core/protocol/channel';
import type { PlanRequestView, PlanView, PutBackView, RunView, SummaryDetail } from '../src/core/protocol/planView';
import type { SessionView, SummarizerChoice } from '../src/core/protocol/viewModel';
import { createAsking } from './asking';
import { messageOf } from './errorText';
import { planOf, type Flow, type Notice } from './flow';
import { visibleText } from './outsideText';
import type { PageClient } from './rpc';

export interface RunOptions {
  readonly summarizer: SummarizerChoice;
  readonly instructions: string;
  readonly detail: SummaryDetail;
  readonly putBack: readonly PutBackView[];
}

export interface Planning<P> {
  readonly flow: ReadonlySignal<Flow<P>>;
  /** Counts the times that a preview was opened, for the focus. */
  readonly opened: ReadonlySignal<number>;
  /** Opens a preview anew and leads the focus to it. */
  readonly preview: (request: PlanRequestView) => void;
  /** The same where the focus is already. */
  readonly start: (request: PlanRequestView) => void;
  /** Changes what is asked for; the figures on show stay until the new ones are there. */
  readonly adjust: (request: PlanRequestView) => void;
  readonly run: (options: RunOptions) => void;
  /** Writes another copy from the one that is shown as written. */
  readonly replace: (send: (handle: string, newSessionId: string, signal: AbortSignal) => Promise<RunView>) => Promise<Notice | undefined>;
  /** Cancels what is running; closes what is only shown. */
  readonly cancel: () => void;
  readonly close: () => void;
  /** The rows of the session have changed. */
  readonly outdate: () => void;
}

export interface PlanningOptions<P> {
  /** The plan in an answer; undefined for a refusal and for a plan of another kind. `last` is the plan on show. */
  readonly accept: (answer: PlanView, last: P | undefined) => P | undefined;
  readonly staged: boolean;
  /** Called when a copy has been written. */
  readonly onWritten: () => void;
}

/** Makes a flow of previews and runs for the session that is shown. */
export function createPlanning<P extends { readonly planId: string }>(
  client: PageClient,
  session: ReadonlySignal<SessionView | undefined>,
  { accept, staged, onWritten }: PlanningOptions<P>,
): Planning<P> {
  const flow = signal<Flow<P>>({ kind: 'closed' });
  const opened = signal(0);
  let work: AbortController | undefined;
  const handleNow = (): string | undefined => untracked(() => session.value?.handle);

  client.on('compaction/progress', (progress) => {
    const now = flow.value;
    if (now.kind === 'running' && progress.planId === now.plan.planId) flow.value = { ...now, progress };
  });

  const asking = createAsking({
    staged,
    ask(request, figuresOnly, abort) {
      const handle = handleNow();
      if (handle === undefined) return Promise.reject(new Error('There is no session.'));
      return client.request('compaction/preview', { handle, request: figuresOnly ? { ...request, figuresOnly } : request }, abort);
    },
    take(asked, answer, error, isLast) {
      const before = flow.value;
      if (before.kind === 'closed' || before.kind === 'running' || before.kind === 'written') return;
      // While the hand moves on, the newest wish is what the controls show, and the figures are those of the last answer.
      const { request } = before;
      const last = planOf(before);
      if (answer === undefined) {
        flow.value = { kind: 'broken', request, answered: asked, message: messageOf(error), promptPlanId: undefined, last };
        return;
      }
      const plan = accept(answer, last);
      flow.value =
        plan === undefined
          ? { kind: 'refused', request, answered: asked, ...refusalOf(answer), last }
          : { kind: 'shown', request, answered: asked, plan, outdated: false, notice: undefined, settled: isLast };
    },
  });

  const run = async (options: RunOptions): Promise<void> => {
    const shown = flow.value;
    const handle = handleNow();
    if (shown.kind !== 'shown' || !shown.settled || handle === undefined) return;
    const { request, plan } = shown;
    const mine = new AbortController();
    work = mine;
    flow.value = { kind: 'running', request, plan, outdated: false, progress: undefined, cancelling: false };
    const again = (notice: Notice): void => {
      const outdated = flow.value.kind === 'running' && flow.value.outdated;
      flow.value = { kind: 'shown', request, answered: request, plan, outdated, notice, settled: true };
    };
    try {
      const answer = await client.request('compaction/run', { handle, planId: plan.planId, ...runParams(options) }, mine.signal);
      if (mine !== work) return;
      if (answer.outcome === 'written') {
        flow.value = { kind: 'written', request, plan, run: answer };
        onWritten();
      } else again(noticeOf(answer));
    } catch (error) {
      if (mine === work) again(noticeOfError(error));
    }
  };

  const close = (): void => {
    asking.stop();
    work?.abort();
    work = undefined;
    flow.value = { kind: 'closed' };
  };

  const start = (request: PlanRequestView): void => {
    // A run goes on until it ends or is cancelled; a second one beside it would only be confusing.
    if (flow.value.kind === 'running' || handleNow() === undefined) return;
    flow.value = { kind: 'planning', request };
    asking.now(request);
  };

  return {
    flow,
    opened,
    preview(request) {
      opened.value++;
      start(request);
    },
    start,
    adjust(request) {
      const now = flow.value;
      if (now.kind === 'shown') flow.value = { ...now, request, settled: false, notice: undefined };
      else if (now.kind === 'refused' || now.kind === 'broken') flow.value = { ...now, request };
      else return;
      asking.soon(request);
    },
    run(options) {
      void run(options);
    },
    async replace(send) {
      const shown = flow.value;
      const handle = handleNow();
      if (shown.kind !== 'written' || handle === undefined) return undefined;
      const mine = new AbortController();
      work = mine;
      try {
        const answer = await send(handle, shown.run.newSessionId, mine.signal);
        if (mine !== work) return undefined;
        if (answer.outcome !== 'written') return noticeOf(answer);
        flow.value = { ...shown, run: answer };
        onWritten();
        return undefined;
      } catch (error) {
        return mine === work ? noticeOfError(error) : undefined;
      }
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

/** An answer of another kind of plan than was asked for says nothing. */
function refusalOf(answer: PlanView): { readonly message: string; readonly promptPlanId: string | undefined } {
  if (answer.outcome !== 'refusal') return { message: '', promptPlanId: undefined };
  return { message: visibleText(answer.message), promptPlanId: answer.promptPlanId };
}

/** What is by default is left out. */
function runParams({ summarizer, instructions, detail, putBack }: RunOptions): {
  readonly summarizer: SummarizerChoice;
  readonly instructions: string;
  readonly detail?: SummaryDetail;
  readonly putBack?: readonly PutBackView[];
} {
  return {
    summarizer,
    instructions,
    ...(detail === 'normal' ? {} : { detail }),
    ...(putBack.length === 0 ? {} : { putBack }),
  };
}

function noticeOf(answer: Exclude<RunView, { outcome: 'written' }>): Notice {
  const { outcome, code, message, offerOffline = false } = answer;
  return { outcome, code, message: visibleText(message), offerOffline };
}

function noticeOfError(error: unknown): Notice {
  const isCancelled = error instanceof RpcError && error.code === 'cancelled';
  return {
    outcome: isCancelled ? 'cancelled' : 'failed',
    code: error instanceof RpcError ? (error.inner ?? error.code) : 'failed',
    message: isCancelled ? '' : messageOf(error),
    offerOffline: false,
  };
}
