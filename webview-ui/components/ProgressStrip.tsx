import type { VNode } from 'preact';
import type { ProgressStage, ProgressView } from '../../src/core/protocol/planView';
import { useWords } from '../context';
import { Button } from '../controls';
import { Icon } from './Icon';

const STAGES: readonly ProgressStage[] = ['reading', 'summarizing', 'checking', 'writing'];

export interface ProgressStripProps {
  /** Undefined until the first stage is reported. */
  readonly progress: ProgressView | undefined;
  readonly cancelling: boolean;
  readonly onCancel: () => void;
}

/** How far a run has come: its four stages in words, what has arrived, and the way out. */
export function ProgressStrip({ progress, cancelling, onCancel }: ProgressStripProps): VNode {
  const { t, plural } = useWords();
  const stage = progress?.stage ?? 'reading';
  const at = STAGES.indexOf(stage);
  return (
    <div class="progress" data-testid="progress" data-stage={stage}>
      <p role="status">{cancelling ? t('run.cancelling') : `${t(`run.${stage}`)}…`}</p>
      <div class="progress-track" aria-hidden="true">
        {STAGES.map((name, index) => (
          <span key={name} class={index < at ? 'is-done' : index === at ? 'is-now' : undefined} />
        ))}
      </div>
      <ol class="progress-stages">
        {STAGES.map((name, index) => (
          <li key={name} aria-current={index === at ? 'step' : undefined} class={index > at ? 'muted' : undefined}>
            <Icon name={index < at ? 'tick' : index === at ? 'arrowRight' : 'circle'} tone={index < at ? 'normal' : 'muted'} />
            {t(`run.${name}`)}
            {name === 'summarizing' && progress !== undefined && progress.received !== null ? (
              <span class="muted" data-testid="received">
                {plural('run.received', progress.received)}
              </span>
            ) : null}
          </li>
        ))}
      </ol>
      <div class="buttons">
        <Button testId="cancel" disabled={cancelling} onClick={onCancel}>
          {t('preview.cancel')}
        </Button>
      </div>
      <p class="hint">{t('preview.neverChanged')}</p>
    </div>
  );
}
