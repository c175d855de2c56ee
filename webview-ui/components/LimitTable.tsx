import type { VNode } from 'preact';
import type { GaugeView } from '../../src/core/protocol/viewModel';
import { useWords } from '../context';
import { Icon, LIMIT_ICONS } from './Icon';
import { Tokens } from './Tokens';

/** The limits of the window: where each begins and how far it is. Not drawn for an unknown window, which has none. */
export function LimitTable({ gauge }: { readonly gauge: GaugeView }): VNode | null {
  const { t, tokens } = useWords();
  if (gauge.limits.length === 0) return null;
  const distance = (at: number): string => {
    const left = at - gauge.usedTokens;
    if (left === 0) return t('limits.reached');
    return left > 0 ? t('limits.in', { tokens: tokens(left) }) : t('limits.passed', { tokens: tokens(-left) });
  };
  return (
    <div class="limits">
      <h2 class="label" id="limits-title">
        {t('limits.title')}
      </h2>
      <table aria-labelledby="limits-title" class="limit-table">
        <thead class="visually-hidden">
          <tr>
            <th scope="col">{t('limits.limit')}</th>
            <th scope="col">{t('limits.at')}</th>
            <th scope="col">{t('limits.distance')}</th>
          </tr>
        </thead>
        <tbody>
          {[...gauge.limits]
            .sort((a, b) => a.at - b.at)
            .map((limit) => (
              <tr key={limit.kind} class={gauge.next?.kind === limit.kind ? 'is-next' : undefined}>
                <td>
                  <Icon name={LIMIT_ICONS[limit.kind]} tone={limit.kind} /> {t(`limit.${limit.kind}`)}
                </td>
                <td class="number">
                  <Tokens count={limit.at} />
                </td>
                <td class="number muted">{distance(limit.at)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}
