import type { VNode } from 'preact';
import type { SummarizerChoice } from '../../src/core/protocol/viewModel';
import { putBackOf } from '../compaction';
import { useStore, useWords } from '../context';
import { Button, Divider } from '../controls';
import type { ShownPlan, SummaryPlan } from '../flow';
import type { RunOptions } from '../planning';
import { PlanNotices } from './PlanNotices';
import { usePrompt } from './usePrompt';
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
      {plan.resumable === false ? <p class="hint">{t('preview.notResumable')}</p> : null}
      <p class="hint">{canAct ? t('preview.neverChanged') : t('preview.untrusted')}</p>
    </>
  );
}
