// Line drawings on a grid of 16, in the colour of the text around them. They are decoration: the word always stands beside them.
import type { VNode } from 'preact';
import type { LimitKind, RowKind, WindowState } from '../../src/core/protocol/viewModel';

const PATHS = {
  alert: 'M8 2.3 14 13H2Z M8 6.5v3 M8 11.2v.1',
  arrowRight: 'M3 8h9.5 M9 4.5 12.5 8 9 11.5',
  assistant: 'M3 5.5h10v7H3z M8 5.5v-3 M6 8.5v1 M10 8.5v1',
  ban: 'M8 2.2a5.8 5.8 0 1 0 .01 0Z M4 12 12 4',
  chevron: 'M4 6.2 8 10l4-3.8',
  circle: 'M8 2.2a5.8 5.8 0 1 0 .01 0Z',
  clip: 'M11.8 7.2 7.7 11.4a2.2 2.2 0 0 1-3.1-3.1L9.2 3.7a1.5 1.5 0 0 1 2.1 2.1L6.8 10.3',
  cross: 'M8 2.2a5.8 5.8 0 1 0 .01 0Z M5.9 5.9l4.2 4.2 M10.1 5.9 5.9 10.1',
  dots: 'M3.6 8h.01 M8 8h.01 M12.4 8h.01',
  fold: 'M2.5 8h11 M8 1.8v3.7 M6.2 3.9 8 5.6l1.8-1.7 M8 14.2v-3.7 M6.2 12.1 8 10.4l1.8 1.7',
  image: 'M2.5 3.5h11v9h-11z M2.5 11l3.3-3.3 2.5 2.5 1.7-1.5 3.5 3 M10.6 6h.01',
  info: 'M8 2.2a5.8 5.8 0 1 0 .01 0Z M8 7.4v3.4 M8 5.2v.1',
  minus: 'M3.5 8h9',
  page: 'M3.5 2.5h9v11h-9z M5.7 5.7h4.6 M5.7 8h4.6 M5.7 10.3h2.8',
  pin: 'M5.5 2.5h5 M6.5 2.5v4l-2 2.7h7l-2-2.7v-4 M8 9.2v4.3',
  question: 'M8 2.2a5.8 5.8 0 1 0 .01 0Z M6.3 6.6a1.7 1.7 0 1 1 2.5 1.5c-.6.3-.8.6-.8 1.2 M8 11.2v.1',
  result: 'M13 3.5v3.3a2 2 0 0 1-2 2H3.5 M6.5 5.8l-3 3 3 3',
  tick: 'M3 8.4l3.2 3.2L13 4.8',
  tool: 'M13 4.8a3 3 0 0 1-4.1 3.3L5 12a1.5 1.5 0 0 1-2.1-2.1l3.9-3.9A3 3 0 0 1 10.3 2L8.7 3.8l.5 1.6 1.7.4Z',
  user: 'M8 2.6a2.6 2.6 0 1 0 .01 0Z M3 13.5c.4-2.8 2.3-4.2 5-4.2s4.6 1.4 5 4.2',
} as const;

export type IconName = keyof typeof PATHS;

export const STATE_ICONS = {
  normal: 'tick',
  warning: 'alert',
  error: 'cross',
  autoCompact: 'fold',
  blocked: 'ban',
  unknown: 'question',
} as const satisfies Record<WindowState, IconName>;

export const LIMIT_ICONS = {
  warning: 'alert',
  error: 'cross',
  autoCompact: 'fold',
  blocked: 'ban',
} as const satisfies Record<LimitKind, IconName>;

export const ROW_ICONS = {
  user: 'user',
  assistant: 'assistant',
  toolUse: 'tool',
  toolResult: 'result',
  summary: 'page',
  boundary: 'fold',
  microBoundary: 'minus',
  attachment: 'clip',
  meta: 'info',
  error: 'cross',
  system: 'circle',
} as const satisfies Record<RowKind, IconName>;

/** One icon, hidden from assistive technology. */
export function Icon({ name, tone }: { readonly name: IconName; readonly tone?: WindowState | 'muted' }): VNode {
  return (
    <svg class={tone === undefined ? 'icon' : `icon tone-${tone}`} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path class={name === 'dots' ? 'icon-dots' : undefined} d={PATHS[name]} />
    </svg>
  );
}
