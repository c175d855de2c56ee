import type { VNode } from 'preact';
import type { SummarizerChoice } from '../../src/core/protocol/viewModel';
import type { Flow } from '../compaction';
import { useStore, useWords } from '../context';
import { Button, Divider, Dropdown, TextArea } from '../controls';
import { visibleText } from '../outsideText';
import type { Words } from '../words';
import { Icon } from './Icon';
import { KeepField } from './KeepField';

export interface PlanFormProps {
  readonly flow: Extract<Flow, { kind: 'shown' }>;
  readonly summarizer: SummarizerChoice;
  readonly instructions: string;
  readonly onSummarizer: (choice: SummarizerChoice) => void;
  readonly onInstructions: (text: string) => void;
}

/** How the plan that is shown is to be run, and the button that runs it. */
export function PlanForm({ flow, summarizer, instructions, onSummarizer, onInstructions }: PlanFormProps): VNode {
  const { compaction, settings, act } = useStore();
  const words = useWords();
  const { t, tokens } = words;
  const { openaiLabel, vscodeLabel, canAct } = settings.value;
  const labels = { offline: '', vscode: visibleText(vscodeLabel), openai: visibleText(openaiLabel) };
  const label = labels[summarizer];
  const choose = (choice: SummarizerChoice): void => {
    onSummarizer(choice);
    if (choice !== 'offline' && labels[choice] === '') act((client) => client.request('summarizer/select', {}));
  };
  const byModel = summarizer !== 'offline';
  const needsSetup = byModel && label === '';
  return (
    <>
      <Divider />
      {flow.request.kind === 'full' ? <KeepField request={flow.request} /> : null}
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
      {byModel && !needsSetup ? (
        <>
          <TextArea testId="instructions" value={instructions} placeholder={t('preview.instructionsHint')} onInput={onInstructions}>
            {t('preview.instructions')}
          </TextArea>
          <p class="note">
            <Icon name="info" />
            {t('preview.sends', { tokens: tokens(flow.plan.tokensSummarized), label })}
          </p>
        </>
      ) : null}
      <Notices flow={flow} words={words} />
      <div class="buttons">
        <Button
          primary
          testId="create-copy"
          disabled={!canAct || flow.outdated || needsSetup}
          onClick={() => compaction.run(summarizer, byModel ? instructions : '')}
        >
          {t('preview.create')}
        </Button>
        <Button testId="cancel" onClick={compaction.cancel}>
          {t('preview.cancel')}
        </Button>
      </div>
      <p class="hint">{canAct ? t('preview.neverChanged') : t('preview.untrusted')}</p>
    </>
  );
}

/** What came of the last try, and whether the plan still fits. */
function Notices({ flow, words }: { readonly flow: PlanFormProps['flow']; readonly words: Words }): VNode {
  const { compaction } = useStore();
  const { t } = words;
  const { notice } = flow;
  return (
    <div role="status">
      {notice === undefined ? null : (
        <p class={notice.outcome === 'failed' ? 'note note-error' : 'note'} data-testid="notice">
          <Icon name={notice.outcome === 'failed' ? 'cross' : 'info'} />
          {notice.outcome === 'cancelled'
            ? t('run.cancelled')
            : notice.outcome === 'failed'
              ? t('run.failed', { reason: notice.message })
              : notice.message}
        </p>
      )}
      {flow.outdated ? (
        <p class="note" data-testid="outdated">
          <Icon name="info" />
          <span>
            {t('preview.outdated')}{' '}
            <button type="button" class="link" onClick={() => compaction.preview(flow.request)}>
              {t('preview.again')}
            </button>
          </span>
        </p>
      ) : null}
    </div>
  );
}
