import type { VNode } from 'preact';
import type { CategoryView, GaugeView } from '../../src/core/protocol/viewModel';
import { useStore, useWords } from '../context';
import { CATEGORY_ORDER } from '../gaugeLayout';
import { Box } from './Box';
import { fillClass } from './CategoryBar';
import { Sign, Tokens } from './Tokens';

/** Smaller shares of the window, in percent, are not told apart. */
const LEAST_SHARE = 0.1;

/** What the bar shows, as a table of real text: tokens, share of the window, and where the number comes from. */
export function CategoryTable({ gauge, categories }: { readonly gauge: GaugeView; readonly categories: readonly CategoryView[] }): VNode {
  const { t } = useWords();
  const filled = [...categories]
    .filter((part) => part.tokens > 0)
    .sort((a, b) => CATEGORY_ORDER.indexOf(a.category) - CATEGORY_ORDER.indexOf(b.category));
  const rest = restOf(gauge);
  return (
    <div class="fills">
      <h2 class="label" id="fills-title">
        {t('fills.title')}
      </h2>
      <div role="table" aria-labelledby="fills-title" class={gauge.windowTokens === null ? 'figures has-no-share' : 'figures'}>
        <div role="row" class="visually-hidden">
          <span role="columnheader">{t('fills.category')}</span>
          <span role="columnheader">{t('fills.tokens')}</span>
          {gauge.windowTokens === null ? null : <span role="columnheader">{t('fills.share')}</span>}
          <span role="columnheader">{t('fills.sign')}</span>
        </div>
        <Box role="rowgroup" class="figures-body" vars={{ '--rows': String(Math.ceil((filled.length + rest.length) / 2)) }}>
          {filled.map((part) => (
            <CategoryRow key={part.category} part={part} windowTokens={gauge.windowTokens} />
          ))}
          {rest.map(({ key, tokens, fill }) => (
            <div key={key} role="row" class="figure is-rest">
              <span role="cell">
                <span class={`swatch ${fill}`} aria-hidden="true" />
                {t(key)}
              </span>
              <span role="cell" class="number">
                <Tokens count={tokens} />
              </span>
              <Share tokens={tokens} windowTokens={gauge.windowTokens} />
              <span role="cell" />
            </div>
          ))}
        </Box>
      </div>
      {filled.some((part) => part.category === 'unattributed') ? <p class="hint">{t('category.unattributedHint')}</p> : null}
    </div>
  );
}

function CategoryRow({ part, windowTokens }: { readonly part: CategoryView; readonly windowTokens: number | null }): VNode {
  const { highlight } = useStore();
  const { t } = useWords();
  return (
    <div
      role="row"
      class={`figure${highlight.value === part.category ? ' is-lit' : ''}`}
      onMouseEnter={() => (highlight.value = part.category)}
      onMouseLeave={() => (highlight.value = undefined)}
    >
      <span role="cell">
        <span class={`swatch fill ${fillClass(part.category)}`} aria-hidden="true" />
        {t(`category.${part.category}`)}
      </span>
      <span role="cell" class="number">
        <Tokens count={part.tokens} />
      </span>
      <Share tokens={part.tokens} windowTokens={windowTokens} />
      <span role="cell">
        <Sign measurement={part.measurement} />
      </span>
    </div>
  );
}

/** Share of a known window; an unknown one has no such column. */
function Share({ tokens, windowTokens }: { readonly tokens: number; readonly windowTokens: number | null }): VNode | null {
  const { percent } = useWords();
  if (windowTokens === null) return null;
  const share = (tokens / windowTokens) * 100;
  return (
    <span role="cell" class="number muted">
      {share > 0 && share < LEAST_SHARE ? `<${percent(LEAST_SHARE, 1)}` : percent(share, 1)}
    </span>
  );
}

interface Rest {
  readonly key: 'gauge.free' | 'gauge.freeWindow' | 'gauge.buffers';
  readonly tokens: number;
  readonly fill: string;
}

/** What is left of a known window, so that the table adds up to it: room until the blocking limit, and what lies behind that. */
function restOf({ windowTokens, limits, usedTokens }: GaugeView): readonly Rest[] {
  if (windowTokens === null) return [];
  const blocked = limits.find((limit) => limit.kind === 'blocked')?.at;
  const end = blocked ?? windowTokens;
  const free = Math.max(0, end - usedTokens);
  const behind = Math.max(0, windowTokens - Math.max(end, usedTokens));
  const rest: Rest[] = [{ key: blocked === undefined ? 'gauge.freeWindow' : 'gauge.free', tokens: free, fill: 'swatch-free' }];
  if (behind > 0) rest.push({ key: 'gauge.buffers', tokens: behind, fill: 'swatch-reserve' });
  return rest;
}
