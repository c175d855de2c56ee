// Compactions with a summary: the flow of their plans, and what the user has chosen for all of them.
import { computed, effect, signal, untracked, type ReadonlySignal, type Signal } from '@preact/signals';
import type { LostItemView, LostKindView, LostView, PlanRequestView, PutBackView, SummaryDetail } from '../src/core/protocol/planView';
import type { SessionView, SummarizerChoice, UiSettings } from '../src/core/protocol/viewModel';
import { isAwaited, type Flow, type Notice, type SummaryPlan } from './flow';
import { moveFrom, moveRequest, placeOf, type PivotMove } from './pivot';
import { createPlanning, type Planning } from './planning';
import type { PageClient } from './rpc';

/** So many places at an end of the context are tried before its refusal is shown. */
const MAX_TRIES = 32;

export interface Compaction extends Omit<Planning<SummaryPlan>, 'replace'> {
  /** Who is to summarize: chosen here, else by the settings. The choices outlive a preview, so that another cut does not lose them. */
  readonly summarizer: ReadonlySignal<SummarizerChoice>;
  readonly chooseSummarizer: (choice: SummarizerChoice) => void;
  readonly detail: Signal<SummaryDetail>;
  readonly instructions: Signal<string>;
  /** Moves the cut as a key does. A move that comes before the last one was answered waits for it; only the newest waits. */
  readonly move: (by: PivotMove) => void;
  /** Writes another copy of the finished run that quotes these items too. Answers why not; undefined when it was written. */
  readonly putBack: (items: readonly PutBackView[]) => Promise<Notice | undefined>;
  /** Keys of the lost items that are ticked to be put back (`lostKey`). */
  readonly ticked: Signal<ReadonlySet<string>>;
}

/** Makes the flow of compactions with a summary. A change of summarizer or detail makes the shown plan anew, since its cost changes. */
export function createCompaction(
  client: PageClient,
  session: ReadonlySignal<SessionView | undefined>,
  settings: ReadonlySignal<UiSettings>,
  onWritten: () => void,
): Compaction {
  const chosen = signal<SummarizerChoice | undefined>(undefined);
  const detail = signal<SummaryDetail>('normal');
  const ticked = signal<ReadonlySet<string>>(new Set());
  const summarizer = computed(() => chosen.value ?? settings.value.summarizer);
  const planning = createPlanning<SummaryPlan>(client, session, {
    accept: (answer, last) => (answer.outcome === 'plan' ? withRestOf(answer, last) : undefined),
    staged: true,
    onWritten() {
      ticked.value = new Set();
      onWritten();
    },
  });
  const chosenFor = (request: PlanRequestView): PlanRequestView => ({ ...request, summarizer: summarizer.value, detail: detail.value });

  effect(() => {
    const [who, how] = [summarizer.value, detail.value];
    untracked(() => {
      const now = planning.flow.value;
      if (now.kind !== 'shown' || (now.request.summarizer === who && now.request.detail === how)) return;
      planning.adjust({ ...now.request, summarizer: who, detail: how });
    });
  });

  effect(() => {
    if (planning.flow.value.kind === 'closed') ticked.value = new Set();
  });

  let queued: PivotMove | undefined;
  let seeking: PivotMove | undefined;
  let tries = 0;
  const move = (by: PivotMove): void => {
    const now = planning.flow.value;
    if (isAwaited(now)) {
      queued = by;
      return;
    }
    seeking = by === 'first' ? 'next' : by === 'last' ? 'previous' : undefined;
    tries = 0;
    const request = moved(now, by);
    if (request !== undefined) planning.adjust(chosenFor(request));
  };
  // The outermost place may tear a call from its result; the next ones are tried then.
  effect(() => {
    const now = planning.flow.value;
    if (now.kind !== 'refused' || isAwaited(now) || seeking === undefined || ++tries > MAX_TRIES) return;
    const request = moved(now, seeking);
    if (request !== undefined) untracked(() => planning.adjust(chosenFor(request)));
  });
  effect(() => {
    const now = planning.flow.value;
    if (queued === undefined || isAwaited(now)) return;
    const by = queued;
    queued = undefined;
    untracked(() => move(by));
  });

  return {
    ...planning,
    move,
    summarizer,
    chooseSummarizer: (choice) => (chosen.value = choice),
    detail,
    instructions: signal(''),
    ticked,
    preview(request) {
      queued = undefined;
      seeking = undefined;
      if (planning.flow.value.kind !== 'running') {
        // A preview of an earlier compaction brings its own choices.
        if (request.summarizer !== undefined) chosen.value = request.summarizer;
        if (request.detail !== undefined) detail.value = request.detail;
      }
      planning.preview(chosenFor(request));
    },
    putBack: (items) =>
      planning.replace((handle, newSessionId, abort) => client.request('compaction/putBack', { handle, newSessionId, items }, abort)),
    adjust(request) {
      seeking = undefined;
      planning.adjust(chosenFor(request));
    },
  };
}

function moved(flow: Flow<SummaryPlan>, by: PivotMove): PlanRequestView | undefined {
  if (flow.kind === 'shown') return moveRequest(flow.plan, by);
  if ((flow.kind !== 'refused' && flow.kind !== 'broken') || flow.last === undefined) return undefined;
  const { kind, contextCount, cutPosition } = flow.last;
  return moveFrom(kind, placeOf(flow.request, contextCount) ?? cutPosition, contextCount, by);
}

/** Until the rest of a plan is there, its place is held by the rest of the last one, so that nothing flickers. */
function withRestOf(plan: SummaryPlan, last: SummaryPlan | undefined): SummaryPlan {
  if (plan.figuresOnly !== true || last === undefined) return plan;
  const { safety, lost, summaryPreview } = last;
  return { ...plan, safety, lost, summaryPreview };
}

/** Key of a lost item in the set of ticked ones. */
export function lostKey(kind: LostKindView, { messageId, value }: LostItemView): string {
  return `${kind} ${messageId} ${value}`;
}

/** The ticked items that are in a list, as the host is told of them. */
export function putBackOf(lost: LostView, ticked: ReadonlySet<string>): readonly PutBackView[] {
  return lost.groups.flatMap(({ kind, items }) =>
    items.filter((item) => ticked.has(lostKey(kind, item))).map(({ messageId, value }) => ({ kind, messageId, value })),
  );
}
