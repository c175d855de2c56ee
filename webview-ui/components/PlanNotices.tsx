import type { VNode } from 'preact';
import { useWords } from '../context';
import type { Notice } from '../flow';
import { Icon } from './Icon';

/** Code of a refusal of a format that has no writer: the text can still be had. */
const CANNOT_BE_WRITTEN = 'notSupported';

export interface PlanNoticesProps {
  readonly notice: Notice | undefined;
  readonly outdated: boolean;
  readonly onAgain: () => void;
  /** Uses the offline summary in place of a model's; without it there is no such way. */
  readonly onOffline?: () => void;
  readonly onPrompt?: () => void;
}

/** What came of the last try, with the way on from it, and whether the plan still fits. */
export function PlanNotices({ notice, outdated, onAgain, onOffline, onPrompt }: PlanNoticesProps): VNode {
  const { t } = useWords();
  return (
    <div role="status">
      {notice === undefined ? null : (
        <p class={notice.outcome === 'failed' ? 'note note-error' : 'note'} data-testid="notice">
          <Icon name={notice.outcome === 'failed' ? 'cross' : 'info'} />
          <span>
            {notice.outcome === 'cancelled'
              ? t('run.cancelled')
              : notice.outcome === 'failed'
                ? t('run.failed', { reason: notice.message })
                : notice.message}
            {notice.offerOffline && onOffline !== undefined ? (
              <>
                {' '}
                <button type="button" class="link" data-testid="use-offline" onClick={onOffline}>
                  {t('run.useOffline')}
                </button>
              </>
            ) : null}
            {notice.code === CANNOT_BE_WRITTEN && onPrompt !== undefined ? (
              <>
                {' '}
                <button type="button" class="link" data-testid="prompt-instead" onClick={onPrompt}>
                  {t('prompt.copy')}
                </button>
              </>
            ) : null}
          </span>
        </p>
      )}
      {outdated ? (
        <p class="note" data-testid="outdated">
          <Icon name="info" />
          <span>
            {t('preview.outdated')}{' '}
            <button type="button" class="link" onClick={onAgain}>
              {t('preview.again')}
            </button>
          </span>
        </p>
      ) : null}
    </div>
  );
}
