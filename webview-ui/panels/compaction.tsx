import type { RefObject, VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { SummarizerChoice } from '../../src/core/protocol/viewModel';
import type { PlanRequestView } from '../../src/core/protocol/planView';
import type { Flow } from '../compaction';
import { KeepField } from '../components/KeepField';
import { PlanForm } from '../components/PlanForm';
import { PlanPreview } from '../components/PlanPreview';
import { ProgressStrip } from '../components/ProgressStrip';
import { RunResult } from '../components/RunResult';
import { useStore, useWords } from '../context';
import { Button } from '../controls';
import { EVERYWHERE, type Panel } from '../panel';
import type { Words } from '../words';

export const compaction: Panel = { id: 'compaction', titleKey: 'preview.title', place: 'side', surfaces: EVERYWHERE, view: Compaction };

function Compaction(): VNode | null {
  const store = useStore();
  const words = useWords();
  const heading = useRef<HTMLHeadingElement>(null);
  const flow = store.compaction.flow.value;
  const opened = store.compaction.opened.value;
  // The summarizer and the instructions outlive a preview, so that trying another cut does not lose them.
  const [chosen, setChosen] = useState<SummarizerChoice | undefined>(undefined);
  const [instructions, setInstructions] = useState('');
  useFocus(heading, opened, flow.kind === 'closed');

  if (flow.kind === 'closed') return null;
  const summarizer = chosen ?? store.settings.value.summarizer;
  const numbers = numbersOf(flow);
  return (
    <section
      class="card pane preview"
      aria-labelledby="preview-title"
      aria-busy={flow.kind === 'planning' || flow.kind === 'running'}
      data-testid="preview"
      data-outcome={outcomeOf(flow)}
      data-before={numbers?.before}
      data-after={numbers?.after}
    >
      <div class="pane-head">
        <h2 id="preview-title" ref={heading} tabIndex={-1}>
          {titleOf(flow, words)}
        </h2>
      </div>
      <div class="pane-body">
        <Body flow={flow} summarizer={summarizer} instructions={instructions} onSummarizer={setChosen} onInstructions={setInstructions} />
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

interface BodyProps {
  readonly flow: Exclude<Flow, { kind: 'closed' }>;
  readonly summarizer: SummarizerChoice;
  readonly instructions: string;
  readonly onSummarizer: (choice: SummarizerChoice) => void;
  readonly onInstructions: (text: string) => void;
}

function Body({ flow, ...form }: BodyProps): VNode {
  const { compaction: actions } = useStore();
  const { t } = useWords();
  switch (flow.kind) {
    case 'planning':
      return <p class="muted">{t('preview.planning')}</p>;
    case 'refused':
      return (
        <>
          <p data-testid="refusal">{flow.message}</p>
          {flow.request.kind === 'full' ? <KeepField request={flow.request} /> : null}
          <div class="buttons">
            <Button testId="cancel" onClick={actions.close}>
              {t('preview.close')}
            </Button>
          </div>
        </>
      );
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
          <PlanPreview plan={flow.plan} summarizer={form.summarizer} />
          <PlanForm flow={flow} {...form} />
        </>
      );
    case 'running':
      return (
        <>
          <ProgressStrip progress={flow.progress} cancelling={flow.cancelling} />
          <PlanPreview plan={flow.plan} summarizer={form.summarizer} />
        </>
      );
    case 'written':
      return <RunResult run={flow.run} />;
  }
}

function outcomeOf(flow: Flow): string {
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

function numbersOf(flow: Flow): { readonly before: number; readonly after: number } | undefined {
  if (flow.kind === 'shown' || flow.kind === 'running') return { before: flow.plan.tokensBefore, after: flow.plan.tokensAfter };
  return flow.kind === 'written' ? { before: flow.run.tokensBefore, after: flow.run.tokensAfter } : undefined;
}

function titleOf(flow: Exclude<Flow, { kind: 'closed' }>, { t }: Words): string {
  if (flow.kind === 'running') return t('run.title');
  if (flow.kind === 'written') return t('run.written');
  const pivot = flow.kind === 'shown' ? flow.plan.pivotIndex : null;
  return requestTitle(flow.request, pivot, t);
}

function requestTitle(request: PlanRequestView, pivot: number | null, t: Words['t']): string {
  if (request.kind === 'full') return t('preview.full');
  if (pivot === null) return t('preview.title');
  return t(request.kind === 'partialUpTo' ? 'preview.upTo' : 'preview.from', { index: pivot });
}
