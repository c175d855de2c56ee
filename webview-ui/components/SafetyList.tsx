import type { VNode } from 'preact';
import type { SafetyView } from '../../src/core/protocol/planView';
import { useStore, useWords } from '../context';
import type { WindowState } from '../../src/core/protocol/viewModel';
import { Icon, type IconName } from './Icon';
import { Outside } from './Outside';
import { useGridKeys, type GridCell } from './useGridKeys';

const FATES = {
  kept: { icon: 'tick', tone: 'normal' },
  quoted: { icon: 'page', tone: 'muted' },
  atRisk: { icon: 'alert', tone: 'warning' },
} as const satisfies Record<SafetyView['fate'], { readonly icon: IconName; readonly tone: WindowState | 'muted' }>;

/** What would be missed most, with what becomes of it: what is at risk first. */
export function SafetyList({ safety }: { readonly safety: readonly SafetyView[] }): VNode | null {
  const { t } = useWords();
  const ordered = [...safety].sort((a, b) => rank(a) - rank(b));
  // Only what has a row of its own can be jumped to.
  const linked = ordered.filter(({ index }) => index !== null);
  const grid = useGridKeys<HTMLDivElement>(linked.length);
  if (ordered.length === 0) return null;
  return (
    <div class="safety" role="group" aria-labelledby="safety-title" data-testid="safety">
      <h3 id="safety-title">{t('safety.title')}</h3>
      <div
        class="safety-list"
        role="grid"
        aria-labelledby="safety-title"
        ref={grid.ref}
        onKeyDown={grid.onKeyDown}
        onFocusIn={grid.onFocusIn}
      >
        {ordered.map((item, at) => (
          <div key={at} role="row" class="safety-row" data-fate={item.fate}>
            <span role="gridcell" class="safety-fate">
              <Icon name={FATES[item.fate].icon} tone={FATES[item.fate].tone} />
              {t(`safety.${item.fate}`)}
            </span>
            <span role="gridcell" class="safety-text">
              <Jump item={item} cell={grid.cell(linked.indexOf(item), 0)} />{' '}
              <span class="muted">
                <Outside text={item.text} />
              </span>
            </span>
          </div>
        ))}
      </div>
    </div>
  );
}

function Jump({ item, cell }: { readonly item: SafetyView; readonly cell: GridCell }): VNode {
  const { selection } = useStore();
  const { t } = useWords();
  const { kind, index } = item;
  const name = t(`safety.${kind}`);
  if (index === null) return <span>{name}</span>;
  return (
    <button type="button" class="link" title={t('lost.show', { index })} {...cell} onClick={() => selection.show(index)}>
      {name} #{index}
    </button>
  );
}

function rank({ fate }: SafetyView): number {
  return fate === 'atRisk' ? 0 : fate === 'quoted' ? 1 : 2;
}
