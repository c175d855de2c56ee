import type { VNode } from 'preact';
import { useStore, useWords } from '../context';
import { Button } from '../controls';
import { usePrompt } from './usePrompt';

export interface PlanRefusalProps {
  readonly message: string;
  /** A plan that cannot be written but can be copied as a prompt. */
  readonly promptPlanId: string | undefined;
}

/** Why there is no plan to run, in its place, and what can be had all the same. */
export function PlanRefusal({ message, promptPlanId }: PlanRefusalProps): VNode {
  const { compaction } = useStore();
  const { t } = useWords();
  const prompt = usePrompt();
  const summarizer = compaction.summarizer.value;
  return (
    <>
      <p data-testid="refusal" role="status">
        {message}
      </p>
      <div class="buttons">
        {promptPlanId === undefined ? null : (
          <Button
            primary
            testId="copy-prompt"
            title={t('prompt.hint')}
            disabled={prompt.isBusy}
            onClick={() =>
              prompt.copy(promptPlanId, {
                summarizer,
                instructions: summarizer === 'offline' ? '' : compaction.instructions.value,
                detail: compaction.detail.value,
                putBack: [],
              })
            }
          >
            {t('prompt.copy')}
          </Button>
        )}
        <Button testId="cancel" onClick={compaction.close}>
          {t('preview.close')}
        </Button>
      </div>
      <p class="hint" role="status" data-testid="prompt-said">
        {prompt.said}
      </p>
    </>
  );
}
