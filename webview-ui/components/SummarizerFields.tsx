import type { VNode } from 'preact';
import type { SummaryDetail } from '../../src/core/protocol/planView';
import type { SummarizerChoice, UiSettings } from '../../src/core/protocol/viewModel';
import { useStore, useWords } from '../context';
import { Dropdown, TextArea } from '../controls';
import type { SummaryPlan } from '../flow';
import { visibleText } from '../outsideText';
import { Icon } from './Icon';

const DETAILS: readonly SummaryDetail[] = ['brief', 'normal', 'full'];

/** Who summarizes, how much the summary may tell, and what a model is told and sent. */
export function SummarizerFields({ plan }: { readonly plan: SummaryPlan }): VNode {
  const { compaction, settings, act } = useStore();
  const { t, tokens } = useWords();
  const summarizer = compaction.summarizer.value;
  const labels = { vscode: summarizerLabel(settings.value, 'vscode'), openai: summarizerLabel(settings.value, 'openai') };
  const label = summarizerLabel(settings.value, summarizer);
  const choose = (choice: SummarizerChoice): void => {
    compaction.chooseSummarizer(choice);
    if (needsSetup(settings.value, choice)) act((client) => client.request('summarizer/select', {}));
  };
  return (
    <>
      <div class="field">
        <span id="summarizer-label">{t('preview.summarizer')}</span>
        <Dropdown
          id="summarizer"
          testId="summarizer"
          value={summarizer}
          options={[
            { value: 'offline', text: t('preview.offline') },
            { value: 'vscode', text: labels.vscode === '' ? t('preview.vscodeSetup') : t('preview.vscode', { label: labels.vscode }) },
            { value: 'openai', text: labels.openai === '' ? t('preview.openaiSetup') : t('preview.openai', { label: labels.openai }) },
          ]}
          onChange={choose}
        />
      </div>
      <div class="field">
        <span id="detail-label">{t('detail.label')}</span>
        <Dropdown
          id="detail"
          testId="detail"
          value={compaction.detail.value}
          options={DETAILS.map((value) => ({ value, text: t(`detail.${value}`) }))}
          onChange={(value) => (compaction.detail.value = value)}
        />
      </div>
      {summarizer === 'offline' || label === '' ? null : (
        <>
          <TextArea
            testId="instructions"
            value={compaction.instructions.value}
            placeholder={t('preview.instructionsHint')}
            onInput={(text) => (compaction.instructions.value = text)}
          >
            {t('preview.instructions')}
          </TextArea>
          <p class="note">
            <Icon name="info" />
            {t('preview.sends', { tokens: tokens(plan.tokensSummarized), label })}
          </p>
        </>
      )}
    </>
  );
}

/** Name of the model behind a choice; '' for the offline summary, and where none is set up. */
export function summarizerLabel({ vscodeLabel, openaiLabel }: UiSettings, choice: SummarizerChoice): string {
  return choice === 'offline' ? '' : visibleText(choice === 'vscode' ? vscodeLabel : openaiLabel);
}

/** True for a model that must be chosen first. */
export function needsSetup(settings: UiSettings, choice: SummarizerChoice): boolean {
  return choice !== 'offline' && summarizerLabel(settings, choice) === '';
}
