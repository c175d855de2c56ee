import type { Signal } from '@preact/signals';
import type { VNode } from 'preact';
import type { LostItemView, LostKindView, LostView } from '../../src/core/protocol/planView';
import { lostKey } from '../compaction';
import { useStore, useWords } from '../context';
import { Badge } from '../controls';
import { visibleText } from '../outsideText';
import { Icon } from './Icon';
import { Outside } from './Outside';
import { useGridKeys, type GridKeys } from './useGridKeys';

export interface LostListProps {
  readonly lost: LostView;
  /** `preview` tells of the offline summary, `after` of a copy that was written, `past` of a compaction that an agent made. */
  readonly when: 'preview' | 'after' | 'past';
  /** Tells this list from another one of the same kind on the page. */
  readonly id?: string;
  /** A model is to write the summary, which may lose other things. */
  readonly isModel?: boolean;
  /** Keys of the items that are ticked to be put back; without it there is nothing to tick. */
  readonly ticked?: Signal<ReadonlySet<string>> | undefined;
}

const TITLES = { preview: 'lost.title', after: 'lost.titleAfter', past: 'lost.titlePast' } as const;
const NONE = { preview: 'lost.none', after: 'lost.noneAfter', past: 'lost.nonePast' } as const;

/** What a compaction loses, by kind with counts; each value leads to its message, and can be ticked to be put back. One tab stop. */
export function LostList({ lost, when, id = when, isModel = false, ticked }: LostListProps): VNode {
  const { t, exact } = useWords();
  const count = lost.groups.reduce((sum, { items }) => sum + items.length, 0);
  const grid = useGridKeys<HTMLDivElement>(count);
  if (lost.count === 0) {
    return (
      <p class="hint" data-testid="lost" data-count={0}>
        {t(NONE[when])}
      </p>
    );
  }
  const title = t(TITLES[when]);
  let row = 0;
  return (
    <details class="fold" data-testid="lost" data-count={lost.count}>
      <summary>
        <Icon name="chevron" />
        {title} <Badge>{exact(lost.count)}</Badge>
      </summary>
      <p class="hint">{t(when === 'past' ? 'lost.hintPast' : isModel ? 'lost.hintModel' : 'lost.hint')}</p>
      {ticked === undefined ? null : <p class="hint">{t(when === 'after' ? 'lost.putBackHintAfter' : 'lost.putBackHint')}</p>}
      <div class="lost" role="grid" aria-label={title} ref={grid.ref} onKeyDown={grid.onKeyDown} onFocusIn={grid.onFocusIn}>
        {lost.groups.map(({ kind, count: all, items }) => (
          <div key={kind} role="rowgroup" aria-labelledby={`lost-${id}-${kind}`} data-kind={kind}>
            <div role="row" class="lost-head">
              <span role="gridcell" id={`lost-${id}-${kind}`}>
                {t(`lost.${kind}`)} <span class="muted">{exact(all)}</span>
              </span>
            </div>
            {items.map((item) => (
              <Item key={lostKey(kind, item)} kind={kind} item={item} row={row++} grid={grid} ticked={ticked} />
            ))}
            {all > items.length ? (
              <div role="row" class="lost-row is-more muted">
                <span role="gridcell">{t('lost.more', { count: exact(all - items.length) })}</span>
              </div>
            ) : null}
          </div>
        ))}
      </div>
    </details>
  );
}

interface ItemProps {
  readonly kind: LostKindView;
  readonly item: LostItemView;
  readonly row: number;
  readonly grid: GridKeys<HTMLDivElement>;
  readonly ticked: LostListProps['ticked'];
}

function Item({ kind, item, row, grid, ticked }: ItemProps): VNode {
  const { selection } = useStore();
  const { t } = useWords();
  const { index, value } = item;
  const key = lostKey(kind, item);
  const isTicked = ticked?.value.has(key) === true;
  const toggle = (): void => {
    if (ticked === undefined) return;
    const next = new Set(ticked.value);
    if (!next.delete(key)) next.add(key);
    ticked.value = next;
  };
  return (
    <div role="row" class={ticked === undefined ? 'lost-row' : 'lost-row can-tick'}>
      {ticked === undefined ? null : (
        <span role="gridcell">
          <input
            type="checkbox"
            {...grid.cell(row, 0)}
            checked={isTicked}
            aria-label={t('lost.putBack', { value: visibleText(value) })}
            title={t('lost.putBackShort')}
            onChange={toggle}
          />
        </span>
      )}
      <span role="gridcell">
        {index === null ? null : (
          <button
            type="button"
            class="link number"
            {...grid.cell(row, ticked === undefined ? 0 : 1)}
            title={t('lost.show', { index })}
            aria-label={t('lost.show', { index })}
            onClick={() => selection.show(index)}
          >
            #{index}
          </button>
        )}
      </span>
      <span role="gridcell" class="lost-value">
        <Outside text={value} />
      </span>
    </div>
  );
}
