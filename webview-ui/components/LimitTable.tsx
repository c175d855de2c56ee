import type { VNode } from 'preact';
import type { AgentLimitView, GaugeView, LimitView } from '../../src/core/protocol/viewModel';
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
          {limitRows(gauge).map((row) =>
            row.kind === 'agent' ? (
              <AgentRow key="agent" gauge={gauge} limit={row.limit} distance={distance(row.at)} />
            ) : (
              <tr key={row.kind} class={gauge.next?.kind === row.kind ? 'is-next' : undefined}>
                <td>
                  <Icon name={LIMIT_ICONS[row.kind]} tone={row.kind} /> {t(`limit.${row.kind}`)}
                </td>
                <td class="number">
                  <Tokens count={row.at} />
                </td>
                <td class="number muted">{distance(row.at)}</td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </div>
  );
}

type LimitRow = LimitView | { readonly kind: 'agent'; readonly at: number; readonly limit: AgentLimitView };

/** The limits and the agent's own rule, in the order in which they are reached. */
function limitRows({ limits, agentLimit }: GaugeView): readonly LimitRow[] {
  // Where the agent's rule is the automatic limit, one row says both.
  const isShown = agentLimit !== null && !agentLimit.chosen && limits.every(({ at }) => at !== agentLimit.at);
  const own: readonly LimitRow[] = isShown ? [{ kind: 'agent', at: agentLimit.at, limit: agentLimit }] : [];
  return [...limits, ...own].sort((a, b) => a.at - b.at);
}

interface AgentRowProps {
  readonly gauge: GaugeView;
  readonly limit: AgentLimitView;
  readonly distance: string;
}

/** The rule by which the agent itself decides. It may count less than the gauge does, so its distance can say that it is due. */
function AgentRow({ gauge, limit, distance }: AgentRowProps): VNode {
  const { t, exact } = useWords();
  const { agent, at, due } = limit;
  const counted = gauge.counters.find(({ kind }) => kind === 'agentDecides')?.usedTokens ?? gauge.usedTokens;
  return (
    <tr data-testid="agent-limit" title={t('limits.agentHint', { agent, counted: exact(counted), used: exact(gauge.usedTokens) })}>
      <td>
        <Icon name="assistant" /> {t('limits.agent', { agent })}
      </td>
      <td class="number">
        <Tokens count={at} />
      </td>
      <td class="number muted">{due ? t('limits.agentDue') : distance}</td>
    </tr>
  );
}
