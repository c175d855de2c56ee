import type { VNode } from 'preact';
import type { ViewMeasurement } from '../../src/core/protocol/viewModel';
import { useStore, useWords } from '../context';
import { SIGNS } from '../format';

const SHOWN: readonly ViewMeasurement[] = ['reported', 'estimate', 'lowerBound', 'derived'];

/** Explains the marks of the list and the signs of the numbers. */
export function RowLegend(): VNode {
  const { compaction } = useStore();
  const { t } = useWords();
  const flow = compaction.flow.value;
  return (
    <ul class="legend">
      <li>
        <span class="legend-out">12</span> {t('row.outOfContext')}
      </li>
      <li>
        <span class="row-kept" /> {t('row.preserved')}
      </li>
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
