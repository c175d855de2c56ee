import type { VNode } from 'preact';
import type { BoundaryReportView, RefillItemView } from '../../src/core/protocol/boundaryReportView';
import { useWords } from '../context';
import { Outside } from './Outside';
import { RowLink } from './RowLink';
import { Tokens } from './Tokens';
import { useGridKeys, type GridKeys } from './useGridKeys';

/** What filled the context again after a compaction: each thing leads to its message, and to the one that held the same before. One tab stop. */
export function BoundaryRefill({ refill }: Pick<BoundaryReportView, 'refill'>): VNode {
  const { t, plural, tokens } = useWords();
  const grid = useGridKeys<HTMLDivElement>(refill?.items.length ?? 0);
  if (refill === null) {
    return (
      <p class="hint" data-testid="came-back" data-count={0}>
        {t('back.none')}
      </p>
    );
  }
  return (
    <section class="report-part" aria-label={t('back.title')} data-testid="came-back" data-count={refill.items.length}>
      <p class="report-head">{t('back.title')}</p>
      <p class="hint">{plural('back.total', refill.turns, { tokens: tokens(refill.tokens) })}</p>
      <div class="came-back" role="grid" aria-label={t('back.title')} ref={grid.ref} onKeyDown={grid.onKeyDown} onFocusIn={grid.onFocusIn}>
        {refill.items.map((item, row) => (
          <Item key={row} item={item} row={row} grid={grid} />
        ))}
      </div>
    </section>
  );
}

function Item({
  item,
  row,
  grid,
}: {
  readonly item: RefillItemView;
  readonly row: number;
  readonly grid: GridKeys<HTMLDivElement>;
}): VNode {
  const { t } = useWords();
  const { cause, about, index, sameAsIndex } = item;
  return (
    <div role="row" class="came-back-row" data-cause={cause}>
      <span role="gridcell">
        <RowLink index={index} label={t('report.show', { index })} cell={grid.cell(row, 0)} />
      </span>
      <span role="gridcell" class="came-back-what">
        {t(`back.${cause}`)}
        {about === '' ? null : (
          <>
            {': '}
            <span class="muted">
              <Outside text={about} />
            </span>
          </>
        )}
        {sameAsIndex === null ? null : (
          <span class="came-back-same">
            {' '}
            {t('back.same')} <RowLink index={sameAsIndex} label={t('back.showSame', { index: sameAsIndex })} cell={grid.cell(row, 1)} />
          </span>
        )}
      </span>
      <span role="gridcell" class="number">
        <Tokens count={item.tokens} />
      </span>
    </div>
  );
}
