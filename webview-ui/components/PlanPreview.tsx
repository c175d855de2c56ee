import type { VNode } from 'preact';
import type { Category, SummarizerChoice } from '../../src/core/protocol/viewModel';
import type { Plan } from '../compaction';
import { useStore, useWords } from '../context';
import { CategoryBar } from './CategoryBar';
import { Icon } from './Icon';
import { LostList } from './LostList';
import { OutsideBlock } from './Outside';
import { StateChip } from './StateChip';
import { Sign, Tokens } from './Tokens';

/** Parts that a compaction never touches: they are sent anew with each request. */
const FIXED: ReadonlySet<Category> = new Set(['systemPrompt', 'tools', 'mcpTools', 'memory', 'unattributed']);

/** What a compaction would do: sizes before and after, what stays, what goes, and the text that takes its place. */
export function PlanPreview({ plan, summarizer }: { readonly plan: Plan; readonly summarizer: SummarizerChoice }): VNode {
  const { t } = useWords();
  return (
    <div class="plan">
      <Sizes plan={plan} />
      {plan.movedBecause === null ? null : (
        <p class="note">
          <Icon name="info" />
          {plan.pivotIndex === null ? t('preview.movedUnknown') : t('preview.moved', { cut: plan.cutIndex, pivot: plan.pivotIndex })}
        </p>
      )}
      <Changes plan={plan} summarizer={summarizer} />
      <details class="fold">
        <summary>
          <Icon name="chevron" />
          {t('preview.summaryPreview')}
        </summary>
        {summarizer !== 'offline' ? <p class="hint">{t('preview.summaryPreviewHint')}</p> : null}
        {plan.summaryPreview === '' ? (
          <p class="muted">{t('preview.emptySummary')}</p>
        ) : (
          <OutsideBlock text={plan.summaryPreview} label={t('preview.summaryPreview')} limit={2000} />
        )}
      </details>
      <LostList lost={plan.lost} when="preview" isModel={summarizer !== 'offline'} />
    </div>
  );
}

function Sizes({ plan }: { readonly plan: Plan }): VNode {
  const { session } = useStore();
  const { t, tokens, percent } = useWords();
  const { tokensBefore, tokensAfter } = plan;
  const saved = tokensBefore - tokensAfter;
  const scale = Math.max(session.value?.gauge.windowTokens ?? 0, tokensBefore, tokensAfter);
  return (
    <>
      <p class="delta">
        <strong>
          {tokens(tokensBefore)} → {tokens(tokensAfter)}
        </strong>{' '}
        <span class="delta-saved">
          {saved >= 0 ? '−' : '+'}
          {tokens(Math.abs(saved))}
          {tokensBefore > 0 ? ` (${saved >= 0 ? '−' : '+'}${percent((Math.abs(saved) / tokensBefore) * 100)})` : ''}
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
      </p>
    </>
  );
}

/** The balance of the plan, line by line. */
function Changes({ plan, summarizer }: { readonly plan: Plan; readonly summarizer: SummarizerChoice }): VNode {
  const { selection } = useStore();
  const { t, plural, tokens } = useWords();
  const fixed = plan.before.reduce((sum, part) => (FIXED.has(part.category) ? sum + part.tokens : sum), 0);
  const range = plan.summarizedCount > 0 && Number.isFinite(plan.summarizedFrom) ? rangeText(plan) : undefined;
  return (
    <ul class="changes">
      {fixed > 0 ? (
        <li>
          <Icon name="tick" tone="normal" />
          <span>
            {t('preview.unchanged')} <span class="muted">{t('preview.unchangedHint')}</span>
          </span>
          <span class="number">{tokens(fixed)}</span>
        </li>
      ) : null}
      <li>
        <Icon name="tick" tone="normal" />
        <span>
          {t('preview.kept')}: {plural('count.messages', plan.keptCount)} <span class="muted">{t('preview.keptWord')}</span>
        </span>
        <span class="number">{tokens(plan.tokensKept)}</span>
      </li>
      <li>
        <Icon name="page" />
        <span>
          {t('preview.newSummary')} <span class="muted">{plural('preview.replaces', plan.summarizedCount)}</span>
        </span>
        <span class="number">
          {summarizer !== 'offline' ? `${t('preview.atMost')} ` : ''}
          {tokens(plan.summaryTokens)}
        </span>
      </li>
      <li class="muted">
        <Icon name="minus" tone="muted" />
        <span>
          {t('preview.leaves')}{' '}
          {range === undefined ? null : (
            <button type="button" class="link" onClick={() => selection.show(plan.summarizedFrom)}>
              {range}
            </button>
          )}
        </span>
        <span class="number">−{tokens(plan.tokensSummarized)}</span>
      </li>
    </ul>
  );
}

function rangeText({ summarizedFrom, summarizedTo }: Plan): string {
  return summarizedFrom === summarizedTo ? `#${summarizedFrom}` : `#${summarizedFrom} – #${summarizedTo}`;
}
