import type { ComponentChildren, HTMLAttributes, VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Box } from './Box';

export const ROW_PX = 24;
/** Rows drawn above and below what is seen, so that a small scroll shows no gap. */
const OVERSCAN = 12;
/** Rows drawn before the list has been measured. */
const FIRST_ROWS = 30;
/** The list follows its end while it is scrolled to within this distance of it. */
const END_PX = ROW_PX / 2;

export interface VirtualListProps {
  readonly count: number;
  readonly label: string;
  readonly describedBy: string;
  /** First visible row; null while the list follows its end. */
  readonly top: number | null;
  readonly onTop: (top: number | null) => void;
  /** Called with the rows [from, to) that are drawn. */
  readonly onRange: (from: number, to: number) => void;
  /** Row that is drawn wherever the list is scrolled to, since it holds the focus or is its tab stop. */
  readonly pinned: number | undefined;
  /** Number of the last demand to bring the pinned row into view and to focus it; 0 before the first. */
  readonly demand: number;
  readonly row: (index: number) => VNode;
  readonly events: Pick<HTMLAttributes<HTMLDivElement>, 'onClick' | 'onDblClick' | 'onFocusIn' | 'onContextMenu'>;
  readonly onKey: (event: KeyboardEvent, pageRows: number) => void;
  /** Laid over the rows. */
  readonly children?: ComponentChildren;
}

interface Range {
  readonly first: number;
  readonly last: number;
}

/** A list box that holds only the rows around what is seen: as many elements for 100,000 rows as for 100. Rows are 24 px high. */
export function VirtualList(props: VirtualListProps): VNode {
  const { count, top, onTop, onRange, pinned, demand } = props;
  const ref = useRef<HTMLDivElement>(null);
  const met = useRef(0);
  const [range, setRange] = useState<Range>(() => firstRange(count, top));

  const measure = (): void => {
    const list = ref.current;
    if (list === null) return;
    const first = Math.floor(list.scrollTop / ROW_PX);
    const last = Math.ceil((list.scrollTop + list.clientHeight) / ROW_PX);
    setRange((old) => (old.first === first && old.last === last ? old : { first, last }));
  };
  const toPlace = (): void => {
    const list = ref.current;
    if (list === null) return;
    list.scrollTop = top === null ? list.scrollHeight : top * ROW_PX;
    measure();
  };
  const onScroll = (): void => {
    const list = ref.current;
    if (list === null) return;
    const atEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - END_PX;
    onTop(atEnd ? null : Math.floor(list.scrollTop / ROW_PX));
    measure();
  };

  // At first, when rows come or go, and when the place has been set from outside (a restored page, another session).
  useLayoutEffect(() => {
    const list = ref.current;
    if (list !== null && (top === null || Math.floor(list.scrollTop / ROW_PX) !== top)) toPlace();
    else measure();
  }, [count, top]);

  useEffect(() => {
    const list = ref.current;
    if (list === null) return;
    const observer = new ResizeObserver(() => (top === null ? toPlace() : measure()));
    observer.observe(list);
    return () => observer.disconnect();
  }, [top]);

  useLayoutEffect(() => {
    const list = ref.current;
    if (list === null || pinned === undefined || met.current === demand) return;
    met.current = demand;
    const start = pinned * ROW_PX;
    if (start < list.scrollTop) list.scrollTop = start;
    else if (start + ROW_PX > list.scrollTop + list.clientHeight) list.scrollTop = start + ROW_PX - list.clientHeight;
    list.querySelector<HTMLElement>(`[data-index="${pinned}"]`)?.focus({ preventScroll: true });
  });

  const from = Math.max(0, range.first - OVERSCAN);
  const to = Math.min(count, range.last + OVERSCAN);
  useEffect(() => onRange(from, to));

  const drawn = Array.from({ length: Math.max(0, to - from) }, (_, offset) => from + offset);
  if (pinned !== undefined && pinned < count) {
    if (pinned < from) drawn.unshift(pinned);
    else if (pinned >= to) drawn.push(pinned);
  }
  return (
    <div
      {...props.events}
      class="list"
      role="listbox"
      aria-label={props.label}
      aria-describedby={props.describedBy}
      ref={ref}
      onScroll={onScroll}
      onKeyDown={(event) => props.onKey(event, Math.max(1, range.last - range.first - 2))}
    >
      <Box class="list-space" role="presentation" vars={{ '--count': String(count), '--row-height': `${ROW_PX}px` }}>
        {drawn.map((index) => props.row(index))}
        {props.children}
      </Box>
    </div>
  );
}

function firstRange(count: number, top: number | null): Range {
  const first = top ?? Math.max(0, count - FIRST_ROWS);
  return { first, last: first + FIRST_ROWS };
}
