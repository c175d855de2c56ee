import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { BoundaryView } from '../../src/core/protocol/viewModel';
import { useStore, useWords } from '../context';
import { planOf } from '../flow';
import { demand } from '../store';
import { MessageRow } from './MessageRow';
import { PivotLine } from './PivotLine';
import { VirtualList } from './VirtualList';

export interface MessageListProps {
  readonly count: number;
  readonly maxTokens: number;
  readonly handle: string;
  readonly boundaries: readonly BoundaryView[];
}

/** The messages of the session. One tab stop; the focused row is the selected one, which the host is told of. */
export function MessageList({ count, maxTokens, handle, boundaries }: MessageListProps): VNode {
  const store = useStore();
  const { rows, selection, compaction, topRow } = store;
  const { t } = useWords();
  const selected = selection.index.value;
  const flow = compaction.flow.value;
  const plan = flow.kind === 'written' ? undefined : planOf(flow);
  // Pinned messages inside of the range stay.
  const kept = useMemo(() => new Set(plan?.keptIds), [plan]);
  const tabStop = Math.min(selected ?? count - 1, count - 1);
  const boundaryAt = new Map(boundaries.map((boundary) => [boundary.rowIndex, boundary]));

  const activate = (index: number): void => {
    const row = rows.get(index);
    if (row === undefined) return;
    if (boundaryAt.has(index)) store.inspected.value = demand(index);
    else store.act((client) => client.request('transcript/reveal', { handle, messageId: row.id }));
  };
  const onKey = (event: KeyboardEvent, pageRows: number): void => {
    const isArrow = event.key === 'ArrowUp' || event.key === 'ArrowDown';
    if (event.altKey && isArrow && plan !== undefined) {
      event.preventDefault();
      compaction.move(event.key === 'ArrowUp' ? 'previous' : 'next');
      return;
    }
    if (event.altKey || event.shiftKey) return;
    const messageId = rows.get(tabStop)?.id;
    if ((event.ctrlKey || event.metaKey) && event.key === 'c') {
      // Text that is marked by mouse is copied as usual.
      if (messageId === undefined || getSelection()?.isCollapsed === false) return;
      event.preventDefault();
      store.act((client) => client.request('message/copy', { handle, messageId }));
      return;
    }
    const next = moved(event.key, tabStop, count, pageRows);
    if (next !== undefined) {
      event.preventDefault();
      selection.show(next);
      return;
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      activate(tabStop);
    }
  };

  // The list is drawn again when rows arrive or change.
  const version = rows.version.value;
  return (
    <>
      <p id="messages-keys" class="visually-hidden">
        {t('messages.keys')} {plan === undefined ? '' : t('pivot.listKeys')}
      </p>
      <VirtualList
        key={handle}
        count={count}
        label={t('messages.list')}
        describedBy="messages-keys"
        top={topRow.value}
        onTop={(top) => (topRow.value = top)}
        onRange={(from, to) => {
          if (version >= 0) rows.want(from, to);
        }}
        pinned={tabStop}
        demand={selection.demand.value}
        row={(index) => {
          const row = rows.get(index);
          return (
            <MessageRow
              key={index}
              index={index}
              count={count}
              row={row}
              handle={handle}
              maxTokens={maxTokens}
              boundary={boundaryAt.get(index)}
              isSelected={index === selected}
              isTabStop={index === tabStop}
              isPlanned={
                row?.active === true &&
                plan !== undefined &&
                index >= plan.summarizedFrom &&
                index <= plan.summarizedTo &&
                !kept.has(row.id)
              }
            />
          );
        }}
        events={{
          onClick: (event) => onAction(event, activate),
          onDblClick: (event) => withRow(event, activate),
          onFocusIn: (event) => withRow(event, selection.select),
          onContextMenu: (event) => withRow(event, selection.select),
        }}
        onKey={onKey}
      >
        {plan === undefined ? null : <PivotLine plan={plan} count={count} canMove={flow.kind !== 'running'} />}
      </VirtualList>
    </>
  );
}

/** Where a key leads to; undefined for a key that moves nothing. */
function moved(key: string, from: number, count: number, pageRows: number): number | undefined {
  const targets = new Map([
    ['ArrowDown', from + 1],
    ['ArrowUp', from - 1],
    ['PageDown', from + pageRows],
    ['PageUp', from - pageRows],
    ['Home', 0],
    ['End', count - 1],
  ]);
  const target = targets.get(key);
  return target === undefined ? undefined : Math.max(0, Math.min(count - 1, target));
}

function rowOf(event: Event): HTMLElement | undefined {
  const target = event.target instanceof Element ? event.target.closest('[data-index]') : null;
  return target instanceof HTMLElement ? target : undefined;
}

function withRow(event: Event, act: (index: number) => void): void {
  const index = Number(rowOf(event)?.dataset['index']);
  if (Number.isInteger(index)) act(index);
}

/** Clicks on what a row offers to the mouse: its menu, which is VS Code's own, and a boundary's card. */
function onAction(event: MouseEvent, inspect: (index: number) => void): void {
  const target = event.target instanceof Element ? event.target.closest('[data-action]') : null;
  if (!(target instanceof HTMLElement)) return;
  if (target.dataset['action'] === 'inspect') {
    withRow(event, inspect);
    return;
  }
  const { clientX, clientY } = event;
  rowOf(event)?.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX, clientY }));
}
