import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { MicroForm } from '../components/MicroForm';
import { Pane } from '../components/Pane';
import { PlanSizes } from '../components/PlanSizes';
import { ProgressStrip } from '../components/ProgressStrip';
import { RunResult } from '../components/RunResult';
import { useStore, useWords } from '../context';
import { Button } from '../controls';
import { planOf, type Flow, type MicroPlan } from '../flow';
import { LARGE_SURFACES, type Panel } from '../panel';

export const toolResults: Panel = {
  id: 'toolResults',
  titleKey: 'micro.title',
  place: 'side',
  surfaces: LARGE_SURFACES,
  view: ToolResults,
};

/** Clearing tool results alone: worked out when the pane is opened, by hand or by a menu. */
function ToolResults(): VNode | null {
  const { session, micro } = useStore();
  const { t, exact } = useWords();
  const flow = micro.flow.value;
  const opened = micro.opened.value;
  const pane = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (opened === 0 || pane.current === null) return;
    pane.current.querySelector('summary')?.focus({ preventScroll: true });
    pane.current.scrollIntoView({ block: 'nearest' });
  }, [opened]);
  const view = session.value;
  if (view === undefined || view.problem !== null || view.rows.count === 0) return null;
  const plan = planOf(flow);
  return (
    <Pane
      id="tool-results"
      title={t('micro.title')}
      count={plan === undefined ? undefined : exact(plan.resultCount)}
      note={t('micro.note')}
      open={flow.kind !== 'closed'}
      onOpen={(isOpen) => {
        if (isOpen && flow.kind === 'closed') micro.start({ kind: 'micro' });
        else if (!isOpen && flow.kind !== 'closed' && flow.kind !== 'running') micro.close();
      }}
      paneRef={pane}
      testId="tool-results"
    >
      <div
        class="pane-body"
        data-testid="micro"
        data-outcome={flow.kind}
        data-settled={flow.kind !== 'shown' || flow.settled}
        aria-busy={flow.kind === 'planning' || flow.kind === 'running'}
      >
        <Body flow={flow} />
      </div>
    </Pane>
  );
}

function Body({ flow }: { readonly flow: Flow<MicroPlan> }): VNode | null {
  const { micro } = useStore();
  const { t } = useWords();
  switch (flow.kind) {
    case 'closed':
      return null;
    case 'planning':
      return <p class="muted">{t('preview.planning')}</p>;
    case 'refused':
      return <p data-testid="micro-refusal">{flow.message}</p>;
    case 'broken':
      return (
        <>
          <p class="note note-error">{t('preview.failed', { reason: flow.message })}</p>
          <div class="buttons">
            <Button onClick={() => micro.preview(flow.request)}>{t('preview.again')}</Button>
          </div>
        </>
      );
    case 'shown':
      return <MicroForm flow={flow} />;
    case 'running':
      return (
        <>
          <ProgressStrip progress={flow.progress} cancelling={flow.cancelling} onCancel={micro.cancel} />
          <PlanSizes plan={flow.plan} />
        </>
      );
    case 'written':
      return <RunResult key={flow.run.newSessionId} run={flow.run} onClose={micro.close} />;
  }
}
