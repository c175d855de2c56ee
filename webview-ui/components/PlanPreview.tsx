import type { VNode } from 'preact';
import type { Category, SummarizerChoice } from '../../src/core/protocol/viewModel';
import { useStore, useWords } from '../context';
import type { SummaryPlan } from '../flow';
import { CostBlock } from './CostBlock';
import { Icon } from './Icon';
import { LostList } from './LostList';
import { OutsideBlock } from './Outside';
import { PlanSizes } from './PlanSizes';
import { SafetyList } from './SafetyList';

/** Parts that a compaction never touches: they are sent anew with each request. */
const FIXED: ReadonlySet<Category> = new Set(['systemPrompt', 'tools', 'mcpTools', 'memory', 'unattributed']);

export interface PlanPreviewProps {
  readonly plan: SummaryPlan;
  readonly summarizer: SummarizerChoice;
  /** What stands below the figures is of the cut before, until the rest of this one is there. */
  readonly isStale?: boolean;
  /** Lost items can be ticked to be put back. */
  readonly canPutBack?: boolean;
}

/** What a compaction would do: sizes before and after, what stays, what goes, what it costs, and the text that takes its place. */
export function PlanPreview({ plan, summarizer, isStale = false, canPutBack = false }: PlanPreviewProps): VNode {
  const { compaction } = useStore();
  const { t } = useWords();
  return (
    <div class="plan">
      <PlanSizes plan={plan} />
      <Changes plan={plan} summarizer={summarizer} />
      {plan.ofSummary ? (
        <p class="note note-warning" data-testid="of-summary">
          <Icon name="alert" tone="warning" />
          {t('preview.ofSummary')}
        </p>
      ) : null}
      <div class={isStale ? 'plan-rest is-stale' : 'plan-rest'} aria-busy={isStale}>
        <SafetyList safety={plan.safety} />
        <CostBlock cost={plan.cost} />
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
        <LostList lost={plan.lost} when="preview" isModel={summarizer !== 'offline'} ticked={canPutBack ? compaction.ticked : undefined} />
      </div>
    </div>
  );
}

/** The balance of the plan, line by line. */
function Changes({ plan, summarizer }: { readonly plan: SummaryPlan; readonly summarizer: SummarizerChoice }): VNode {
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
          {summarizer !== 'offline' || plan.figuresOnly === true ? `${t('preview.atMost')} ` : ''}
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

function rangeText({ summarizedFrom, summarizedTo }: SummaryPlan): string {
  return summarizedFrom === summarizedTo ? `#${summarizedFrom}` : `#${summarizedFrom} – #${summarizedTo}`;
}
