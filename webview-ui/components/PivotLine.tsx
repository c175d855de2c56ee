import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { RowView } from '../../src/core/protocol/viewModel';
import { useStore, useWords } from '../context';
import type { SummaryPlan } from '../flow';
import { placeOfRow, requestAt } from '../pivot';
import { Box } from './Box';
import { Icon } from './Icon';
import { ROW_PX } from './VirtualList';

/** Near the list's upper or lower edge a held line scrolls it. */
const EDGE_PX = 24;
const SCROLL_PX = 8;

/**
 * The cut between two rows of the list, to be dragged to other rows. Keys move it too: Alt and an arrow key in the list, or the slider of the
 * preview, so it is no tab stop of its own.
 */
export function PivotLine({
  plan,
  count,
  canMove,
}: {
  readonly plan: SummaryPlan;
  readonly count: number;
  readonly canMove: boolean;
}): VNode {
  const { compaction, rows } = useStore();
  const { t } = useWords();
  const ref = useRef<HTMLDivElement>(null);
  const [held, setHeld] = useState<number | undefined>(undefined);
  const hand = useRef<{ readonly y: number; readonly frame: number } | undefined>(undefined);
  const line = Math.min(held ?? plan.cutIndex, count);

  const place = (clientY: number): void => {
    const list = ref.current?.closest('.list');
    if (!(list instanceof HTMLElement)) return;
    const box = list.getBoundingClientRect();
    const target = Math.round((clientY - box.top + list.scrollTop) / ROW_PX);
    const row = nextActive(Math.max(0, Math.min(count, target)), count, rows.get);
    if (row === line) return;
    setHeld(row);
    const id = rows.get(row)?.id;
    const { kind, contextCount } = plan;
    if (kind !== 'full' && id !== undefined) compaction.adjust({ kind, pivotId: id });
    else compaction.adjust(requestAt(kind, placeOfRow(plan, row, count, rows.get), contextCount));
  };
  // A frame may outlive the drawing that asked for it.
  const latest = useRef(place);
  latest.current = place;
  const scroll = (): void => {
    const list = ref.current?.closest('.list');
    const now = hand.current;
    if (now === undefined || !(list instanceof HTMLElement)) return;
    const box = list.getBoundingClientRect();
    const by = now.y < box.top + EDGE_PX ? -SCROLL_PX : now.y > box.bottom - EDGE_PX ? SCROLL_PX : 0;
    const before = list.scrollTop;
    if (by !== 0) list.scrollTop += by;
    if (list.scrollTop !== before) latest.current(now.y);
    hand.current = { y: now.y, frame: requestAnimationFrame(scroll) };
  };
  const release = (): void => {
    if (hand.current !== undefined) cancelAnimationFrame(hand.current.frame);
    hand.current = undefined;
    setHeld(undefined);
  };
  useEffect(() => release, []);
  return (
    <Box
      class={held === undefined ? 'pivot-line' : 'pivot-line is-held'}
      vars={{ '--index': String(line) }}
      aria-hidden="true"
      data-testid="pivot-line"
      data-at={line}
      title={canMove ? t('pivot.dragHint') : undefined}
      onElement={(element) => {
        ref.current = element;
      }}
      onPointerDown={(event) => {
        if (event.button !== 0 || !canMove) return;
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        hand.current = { y: event.clientY, frame: requestAnimationFrame(scroll) };
        setHeld(line);
      }}
      onPointerMove={(event) => {
        if (hand.current === undefined || Math.abs(event.clientY - hand.current.y) < 2) return;
        hand.current = { y: event.clientY, frame: hand.current.frame };
        place(event.clientY);
      }}
      onPointerUp={release}
      onPointerCancel={release}
      onClick={(event) => event.stopPropagation()}
    >
      <span class="pivot-grip">
        <Icon name="fold" />
      </span>
    </Box>
  );
}

/** The row itself when it is in the context, or has not been read; else the next one that is. */
function nextActive(from: number, count: number, rowAt: (index: number) => RowView | undefined): number {
  let row = from;
  while (row < count && rowAt(row)?.active === false) row++;
  return row;
}
