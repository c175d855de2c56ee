import type { VNode } from 'preact';
import type { MicroPlan, SummaryPlan } from '../flow';
import { useStore, useWords } from '../context';
import { CategoryBar } from './CategoryBar';
import { StateChip } from './StateChip';
import { Sign, Tokens } from './Tokens';

/** What a plan comes to: the sizes before and after with their parts, the state after, and when the window is full again. */
export function PlanSizes({ plan }: { readonly plan: SummaryPlan | MicroPlan }): VNode {
  const { session } = useStore();
  const { t, plural, tokens, percent } = useWords();
  const { tokensBefore, tokensAfter, refillTurns } = plan;
  const saved = tokensBefore - tokensAfter;
  const sign = saved >= 0 ? '−' : '+';
  const scale = Math.max(session.value?.gauge.windowTokens ?? 0, tokensBefore, tokensAfter);
  return (
    <>
      <p class="delta">
        <strong>
          {tokens(tokensBefore)} → {tokens(tokensAfter)}
        </strong>{' '}
        <span class="delta-saved">
          {sign}
          {tokens(Math.abs(saved))}
          {tokensBefore > 0 ? ` (${sign}${percent((Math.abs(saved) / tokensBefore) * 100)})` : ''}
        </span>{' '}
        <span class="provenance">
          <span>
            <Sign measurement="estimate" /> {t('preview.estimate')}
          </span>
        </span>
      </p>
      <div class="compare">
        <span class="muted">{t('preview.before')}</span>
        <CategoryBar parts={plan.before} used={tokensBefore} scale={scale} />
        <span class="number">
          <Tokens count={tokensBefore} />
        </span>
        <span class="muted">{t('preview.after')}</span>
        <CategoryBar parts={plan.after} used={tokensAfter} scale={scale} />
        <span class="number">
          <Tokens count={tokensAfter} />
        </span>
      </div>
      <p class="state-after">
        <span class="muted">{t('preview.stateAfter')}</span> <StateChip state={plan.stateAfter} />
        {refillTurns === null ? null : <span data-testid="refill">{plural('preview.refill', Math.max(1, Math.round(refillTurns)))}</span>}
      </p>
    </>
  );
}
