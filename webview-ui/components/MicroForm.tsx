import type { VNode } from 'preact';
import type { ClearReasonView } from '../../src/core/protocol/planView';
import { useStore, useWords } from '../context';
import { Button } from '../controls';
import type { MicroPlan, ShownPlan } from '../flow';
import { selected, toggled, type ClearSelection } from '../micro';
import { CostBlock } from './CostBlock';
import { Icon } from './Icon';
import { PlanNotices } from './PlanNotices';
import { PlanSizes } from './PlanSizes';
import { TickList } from './TickList';
import { useGridKeys } from './useGridKeys';

const REASONS: readonly ClearReasonView[] = ['superseded', 'changed', 'duplicate', 'error', 'old'];

/** The tool results of the context to choose from, what clearing the chosen ones frees, and the button that writes the copy. */
export function MicroForm({ flow }: { readonly flow: ShownPlan<MicroPlan> }): VNode {
  const { micro, settings } = useStore();
  const { t, plural, tokens, exact } = useWords();
  const { plan, outdated, settled, notice } = flow;
  const { canAct } = settings.value;
  const { results } = plan;
  const choose = (clear: readonly string[]): void => micro.adjust({ kind: 'micro', clear });
  if (plan.resultCount === 0) return <p class="muted">{t('micro.empty')}</p>;
  return (
    <>
      <p class="hint">{t('micro.hint')}</p>
      <Selections plan={plan} onChoose={(selection) => choose(selected(results, selection))} />
      <TickList results={results} label={t('micro.list')} disabled={outdated} onToggle={(result) => choose(toggled(results, result))} />
      {plan.resultCount > results.length ? (
        <p class="hint">{t('micro.more', { shown: exact(results.length), count: exact(plan.resultCount) })}</p>
      ) : null}
      <p class="micro-freed" role="status" data-testid="micro-freed" data-freed={plan.freedTokens}>
        {plural('micro.freed', plan.clearedCount, { tokens: tokens(plan.freedTokens) })}
      </p>
      <div class={settled ? 'plan-rest' : 'plan-rest is-stale'} aria-busy={!settled}>
        <PlanSizes plan={plan} />
        <CostBlock cost={plan.cost} id="micro-cost" hasSummary={false} />
      </div>
      {plan.problem === null ? null : (
        <p class="note" data-testid="micro-problem">
          <Icon name="info" />
          {plan.problem}
        </p>
      )}
      <PlanNotices notice={notice} outdated={outdated} onAgain={() => micro.start(flow.request)} />
      <div class="buttons">
        <Button
          primary
          testId="create-cleared"
          disabled={!canAct || outdated || !settled || plan.clearedCount === 0 || plan.problem !== null}
          onClick={() => micro.run({ summarizer: 'offline', instructions: '', detail: 'normal', putBack: [] })}
        >
          {t('micro.create')}
        </Button>
      </div>
      <p class="hint">{canAct ? t('preview.neverChanged') : t('preview.untrusted')}</p>
    </>
  );
}

interface SelectionsProps {
  readonly plan: MicroPlan;
  readonly onChoose: (selection: ClearSelection) => void;
}

/** All, none, or those of one reason, as a tool bar: one tab stop. */
function Selections({ plan, onChoose }: SelectionsProps): VNode {
  const { t, exact } = useWords();
  const grid = useGridKeys<HTMLDivElement>(1);
  const free = plan.results.filter(({ protection }) => protection === null);
  const reasons = REASONS.map((reason) => ({ reason, count: free.filter((one) => one.reason === reason).length })).filter(
    ({ count }) => count > 0,
  );
  const choices: readonly { readonly value: ClearSelection; readonly text: string }[] = [
    { value: 'all', text: t('micro.all') },
    { value: 'none', text: t('micro.nothing') },
    ...reasons.map(({ reason, count }) => ({ value: reason, text: `${t(`micro.${reason}`)} (${exact(count)})` })),
  ];
  return (
    <div
      class="selections"
      role="toolbar"
      aria-label={t('micro.select')}
      ref={grid.ref}
      onKeyDown={grid.onKeyDown}
      onFocusIn={grid.onFocusIn}
      data-testid="selections"
    >
      <span class="muted" aria-hidden="true">
        {t('micro.select')}
      </span>
      {choices.map(({ value, text }, column) => (
        <button type="button" class="link" key={value} {...grid.cell(0, column)} data-value={value} onClick={() => onChoose(value)}>
          {text}
        </button>
      ))}
    </div>
  );
}
