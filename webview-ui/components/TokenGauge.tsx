import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import type { CategoryView, GaugeView, LimitKind } from '../../src/core/protocol/viewModel';
import { useWords } from '../context';
import { gravest, limitMarks, placeLabels, type LimitMark } from '../gaugeLayout';
import type { Words } from '../words';
import { Box, share } from './Box';
import { CategoryBar, labelFits } from './CategoryBar';
import { Icon, LIMIT_ICONS } from './Icon';
import { useWidth } from './useWidth';

const ASSUMED_PX = 800;
/** Room of a limit's label: about 6.4 px a character at 11 px, and its icon. */
const LABEL_PX_PER_CHARACTER = 6.4;
const LABEL_ICON_PX = 20;

export interface TokenGaugeProps {
  readonly gauge: GaugeView;
  readonly windowTokens: number;
  readonly categories: readonly CategoryView[];
}

/** The bar of a known window: what fills it, where the limits lie, and what is kept free for the answer. */
export function TokenGauge({ gauge, windowTokens, categories }: TokenGaugeProps): VNode {
  const words = useWords();
  // An over-full window is drawn as long as its content, so that nothing is cut off.
  const scale = Math.max(windowTokens, gauge.usedTokens);
  return (
    <div
      class="meter"
      role="meter"
      aria-label={words.t('gauge.title')}
      aria-valuemin={0}
      aria-valuemax={scale}
      aria-valuenow={gauge.usedTokens}
      aria-valuetext={gaugeSpeech(gauge, words)}
    >
      <CategoryBar parts={categories} used={gauge.usedTokens} scale={scale} labels>
        {(widthPx) => <Reserve gauge={gauge} windowTokens={windowTokens} scale={scale} widthPx={widthPx} />}
      </CategoryBar>
      <Limits gauge={gauge} windowTokens={windowTokens} scale={scale} />
    </div>
  );
}

/** The gauge in words, for the meter and for what is spoken when the state changes. */
export function gaugeSpeech(gauge: GaugeView, { t, exact, percent }: Words): string {
  if (gauge.windowTokens === null || gauge.percentUsed === null) return t('gauge.speechUnknown', { used: exact(gauge.usedTokens) });
  const text = t('gauge.speech', {
    used: exact(gauge.usedTokens),
    window: exact(gauge.windowTokens),
    percent: percent(gauge.percentUsed),
    state: t(`state.${gauge.state}`),
  });
  return gauge.next === null ? text : `${text} ${t(`next.${gauge.next.kind}`, { tokens: exact(gauge.next.tokens) })}.`;
}

interface ScaleProps {
  readonly gauge: GaugeView;
  readonly windowTokens: number;
  readonly scale: number;
}

/** The part that is kept for the model's answer, as far as the content has not run into it. */
function Reserve({ gauge, windowTokens, scale, widthPx }: ScaleProps & { readonly widthPx: number }): VNode | null {
  const { t, tokens } = useWords();
  const start = Math.max(gauge.effectiveInputWindowTokens ?? windowTokens, gauge.usedTokens);
  if (start >= windowTokens) return null;
  return (
    <Box
      class="reserve"
      vars={{ '--start': share(start, scale), '--length': share(windowTokens - start, scale) }}
      title={`${t('gauge.reserve')}: ${tokens(gauge.outputReserveTokens ?? windowTokens - start)}`}
    >
      {labelFits(t('gauge.reserve'), windowTokens - start, scale, widthPx) ? <span class="segment-label">{t('gauge.reserve')}</span> : null}
    </Box>
  );
}

function Limits({ gauge, windowTokens, scale }: ScaleProps): VNode {
  const { t, tokens } = useWords();
  const ref = useRef<HTMLDivElement>(null);
  const width = useWidth(ref, ASSUMED_PX);
  const marks = limitMarks(gauge.limits);
  const end = gauge.effectiveInputWindowTokens ?? windowTokens;
  const named = marks.map((mark): { at: number; kind: LimitKind | undefined; text: string } => ({
    at: mark.at,
    kind: gravest(mark),
    text: `${mark.kinds.map((kind) => t(`limit.${kind}`)).join(' · ')} ${tokens(mark.at)}`,
  }));
  // The agent's own rule has a tick of its own where it is no limit of the gauge.
  const own = gauge.agentLimit;
  if (own !== null && !own.chosen && own.at < scale && named.every(({ at }) => at !== own.at))
    named.push({ at: own.at, kind: undefined, text: `${t('limits.agent', { agent: own.agent })} ${tokens(own.at)}` });
  // Where the content has outgrown the window, the bar goes on behind the window's end.
  if (scale > windowTokens) named.push({ at: windowTokens, kind: undefined, text: `${t('gauge.windowEnd')} ${tokens(windowTokens)}` });
  const labels = named.map((label) => ({
    ...label,
    centre: (label.at / scale) * width,
    width: label.text.length * LABEL_PX_PER_CHARACTER + LABEL_ICON_PX,
  }));
  const places = placeLabels(labels, width);
  const lines = places.reduce((most, place) => Math.max(most, place.line + 1), 0);
  return (
    <Box class="limits-strip" vars={{ '--lines': String(lines) }} aria-hidden="true">
      <div class="zones" ref={ref}>
        {marks.map((mark, index) => (
          <Zone key={mark.at} mark={mark} end={marks[index + 1]?.at ?? Math.max(end, mark.at)} scale={scale} />
        ))}
      </div>
      {labels.map(({ at, kind }) => (
        <Box key={at} class={kind === undefined ? 'tick' : `tick tone-${kind}`} vars={{ '--start': share(at, scale) }} />
      ))}
      {labels.map(({ at, kind, text }, index) => (
        <Box key={at} class="limit-label" vars={{ '--left': `${places[index]?.left ?? 0}px`, '--line': String(places[index]?.line ?? 0) }}>
          {kind === undefined ? null : <Icon name={LIMIT_ICONS[kind]} tone={kind} />}
          {text}
        </Box>
      ))}
    </Box>
  );
}

function Zone({ mark, end, scale }: { readonly mark: LimitMark; readonly end: number; readonly scale: number }): VNode {
  return (
    <Box
      class={`zone zone-${gravest(mark)}`}
      vars={{ '--start': share(mark.at, scale), '--length': share(Math.max(0, end - mark.at), scale) }}
    />
  );
}
