import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

const PAGE_ROWS = 10;

export interface GridCell {
  readonly tabIndex: 0 | -1;
  readonly 'data-cell': string;
}

export interface GridKeys<Element extends HTMLElement> {
  readonly ref: RefObject<Element | null>;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onFocusIn: (event: FocusEvent) => void;
  /** Row that holds the tab stop. */
  readonly row: number;
  /** What the element that can have the focus in a row and column needs. Columns are counted in each row by themselves, without gaps. */
  readonly cell: (row: number, column: number) => GridCell;
}

/**
 * Makes a list with things to press in its rows one tab stop: arrow keys go from row to row and from thing to thing, Home and End to the
 * first and the last row. In a single row they go to its ends, as in a tool bar. `reveal` brings a row into the document before it gets the focus.
 */
export function useGridKeys<Element extends HTMLElement>(rows: number, reveal?: (row: number) => void): GridKeys<Element> {
  const ref = useRef<Element>(null);
  const [at, setAt] = useState({ row: 0, column: 0 });
  const isDue = useRef(false);
  const row = Math.max(0, Math.min(at.row, rows - 1));

  useLayoutEffect(() => {
    if (!isDue.current) return;
    isDue.current = false;
    const cells = [...(ref.current?.querySelectorAll<HTMLElement>(`[data-cell^="${row}:"]`) ?? [])];
    (cells[at.column] ?? cells.at(-1))?.focus();
  });

  return {
    ref,
    row,
    cell: (ofRow, column) => ({
      tabIndex: ofRow === row && column === (at.row === row ? at.column : 0) ? 0 : -1,
      'data-cell': `${ofRow}:${column}`,
    }),
    onFocusIn(event) {
      const cell = placeOf(event);
      if (cell !== undefined && (cell.row !== at.row || cell.column !== at.column)) setAt(cell);
    },
    onKeyDown(event) {
      const here = placeOf(event);
      if (here === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const next = moved(event.key, here, rows);
      if (next === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      isDue.current = true;
      reveal?.(next.row);
      setAt(next);
    },
  };
}

interface Place {
  readonly row: number;
  readonly column: number;
}

function moved(key: string, { row, column }: Place, rows: number): Place | undefined {
  const toRow = (target: number): Place => ({ row: Math.max(0, Math.min(rows - 1, target)), column });
  const isBar = rows === 1;
  const targets = new Map<string, Place>([
    ['ArrowDown', toRow(row + 1)],
    ['ArrowUp', toRow(row - 1)],
    ['PageDown', toRow(row + PAGE_ROWS)],
    ['PageUp', toRow(row - PAGE_ROWS)],
    ['Home', isBar ? { row, column: 0 } : toRow(0)],
    ['End', isBar ? { row, column: Number.MAX_SAFE_INTEGER } : toRow(rows - 1)],
    ['ArrowLeft', { row, column: Math.max(0, column - 1) }],
    ['ArrowRight', { row, column: column + 1 }],
  ]);
  return targets.get(key);
}

function placeOf(event: Event): Place | undefined {
  const target = event.target instanceof Element ? event.target.closest('[data-cell]') : null;
  const [row, column] = (target instanceof HTMLElement ? (target.dataset['cell'] ?? '') : '').split(':').map(Number);
  return row === undefined || column === undefined || Number.isNaN(row) || Number.isNaN(column) ? undefined : { row, column };
}
