import type { VNode } from 'preact';
import type { ProjectionItemView, ProjectionView } from '../../src/core/protocol/boundaryReportView';
import { useWords } from '../context';
import { Outside } from './Outside';
import { RowLink } from './RowLink';
import { Tokens } from './Tokens';
import { useGridKeys, type GridKeys } from './useGridKeys';

/** The tool results of the context with what a projection would make of each, and why. One tab stop. */
export function ProjectionList({ projection }: { readonly projection: ProjectionView }): VNode {
  const { t, exact } = useWords();
  const { items, resultCount } = projection;
  const grid = useGridKeys<HTMLDivElement>(items.length);
  return (
    <div
      class="projection-list"
      role="grid"
      aria-label={t('projection.list')}
      ref={grid.ref}
      onKeyDown={grid.onKeyDown}
      onFocusIn={grid.onFocusIn}
    >
      {items.map((item, row) => (
        <Item key={item.toolUseId} item={item} row={row} grid={grid} />
      ))}
      {resultCount > items.length ? (
        <div role="row" class="muted projection-more">
          <span role="gridcell">{t('projection.more', { count: exact(resultCount - items.length) })}</span>
        </div>
      ) : null}
    </div>
  );
}

interface ItemProps {
  readonly item: ProjectionItemView;
  readonly row: number;
  readonly grid: GridKeys<HTMLDivElement>;
}

function Item({ item, row, grid }: ItemProps): VNode {
  const { t } = useWords();
  const { tool, about, index, form, keptBecause, tokensBefore, tokensAfter } = item;
  const isWhole = form === 'whole';
  return (
    <div role="row" class={isWhole ? 'projection-row is-whole' : 'projection-row'} data-form={form} data-because={keptBecause ?? undefined}>
      <span role="gridcell">
        <RowLink index={index} label={t('projection.show', { index })} cell={grid.cell(row, 0)} />
      </span>
      <span role="gridcell" class="projection-what">
        <Outside text={tool} />{' '}
        <span class="muted">
          <Outside text={about} />
        </span>
        <span class="projection-why">
          {isWhole ? (keptBecause === null ? '' : t(`projectionKept.${keptBecause}`)) : t(`projectionForm.${form}`)}
        </span>
      </span>
      <span role="gridcell" class="number">
        <Tokens count={tokensBefore} />
        {isWhole ? null : (
          <>
            {' → '}
            <Tokens count={tokensAfter} />
          </>
        )}
      </span>
    </div>
  );
}
