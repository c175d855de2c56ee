import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Flow, SummaryPlan } from '../flow';
import { planOf } from '../flow';
import { useStore, useWords } from '../context';
import { Choice, NumberField } from '../controls';
import { inDirection, type SummaryKind } from '../pivot';
import type { Words } from '../words';
import { PivotSlider } from './PivotSlider';

const KINDS: readonly SummaryKind[] = ['partialUpTo', 'partialFrom', 'full'];

/** Where the context is cut, and which side of the cut is summarized: a switch, a slider, and numbers to keep. */
export function PivotControl({ flow }: { readonly flow: Flow<SummaryPlan> }): VNode | null {
  const { compaction } = useStore();
  const words = useWords();
  const { t } = words;
  const plan = planOf(flow);
  if (plan === undefined || (flow.kind !== 'shown' && flow.kind !== 'refused' && flow.kind !== 'broken')) return null;
  const { request } = flow;
  const kind = request.kind === 'micro' ? plan.kind : request.kind;
  return (
    <div class="pivot">
      <Choice
        name="direction"
        label={t('pivot.direction')}
        testId="direction"
        value={kind}
        options={KINDS.map((value) => ({ value, text: t(`pivot.${value}`) }))}
        onChange={(value) => compaction.adjust(inDirection(value, plan))}
      />
      <PivotSlider plan={plan} request={request} isSettled={flow.kind === 'shown' && flow.settled} />
      <div class="pivot-words" data-testid="pivot-words">
        <p>{cutText(plan, words)}</p>
        {plan.movedBecause === null ? null : (
          <p class="hint" data-testid="moved">
            {plan.pivotIndex === null ? t('preview.movedUnknown') : t('preview.moved', { cut: plan.cutIndex, pivot: plan.pivotIndex })}
          </p>
        )}
      </div>
      {kind === 'partialUpTo' ? (
        <div class="field">
          <NumberField
            testId="keep-turns"
            value={request.keepTurns ?? plan.keptTurns}
            onValue={(keepTurns) => compaction.adjust({ kind, keepTurns })}
          >
            {t('pivot.keepTurns')}
          </NumberField>
          <NumberField
            testId="keep-tokens"
            value={request.keepTokens ?? plan.tokensKept}
            onValue={(keepTokens) => compaction.adjust({ kind, keepTokens })}
          >
            {t('pivot.keepTokens')}
          </NumberField>
        </div>
      ) : null}
      {kind === 'full' ? (
        <div class="field">
          <NumberField
            testId="keep-messages"
            value={request.keepMessages ?? plan.keptCount}
            onValue={(keepMessages) => compaction.adjust({ kind, keepMessages })}
          >
            {t('preview.keepLabel')}
          </NumberField>
        </div>
      ) : null}
      <Spoken flow={flow} />
    </div>
  );
}

/** Where the cut lies, in words. */
export function cutText(plan: SummaryPlan, { t, plural }: Words): string {
  const rest =
    plan.kind === 'partialFrom'
      ? plural('pivot.summarized', plan.summarizedCount)
      : plan.keptTurns > 0
        ? plural('pivot.turns', plan.keptTurns)
        : plural('pivot.kept', plan.keptCount);
  const at = plan.cutPosition >= plan.contextCount ? t('pivot.atEnd') : t('pivot.at', { index: plan.cutIndex });
  return `${at} · ${rest}`;
}

/** The same with what it comes to, as the slider says it. */
export function cutSpeech(plan: SummaryPlan, words: Words): string {
  return `${cutText(plan, words)} · ${words.t('pivot.after', { tokens: words.tokens(plan.tokensAfter) })}`;
}

/** Speaks where the cut has come to rest when it was moved by something else than the slider, which speaks for itself. */
function Spoken({ flow }: { readonly flow: Flow<SummaryPlan> }): VNode {
  const words = useWords();
  const [text, setText] = useState('');
  const before = useRef<string | undefined>(undefined);
  const plan = flow.kind === 'shown' && flow.settled ? flow.plan : undefined;
  useEffect(() => {
    if (plan === undefined || plan.planId === before.current) return;
    const isFirst = before.current === undefined;
    before.current = plan.planId;
    if (!isFirst && document.activeElement?.getAttribute('role') !== 'slider') setText(cutSpeech(plan, words));
  });
  return (
    <p class="visually-hidden" role="status" data-testid="pivot-spoken">
      {text}
    </p>
  );
}
