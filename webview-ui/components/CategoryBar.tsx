import type { ComponentChildren, VNode } from 'preact';
import { useRef } from 'preact/hooks';
import type { Category } from '../../src/core/protocol/viewModel';
import { useStore, useWords } from '../context';
import { segmentsOf, type Part, type Segment } from '../gaugeLayout';
import type { Words } from '../words';
import { Box, share } from './Box';
import { useWidth } from './useWidth';

/** Width that is drawn for before the real one is known. */
const ASSUMED_PX = 800;
/** A label is drawn where it surely fits: at most 6.5 px a character at 11 px, and its padding. */
const PX_PER_CHARACTER = 6.5;
const LABEL_PADDING_PX = 12;

export interface CategoryBarProps {
  readonly parts: readonly Part[];
  /** Length of the filled part and of the whole bar, in tokens. */
  readonly used: number;
  readonly scale: number;
  readonly labels?: boolean;
  /** More that is drawn into the bar; gets its width in pixels. */
  readonly children?: (widthPx: number) => ComponentChildren;
}

/** A bar of one segment per category. It is a picture; the numbers stand as text beside it. */
export function CategoryBar({ parts, used, scale, labels = false, children }: CategoryBarProps): VNode {
  const words = useWords();
  const ref = useRef<HTMLDivElement>(null);
  const width = useWidth(ref, ASSUMED_PX);
  return (
    <div class="bar" ref={ref} aria-hidden="true">
      {segmentsOf(parts, used, scale, width).map((segment) => (
        <BarSegment
          key={segment.kind}
          segment={segment}
          scale={scale}
          label={labels ? fittingLabel(segment, scale, width, words) : undefined}
        />
      ))}
      {children?.(width)}
    </div>
  );
}

interface BarSegmentProps {
  readonly segment: Segment;
  readonly scale: number;
  readonly label: string | undefined;
}

function BarSegment({ segment, scale, label }: BarSegmentProps): VNode {
  const { highlight } = useStore();
  const words = useWords();
  const category = segment.kind === 'other' ? undefined : segment.kind;
  return (
    <Box
      class={`segment fill ${fillClass(category)}${highlight.value === category && category !== undefined ? ' is-lit' : ''}`}
      vars={{ '--start': share(segment.start, scale), '--length': share(segment.length, scale) }}
      title={segment.parts.map((part) => `${words.t(`category.${part.category}`)}: ${words.exact(part.tokens)}`).join('\n')}
      onMouseEnter={() => (highlight.value = category)}
      onMouseLeave={() => (highlight.value = undefined)}
    >
      {label === undefined ? null : <span class="segment-label">{label}</span>}
    </Box>
  );
}

/** True when a label fits into a part of a bar that is `widthPx` wide. */
export function labelFits(text: string, part: number, whole: number, widthPx: number): boolean {
  return (part / whole) * widthPx >= text.length * PX_PER_CHARACTER + LABEL_PADDING_PX;
}

function fittingLabel(segment: Segment, scale: number, widthPx: number, words: Words): string | undefined {
  const text = segment.kind === 'other' ? words.t('gauge.other') : words.t(`category.${segment.kind}`);
  return labelFits(text, segment.length, scale, widthPx) ? text : undefined;
}

/** Class that gives an element the colour, and in high contrast the pattern, of a category. */
export function fillClass(category: Category | undefined): string {
  return `fill-${category ?? 'other'}`;
}
