import type { RefObject, VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { PlanRequestView } from '../../src/core/protocol/planView';
import { PivotControl } from '../components/PivotControl';
import { PlanForm } from '../components/PlanForm';
import { PlanPreview } from '../components/PlanPreview';
import { PlanRefusal } from '../components/PlanRefusal';
import { ProgressStrip } from '../components/ProgressStrip';
import { RunResult } from '../components/RunResult';
import { useStore, useWords } from '../context';
import { Button } from '../controls';
import { planOf, type Flow, type SummaryPlan } from '../flow';
import { EVERYWHERE, type Panel } from '../panel';
import type { Words } from '../words';

export const compaction: Panel = { id: 'compaction', titleKey: 'preview.title', place: 'side', surfaces: EVERYWHERE, view: Compaction };

function Compaction(): VNode | null {
  const store = useStore();
  const words = useWords();
  const heading = useRef<HTMLHeadingElement>(null);
  const flow = store.compaction.flow.value;
  const opened = store.compaction.opened.value;
  useFocus(heading, opened, flow.kind === 'closed');

  if (flow.kind === 'closed') return null;
  const numbers = numbersOf(flow);
  return (
    <section
      class="card pane preview"
      aria-labelledby="preview-title"
      aria-busy={flow.kind === 'planning' || flow.kind === 'running'}
      data-testid="preview"
      data-outcome={outcomeOf(flow)}
      data-settled={flow.kind !== 'shown' || flow.settled}
      data-before={numbers?.before}
      data-after={numbers?.after}
      data-position={planOf(flow)?.cutPosition}
    >
      <div class="pane-head">
        <h2 id="preview-title" ref={heading} tabIndex={-1}>
          {titleOf(flow, words)}
        </h2>
      </div>
      <div class="pane-body">
        <PivotControl flow={flow} />
        <Body flow={flow} />
      </div>
    </section>
  );
}

/** Leads the focus to the heading when a preview is opened, and back to where it came from when it is closed. */
function useFocus(heading: RefObject<HTMLElement | null>, opened: number, isClosed: boolean): void {
  const before = useRef<Element | null>(null);
  useEffect(() => {
    const element = heading.current;
    if (opened === 0 || element === null) return;
    const active = document.activeElement;
    if (active?.closest('.preview') !== element.closest('.preview')) before.current = active;
    element.focus({ preventScroll: true });
    element.scrollIntoView({ block: 'nearest' });
  }, [heading, opened]);
  useEffect(() => {
    if (isClosed && before.current instanceof HTMLElement && before.current.isConnected) before.current.focus({ preventScroll: true });
    if (isClosed) before.current = null;
  }, [isClosed]);
}

function Body({ flow }: { readonly flow: Exclude<Flow<SummaryPlan>, { kind: 'closed' }> }): VNode {
  const { compaction: actions } = useStore();
  const { t } = useWords();
  const summarizer = actions.summarizer.value;
  switch (flow.kind) {
    case 'planning':
      return <p class="muted">{t('preview.planning')}</p>;
    case 'refused':
      return <PlanRefusal message={flow.message} promptPlanId={flow.promptPlanId} />;
    case 'broken':
      return (
        <>
          <p class="note note-error">{t('preview.failed', { reason: flow.message })}</p>
          <div class="buttons">
            <Button onClick={() => actions.preview(flow.request)}>{t('preview.again')}</Button>
            <Button testId="cancel" onClick={actions.close}>
              {t('preview.close')}
            </Button>
          </div>
        </>
      );
    case 'shown':
      return (
        <>
          <PlanPreview plan={flow.plan} summarizer={summarizer} isStale={!flow.settled} canPutBack />
          <PlanForm flow={flow} />
        </>
      );
    case 'running':
      return (
        <>
          <ProgressStrip progress={flow.progress} cancelling={flow.cancelling} onCancel={actions.cancel} />
          <PlanPreview plan={flow.plan} summarizer={summarizer} />
        </>
      );
    case 'written':
      return <RunResult key={flow.run.newSessionId} run={flow.run} onClose={actions.close} />;
  }
}

function outcomeOf(flow: Flow<SummaryPlan>): string {
  switch (flow.kind) {
    case 'refused':
      return 'refusal';
    case 'broken':
      return 'failed';
    case 'shown':
      return flow.notice?.outcome ?? 'plan';
    case 'closed':
    case 'planning':
    case 'running':
    case 'written':
      return flow.kind;
  }
}

function numbersOf(flow: Flow<SummaryPlan>): { readonly before: number; readonly after: number } | undefined {
  if (flow.kind === 'shown' || flow.kind === 'running') return { before: flow.plan.tokensBefore, after: flow.plan.tokensAfter };
  return flow.kind === 'written' ? { before: flow.run.tokensBefore, after: flow.run.tokensAfter } : undefined;
}

function titleOf(flow: Exclude<Flow<SummaryPlan>, { kind: 'closed' }>, { t }: Words): string {
  if (flow.kind === 'running') return t('run.title');
  if (flow.kind === 'written') return t('run.written');
  // A pivot that was named by a message is that one; one that was moved is where the cut has come to.
  const { request } = flow;
  const index = flow.kind !== 'shown' ? null : request.pivotId === undefined ? flow.plan.cutIndex : flow.plan.pivotIndex;
  return requestTitle(request, index, t);
}

function requestTitle(request: PlanRequestView, pivot: number | null, t: Words['t']): string {
  if (request.kind === 'full') return t('preview.full');
  if (pivot === null) return t('preview.title');
  return t(request.kind === 'partialUpTo' ? 'preview.upTo' : 'preview.from', { index: pivot });
}
