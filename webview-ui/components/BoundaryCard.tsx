import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { BoundaryView } from '../../src/core/protocol/viewModel';
import { useStore, useWords } from '../context';
import { visibleText } from '../outsideText';
import { triggerText } from '../triggerText';
import type { Words } from '../words';
import { BoundaryReport } from './BoundaryReport';
import { Icon } from './Icon';
import { OutsideBlock } from './Outside';
import { PreservedSegment } from './PreservedSegment';
import { RowLink } from './RowLink';
import { Sign } from './Tokens';

export interface BoundaryCardProps {
  readonly boundary: BoundaryView;
  readonly isLatest: boolean;
  /** Set, and set anew, when the card is to be brought into view. */
  readonly shownAt: number | undefined;
}

/** All that is known of one compaction of the past. */
export function BoundaryCard({ boundary, isLatest, shownAt }: BoundaryCardProps): VNode {
  const { selection } = useStore();
  const words = useWords();
  const { t } = words;
  const ref = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const card = ref.current;
    if (shownAt === undefined || card === null) return;
    card.open = true;
    card.scrollIntoView({ block: 'nearest' });
    card.querySelector('summary')?.focus({ preventScroll: true });
  }, [shownAt]);
  return (
    <details class="boundary" open={isLatest} ref={ref} data-testid="boundary" data-valid={boundary.valid}>
      <summary>
        <Icon name="chevron" />
        <h3>{t('boundary.title', { index: boundary.rowIndex })}</h3>
        <span class="muted">{triggerText(boundary.trigger, words)}</span>
        <span class="muted boundary-sizes">{sizes(boundary, words)}</span>
        {boundary.valid ? null : <Icon name="cross" tone="error" />}
      </summary>
      <Facts boundary={boundary} words={words} />
      <PreservedSegment
        summarized={boundary.summarizedCount}
        preserved={boundary.preserved?.count ?? 0}
        direction={boundary.preserved?.direction ?? null}
      />
      {boundary.summary === null ? null : (
        <details class="fold">
          <summary>
            <Icon name="chevron" />
            {t('boundary.summaryText')}
          </summary>
          <OutsideBlock text={boundary.summary} label={t('boundary.summaryText')} limit={4000} />
        </details>
      )}
      <BoundaryReport boundary={boundary} shownAt={shownAt} />
      <button type="button" class="link" onClick={() => selection.show(boundary.rowIndex)}>
        {t('boundary.showRow')}
      </button>
    </details>
  );
}

function Facts({ boundary, words }: { readonly boundary: BoundaryView; readonly words: Words }): VNode {
  const { t, plural, exact, duration, time } = words;
  const { preserved } = boundary;
  const unknown = <span class="muted">{t('boundary.notRecorded')}</span>;
  return (
    <dl class="facts">
      <Fact name={t('boundary.trigger')}>{triggerText(boundary.trigger, words)}</Fact>
      {boundary.timestamp === null ? null : <Fact name={t('boundary.time')}>{visibleText(time(boundary.timestamp))}</Fact>}
      <Fact name={t('boundary.before')}>
        {boundary.preTokens === null ? (
          unknown
        ) : (
          <>
            {exact(boundary.preTokens)} <Sign measurement="reported" /> <span class="muted">{t('boundary.recorded')}</span>
          </>
        )}
      </Fact>
      <Fact name={t('boundary.after')}>
        {boundary.postTokens === null ? (
          unknown
        ) : (
          <>
            {exact(boundary.postTokens)} <Sign measurement="reported" /> <span class="muted">{t('boundary.recorded')}</span>
          </>
        )}
      </Fact>
      <Fact name={t('boundary.summary')}>
        {boundary.summaryTokens === null ? (
          unknown
        ) : (
          <>
            {exact(boundary.summaryTokens)} <Sign measurement="estimate" /> <span class="muted">{t('sign.estimate')}</span>
          </>
        )}
      </Fact>
      <Fact name={t('boundary.duration')}>{boundary.durationMs === null ? unknown : duration(boundary.durationMs)}</Fact>
      <Fact name={t('boundary.preserved')}>
        {preserved === null || preserved.count === 0
          ? t('boundary.noPreserved')
          : preserved.direction === null
            ? plural('count.messages', preserved.count)
            : plural(preserved.direction === 'from' ? 'boundary.preservedFrom' : 'boundary.preservedUpTo', preserved.count)}{' '}
        {preserved === null || preserved.startIndex === null ? null : (
          <RowLink index={preserved.startIndex} label={t('report.firstKept', { index: preserved.startIndex })} />
        )}
      </Fact>
      <Fact name={t('boundary.check')}>
        <Icon name={boundary.valid ? 'tick' : 'cross'} tone={boundary.valid ? 'normal' : 'error'} />{' '}
        {t(boundary.valid ? 'boundary.valid' : 'boundary.invalid')}
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }): VNode {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function sizes({ preTokens, postTokens }: BoundaryView, { tokens }: Words): string {
  if (preTokens === null && postTokens === null) return '';
  return `${preTokens === null ? '?' : tokens(preTokens)} → ${postTokens === null ? '?' : tokens(postTokens)}`;
}
