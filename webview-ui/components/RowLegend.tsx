import type { VNode } from 'preact';
import type { ViewMeasurement } from '../../src/core/protocol/viewModel';
import { useStore, useWords } from '../context';
import { SIGNS } from '../format';
import { Icon } from './Icon';

const SHOWN: readonly ViewMeasurement[] = ['reported', 'estimate', 'lowerBound', 'derived'];

/** Explains the marks of the list and the signs of the numbers. */
export function RowLegend(): VNode {
  const { compaction, session } = useStore();
  const { t } = useWords();
  const flow = compaction.flow.value;
  const view = session.value;
  const hasOut = view !== undefined && view.rows.activeCount < view.rows.count;
  const hasKept = view?.boundaries.some((boundary) => (boundary.preserved?.count ?? 0) > 0) === true;
  return (
    <ul class="legend">
      {hasOut ? (
        <li class="legend-out">
          <Icon name="assistant" /> {t('row.outOfContext')}
        </li>
      ) : null}
      {hasKept ? (
        <li>
          <span class="row-kept" /> {t('row.preserved')}
        </li>
      ) : null}
      {flow.kind === 'shown' || flow.kind === 'running' ? (
        <li>
          <span class="legend-planned" /> {t('row.toBeSummarized')}
        </li>
      ) : null}
      {SHOWN.map((measurement) => (
        <li key={measurement} title={t(`signHint.${measurement}`)}>
          <span class="sign" aria-hidden="true">
            {SIGNS[measurement]}
          </span>{' '}
          {t(`sign.${measurement}`)}
        </li>
      ))}
    </ul>
  );
}
