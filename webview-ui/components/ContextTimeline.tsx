import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { TimelineMarkView, TimelineView } from '../../src/core/protocol/viewModel';
import { useStore, useWords } from '../context';
import { planOf } from '../flow';
import { timelinePlace, timelineShape } from '../timelineLayout';
import type { Words } from '../words';
import { MARK_TONES } from './TimelineMarks';
import { useWidth } from './useWidth';

const ASSUMED_PX = 800;
const HEIGHT = 72;
const MARK_RADIUS = 4;

/**
 * The size of the context from request to request, as a slider over its points: arrow keys go through them, Enter shows the message. It is a
 * picture of what the list of marks and the table say in words.
 */
export function ContextTimeline({ timeline }: { readonly timeline: TimelineView }): VNode {
  const { selection, compaction } = useStore();
  const words = useWords();
  const flow = compaction.flow.value;
  const plan = flow.kind === 'written' ? undefined : planOf(flow);
  const ref = useRef<HTMLDivElement>(null);
  const width = useWidth(ref, ASSUMED_PX);
  const { points, marks, peakTokens } = timeline;
  const [chosen, choose] = useState<number | undefined>(undefined);
  const at = Math.min(chosen ?? points.length - 1, points.length - 1);
  const shape = timelineShape(points, peakTokens, width, HEIGHT);
  const placeOf = new Map(points.map((point, index) => [point.index, index]));
  const onKeyDown = (event: KeyboardEvent): void => {
    const moves = new Map([
      ['ArrowLeft', at - 1],
      ['ArrowRight', at + 1],
      ['Home', 0],
      ['End', points.length - 1],
    ]);
    const next = moves.get(event.key);
    if (event.key === 'Enter') selection.show(points[at]?.index ?? 0);
    else if (next !== undefined) choose(Math.max(0, Math.min(points.length - 1, next)));
    else return;
    event.preventDefault();
  };
  const onClick = (event: MouseEvent): void => {
    const box = ref.current?.getBoundingClientRect();
    if (box === undefined) return;
    const place = Math.max(0, Math.min(points.length - 1, Math.floor(((event.clientX - box.left) / box.width) * points.length)));
    choose(place);
    selection.show(points[place]?.index ?? 0);
  };
  return (
    <div
      class="timeline-chart"
      ref={ref}
      role="slider"
      tabIndex={0}
      data-testid="timeline-chart"
      aria-label={words.t('timeline.slider')}
      aria-valuemin={1}
      aria-valuemax={points.length}
      aria-valuenow={at + 1}
      aria-valuetext={pointSpeech(timeline, at, words)}
      onKeyDown={onKeyDown}
      onClick={onClick}
    >
      <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
        {plan === undefined ? null : (
          <rect
            class="timeline-planned"
            x={timelinePlace(points, plan.summarizedFrom, width)}
            width={Math.max(0, timelinePlace(points, plan.summarizedTo + 1, width) - timelinePlace(points, plan.summarizedFrom, width))}
            height={HEIGHT}
          />
        )}
        <path class="timeline-area" d={shape.area} />
        <path class="timeline-line" d={shape.line} />
        {shape.boundaries.map((x) => (
          <path key={x} class="timeline-boundary" d={`M${x} 0V${HEIGHT}`} />
        ))}
        {marks.map((mark) => {
          const place = placeOf.get(mark.index);
          return place === undefined ? null : <Mark key={mark.index} mark={mark} x={shape.x[place] ?? 0} y={shape.y[place] ?? 0} />;
        })}
        {plan === undefined ? null : (
          <path class="timeline-pivot" data-testid="timeline-pivot" d={`M${timelinePlace(points, plan.cutIndex, width)} 0V${HEIGHT}`} />
        )}
        {chosen === undefined ? null : <path class="timeline-cursor" d={`M${shape.x[at] ?? 0} 0V${HEIGHT}`} />}
      </svg>
    </div>
  );
}

/** Each kind of mark has a shape of its own: up, down, and round for what came back. */
function Mark({ mark, x, y }: { readonly mark: TimelineMarkView; readonly x: number; readonly y: number }): VNode {
  const top = Math.max(MARK_RADIUS + 1, y);
  const tone = `timeline-mark tone-${MARK_TONES[mark.kind]}`;
  const half = `a${MARK_RADIUS} ${MARK_RADIUS} 0 1 0`;
  if (mark.kind === 'refill')
    return <path class={tone} d={`M${x - MARK_RADIUS} ${top}${half} ${2 * MARK_RADIUS} 0${half} ${-2 * MARK_RADIUS} 0Z`} />;
  const tip = mark.kind === 'jump' ? -MARK_RADIUS : MARK_RADIUS;
  return <path class={tone} d={`M${x - MARK_RADIUS} ${top - tip}H${x + MARK_RADIUS}L${x} ${top + tip}Z`} />;
}

function pointSpeech({ points, marks }: TimelineView, at: number, { t, exact, tokens }: Words): string {
  const point = points[at];
  if (point === undefined) return '';
  const parts = [t('timeline.point', { index: exact(point.index), tokens: exact(point.tokens) })];
  if (at > 0 && points[at - 1]?.stretch !== point.stretch) parts.push(t('timeline.compacted'));
  for (const mark of marks) {
    if (mark.index === point.index) parts.push(t(`timeline.${mark.kind}`, { tokens: tokens(mark.tokens) }));
  }
  return parts.join(', ');
}
