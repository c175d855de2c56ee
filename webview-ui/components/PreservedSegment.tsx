import type { VNode } from 'preact';
import { useWords } from '../context';
import { segmentCells } from '../segmentCells';

export interface PreservedSegmentProps {
  readonly summarized: number;
  readonly preserved: number;
  readonly direction: 'from' | 'upTo' | null;
}

/** The messages before a boundary as a row of cells: outlined ones were summarized, filled ones were carried over. */
export function PreservedSegment({ summarized, preserved, direction }: PreservedSegmentProps): VNode | null {
  const { t, exact } = useWords();
  const cells = segmentCells(summarized, preserved, direction === 'from' ? 'head' : 'tail');
  if (cells.length === 0) return null;
  const counts = { summarized: exact(summarized), preserved: exact(preserved) };
  return (
    <div class="segment-cells">
      <div class="cells" role="img" aria-label={t('boundary.cells', counts)}>
        {cells.map((isKept, index) => (
          <span key={index} class={isKept ? 'is-kept' : undefined} />
        ))}
      </div>
      <p class="cells-legend">
        <span>
          <span class="cell" aria-hidden="true" /> {t('boundary.summarizedCount', { count: counts.summarized })}
        </span>
        <span>
          <span class="cell is-kept" aria-hidden="true" /> {t('boundary.preservedCount', { count: counts.preserved })}
        </span>
      </p>
    </div>
  );
}
