import type { VNode } from 'preact';
import type { CounterView, GaugeView } from '../../src/core/protocol/viewModel';
import { useWords } from '../context';
import type { Words } from '../words';
import { Icon } from './Icon';
import { Tokens } from './Tokens';

/** All numbers that are shown for the same context somewhere, with what each of them counts. Not drawn for an unknown window. */
export function CounterTable({ gauge }: { readonly gauge: GaugeView }): VNode | null {
  const words = useWords();
  const { t } = words;
  if (gauge.counters.length === 0) return null;
  return (
    <details class="counters" data-testid="counters">
      <summary>
        <Icon name="chevron" />
        {t('counters.title')}
      </summary>
      <p class="muted">{t('counters.hint')}</p>
      <table class="counter-table" aria-label={t('counters.title')}>
        <thead class="visually-hidden">
          <tr>
            <th scope="col">{t('counters.counter')}</th>
            <th scope="col">{t('counters.of')}</th>
            <th scope="col">{t('counters.value')}</th>
          </tr>
        </thead>
        <tbody>
          {gauge.counters.map((counter) => (
            <tr key={counter.kind} data-counter={counter.kind}>
              <td>{nameOf(counter, gauge, words)}</td>
              <td class="number">
                <Tokens count={counter.usedTokens} /> / <Tokens count={counter.ofTokens} />
              </td>
              <td class="number">{t(counter.left ? 'counters.left' : 'counters.used', { percent: words.percent(counter.percent) })}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

function nameOf({ kind }: CounterView, gauge: GaugeView, { t }: Words): string {
  if (kind !== 'agentShows' && kind !== 'agentDecides') return t(`counter.${kind}`);
  return t(`counter.${kind}`, { agent: gauge.agentLimit?.agent ?? '' });
}
