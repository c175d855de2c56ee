import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { BoundaryReportView } from '../../src/core/protocol/boundaryReportView';
import type { BoundaryView } from '../../src/core/protocol/viewModel';
import { useWords } from '../context';
import { Button } from '../controls';
import { useAsked } from '../useAsked';
import { BoundaryFaults } from './BoundaryFaults';
import { BoundaryRefill } from './BoundaryRefill';
import { BoundarySizes } from './BoundarySizes';
import { Icon } from './Icon';
import { LostList } from './LostList';
import { RowLink } from './RowLink';

export interface BoundaryReportProps {
  readonly boundary: BoundaryView;
  /** Set, and set anew, when the report is to be opened. */
  readonly shownAt: number | undefined;
}

/** What a compaction of the past did; worked out when it is opened. */
export function BoundaryReport({ boundary, shownAt }: BoundaryReportProps): VNode {
  const { t } = useWords();
  const [isOpen, setOpen] = useState(shownAt !== undefined);
  useEffect(() => {
    if (shownAt !== undefined) setOpen(true);
  }, [shownAt]);
  const { index } = boundary;
  const { answer, again } = useAsked(isOpen, boundary.id, (client, handle, signal) =>
    client.request('boundary/report', { handle, index }, signal),
  );
  return (
    <details
      class="fold report"
      open={isOpen}
      data-testid="report"
      data-state={answer?.kind ?? 'closed'}
      aria-busy={answer?.kind === 'waiting'}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <Icon name="chevron" />
        {t('report.title')}
      </summary>
      {answer === undefined ? null : answer.kind === 'waiting' ? (
        <p class="muted" role="status">
          {t('report.loading')}
        </p>
      ) : answer.kind === 'failed' ? (
        <>
          <p class="note note-error" role="alert">
            <Icon name="cross" tone="error" />
            {t('report.failed', { reason: answer.reason })}
          </p>
          <div class="buttons">
            <Button testId="report-retry" onClick={again}>
              {t('report.retry')}
            </Button>
          </div>
        </>
      ) : (
        <Body report={answer.value} hasSummary={boundary.summary !== null} onAgain={again} />
      )}
    </details>
  );
}

interface BodyProps {
  readonly report: BoundaryReportView;
  readonly hasSummary: boolean;
  readonly onAgain: () => void;
}

function Body({ report, hasSummary, onAgain }: BodyProps): VNode {
  const { t, plural } = useWords();
  return (
    <div class="report-body">
      <BoundarySizes report={report} />
      <ul class="report-counts">
        {report.tokensBefore === 0 ? null : <li>{plural(hasSummary ? 'report.summarized' : 'report.cut', report.summarizedCount)}</li>}
        {report.keptCount === 0 ? null : <li>{plural('report.kept', report.keptCount)}</li>}
        {report.clearedCount === 0 ? null : (
          <li data-testid="cleared">
            {plural('report.cleared', report.clearedCount)}{' '}
            {report.clearedRows.map((row) => (
              <span key={row}>
                <RowLink index={row} label={t('report.show', { index: row })} />{' '}
              </span>
            ))}
          </li>
        )}
      </ul>
      {report.ofSummary ? (
        <p class="note note-warning" data-testid="of-summary">
          <Icon name="alert" tone="warning" />
          {t('report.ofSummary')}
        </p>
      ) : null}
      <BoundaryFaults faults={report.faults} />
      {report.lost === null ? (
        <p class="hint" data-testid="lost-unknown">
          {t(report.faults.some(({ kind }) => kind === 'missingSummary') ? 'lost.unknownMissing' : 'lost.unknownHidden')}
        </p>
      ) : (
        <LostList lost={report.lost} when="past" id={`past-${report.index}`} />
      )}
      <BoundaryRefill refill={report.refill} />
      <button type="button" class="link" onClick={onAgain}>
        {t('report.again')}
      </button>
    </div>
  );
}
