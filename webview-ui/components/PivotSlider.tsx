import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import type { PlanRequestView } from '../../src/core/protocol/planView';
import { useStore, useWords } from '../context';
import type { SummaryPlan } from '../flow';
import { PIVOT_KEYS, placeOf, requestAt } from '../pivot';
import { Box, share } from './Box';
import { cutSpeech } from './PivotControl';

export interface PivotSliderProps {
  readonly plan: SummaryPlan;
  readonly request: PlanRequestView;
  readonly isSettled: boolean;
}

interface Said {
  readonly now: number;
  readonly text: string;
}

/**
 * The context from its oldest to its newest message, with the cut as the thumb. The thumb follows the hand, the tint the cut that holds. What
 * a screen reader hears changes when the hand rests, not with every figure on the way.
 */
export function PivotSlider({ plan, request, isSettled }: PivotSliderProps): VNode {
  const { compaction } = useStore();
  const words = useWords();
  const { t } = words;
  const ref = useRef<HTMLDivElement>(null);
  const said = useRef<Said>({ now: plan.cutPosition, text: cutSpeech(plan, words) });
  if (isSettled) said.current = { now: plan.cutPosition, text: cutSpeech(plan, words) };
  const kind = request.kind === 'micro' ? plan.kind : request.kind;
  const { contextCount, cutPosition } = plan;
  const place = isSettled ? cutPosition : (placeOf(request, contextCount) ?? cutPosition);

  const drag = (event: PointerEvent): void => {
    const box = ref.current?.getBoundingClientRect();
    if (box === undefined || box.width === 0) return;
    const next = Math.round(((event.clientX - box.left) / box.width) * contextCount);
    if (next !== place) compaction.adjust(requestAt(kind, next, contextCount));
  };
  return (
    <div class="pivot-slider">
      <div
        class="pivot-hand"
        role="slider"
        tabIndex={0}
        data-testid="pivot"
        aria-label={t('pivot.slider')}
        aria-describedby="pivot-keys"
        aria-valuemin={0}
        aria-valuemax={contextCount}
        aria-valuenow={said.current.now}
        aria-valuetext={said.current.text}
        onKeyDown={(event) => {
          const move = event.altKey || event.ctrlKey || event.metaKey ? undefined : PIVOT_KEYS.get(event.key);
          if (move === undefined) return;
          event.preventDefault();
          compaction.move(move);
        }}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          drag(event);
        }}
        onPointerMove={(event) => {
          if (event.currentTarget.hasPointerCapture(event.pointerId)) drag(event);
        }}
      >
        <Box
          class={kind === 'partialFrom' ? 'pivot-track is-from' : 'pivot-track'}
          vars={{ '--cut': share(cutPosition, contextCount), '--place': share(place, contextCount) }}
        >
          <div class="pivot-width" ref={ref}>
            <span class="pivot-tint" />
            <span class="pivot-thumb" />
          </div>
        </Box>
      </div>
      <div class="pivot-ends" aria-hidden="true">
        <span>{t('pivot.oldest')}</span>
        <span>{t('pivot.newest')}</span>
      </div>
      <p id="pivot-keys" class="visually-hidden">
        {t('pivot.keys')}
      </p>
    </div>
  );
}
