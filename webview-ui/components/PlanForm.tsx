import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { SummarizerChoice } from '../../src/core/protocol/viewModel';
import { putBackOf } from '../compaction';
import { useStore, useWords } from '../context';
import { Button, Divider } from '../controls';
import type { ShownPlan, SummaryPlan } from '../flow';
import { visibleText } from '../outsideText';
import type { RunOptions } from '../planning';
import { PlanNotices } from './PlanNotices';
import { needsSetup, SummarizerFields } from './SummarizerFields';

/** How the plan that is shown is to be run, and the buttons that run it, copy it for another agent, or show what a model would get. */
export function PlanForm({ flow }: { readonly flow: ShownPlan<SummaryPlan> }): VNode {
  const { compaction, settings, act } = useStore();
  const { t, plural } = useWords();
  const prompt = usePrompt();
  const { plan, outdated, settled } = flow;
  const summarizer = compaction.summarizer.value;
  const isReady = !outdated && settled && !needsSetup(settings.value, summarizer);
  const putBack = putBackOf(plan.lost, compaction.ticked.value);
  const { canAct } = settings.value;
  const optionsFor = (by: SummarizerChoice): RunOptions => ({
    summarizer: by,
    instructions: by === 'offline' ? '' : compaction.instructions.value,
    detail: compaction.detail.value,
    putBack,
  });
  const copyPrompt = (): void => prompt.copy(plan.planId, optionsFor(summarizer));
  return (
    <>
      <Divider />
      <SummarizerFields plan={plan} />
      <PlanNotices
        notice={flow.notice}
        outdated={outdated}
        onAgain={() => compaction.preview(flow.request)}
        onOffline={() => compaction.run(optionsFor('offline'))}
        onPrompt={copyPrompt}
      />
      <div class="buttons">
        <Button primary testId="create-copy" disabled={!canAct || !isReady} onClick={() => compaction.run(optionsFor(summarizer))}>
          {putBack.length === 0 ? t('preview.create') : plural('preview.createWith', putBack.length)}
        </Button>
        <Button
          testId="copy-prompt"
          title={t('prompt.hint')}
          disabled={!isReady || prompt.isBusy || (summarizer !== 'offline' && !canAct)}
          onClick={copyPrompt}
        >
          {t('prompt.copy')}
        </Button>
        {summarizer === 'offline' ? null : (
          <Button
            testId="preview-request"
            title={t('prompt.requestHint')}
            disabled={outdated || !settled}
            onClick={() =>
              act((client, handle) =>
                client.request('compaction/request', { handle, planId: plan.planId, instructions: compaction.instructions.value }),
              )
            }
          >
            {t('prompt.request')}
          </Button>
        )}
        <Button testId="cancel" onClick={compaction.cancel}>
          {t('preview.cancel')}
        </Button>
      </div>
      <p class="hint" role="status" data-testid="prompt-said">
        {prompt.said}
      </p>
      <p class="hint">{canAct ? t('preview.neverChanged') : t('preview.untrusted')}</p>
    </>
  );
}

interface Prompt {
  readonly isBusy: boolean;
  /** What came of the last try. */
  readonly said: string;
  readonly copy: (planId: string, options: RunOptions) => void;
}

/** Copies the new context for another agent; a model may take a while for it. */
function usePrompt(): Prompt {
  const { act } = useStore();
  const { t } = useWords();
  const [isBusy, setBusy] = useState(false);
  const [said, say] = useState('');
  return {
    isBusy,
    said,
    copy(planId, { summarizer, instructions, detail, putBack }) {
      setBusy(true);
      say(t('prompt.working'));
      act((client, handle) =>
        client
          .request('compaction/prompt', { handle, planId, summarizer, instructions, detail, putBack })
          .then(
            ({ message }) => say(visibleText(message)),
            (error: unknown) => {
              say('');
              throw error;
            },
          )
          .finally(() => setBusy(false)),
      );
    },
  };
}
