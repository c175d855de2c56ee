import type { VNode } from 'preact';
import type { CostView } from '../../src/core/protocol/planView';
import { useWords } from '../context';
import { visibleText } from '../outsideText';
import type { Words } from '../words';

export interface CostBlockProps {
  /** Null: it cannot be told. */
  readonly cost: CostView | null;
  readonly id?: string;
  readonly hasSummary?: boolean;
}

/** What a compaction costs, by its three parts, and when it has paid for itself. */
export function CostBlock({ cost, id = 'cost', hasSummary = true }: CostBlockProps): VNode {
  const words = useWords();
  const { t, tokens, usd } = words;
  if (cost === null) {
    return (
      <div class="cost" role="group" aria-labelledby={`${id}-title`} data-testid="cost">
        <h3 id={`${id}-title`}>{t('cost.title')}</h3>
        <p class="muted">{t('cost.unknown')}</p>
        <p class="hint">{t('cost.unknownWhy')}</p>
      </div>
    );
  }
  const money = (value: number | null): string => (value === null ? t('cost.noPrice') : usd(value));
  const called = cost.summaryInputTokens + cost.summaryOutputTokens > 0;
  return (
    <div class="cost" role="group" aria-labelledby={`${id}-title`} data-testid="cost">
      <h3 id={`${id}-title`}>{t('cost.title')}</h3>
      <table aria-labelledby={`${id}-title`}>
        <tbody>
          {hasSummary ? (
            <tr>
              <th scope="row">{t('cost.summary')}</th>
              <td>
                {called
                  ? t('cost.call', { input: tokens(cost.summaryInputTokens), output: tokens(cost.summaryOutputTokens) })
                  : t('cost.noCall')}
              </td>
              <td class="number">{called ? money(cost.summaryUsd) : usd(0)}</td>
            </tr>
          ) : null}
          <tr>
            <th scope="row">{t('cost.rewrite')}</th>
            <td>
              {tokens(cost.cacheRewriteTokens)}
              {cost.cacheKeptTokens > 0 ? <span class="muted">, {t('cost.kept', { tokens: tokens(cost.cacheKeptTokens) })}</span> : null}
            </td>
            <td class="number">{money(cost.rewriteUsd)}</td>
          </tr>
          <tr>
            <th scope="row">{t('cost.saved')}</th>
            <td>{t('cost.fewer', { tokens: tokens(cost.savedTokensPerTurn) })}</td>
            <td class="number">{cost.savedUsdPerTurn === null ? t('cost.noPrice') : `−${usd(cost.savedUsdPerTurn)}`}</td>
          </tr>
          <tr class="cost-total">
            <th scope="row">{t('cost.total')}</th>
            <td>{payback(cost, words)}</td>
            <td class="number">{cost.usd === null ? t('cost.unknown') : usd(cost.usd)}</td>
          </tr>
        </tbody>
      </table>
      <p class="hint">{source(cost, words)}</p>
    </div>
  );
}

function payback({ paysBackAfterTurns, savedUsdPerTurn, usd }: CostView, { t, plural }: Words): string {
  if (paysBackAfterTurns !== null) return plural('cost.paysBack', Math.max(1, Math.ceil(paysBackAfterTurns)));
  return usd !== null && savedUsdPerTurn !== null && savedUsdPerTurn <= 0 ? t('cost.never') : '';
}

function source({ priceSource, priceModel }: CostView, { t }: Words): string {
  if (priceSource === null) return t('cost.unknownWhy');
  const model = priceModel === null ? t('header.noModel') : visibleText(priceModel);
  return t(priceSource === 'setting' ? 'cost.fromSetting' : 'cost.fromCatalogue', { model });
}
