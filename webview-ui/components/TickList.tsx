import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ClearableView } from '../../src/core/protocol/planView';
import { useStore, useWords } from '../context';
import { isLocked } from '../micro';
import { visibleText } from '../outsideText';
import { Box } from './Box';
import { Icon } from './Icon';
import { Outside } from './Outside';
import { Tokens } from './Tokens';
import { useGridKeys, type GridKeys } from './useGridKeys';

/** Two lines of text. */
const ROW_PX = 44;
const OVERSCAN = 6;
const FIRST_ROWS = 12;

export interface TickListProps {
  readonly results: readonly ClearableView[];
  readonly label: string;
  readonly disabled: boolean;
  readonly onToggle: (result: ClearableView) => void;
}

/** Tool results with a tick each, largest first; only the rows around what is seen are in the document. One tab stop. */
export function TickList({ results, label, disabled, onToggle }: TickListProps): VNode {
  const list = useRef<HTMLDivElement | null>(null);
  const [range, setRange] = useState({ from: 0, to: FIRST_ROWS });
  const measure = (): void => {
    const element = list.current;
    if (element === null) return;
    const from = Math.floor(element.scrollTop / ROW_PX);
    const to = Math.ceil((element.scrollTop + element.clientHeight) / ROW_PX);
    if (from !== range.from || to !== range.to) setRange({ from, to });
  };
  const grid = useGridKeys<HTMLDivElement>(results.length, (row) => {
    const element = list.current;
    if (element === null) return;
    const top = row * ROW_PX;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + ROW_PX > element.scrollTop + element.clientHeight) element.scrollTop = top + ROW_PX - element.clientHeight;
    measure();
  });
  useEffect(measure);
  const from = Math.max(0, range.from - OVERSCAN);
  const to = Math.min(results.length, range.to + OVERSCAN);
  const drawn = Array.from({ length: Math.max(0, to - from) }, (_, offset) => from + offset);
  // The row with the tab stop is drawn wherever the list is scrolled to.
  if (grid.row < from) drawn.unshift(grid.row);
  else if (grid.row >= to && grid.row < results.length) drawn.push(grid.row);
  return (
    <div
      class="ticks"
      role="grid"
      aria-label={label}
      aria-rowcount={results.length}
      data-testid="tick-list"
      ref={(element) => {
        list.current = element;
        grid.ref.current = element;
      }}
      onScroll={measure}
      onKeyDown={grid.onKeyDown}
      onFocusIn={grid.onFocusIn}
    >
      <Box class="ticks-space" role="presentation" vars={{ '--count': String(results.length), '--row-height': `${ROW_PX}px` }}>
        {drawn.map((row) => {
          const result = results[row];
          if (result === undefined) return null;
          return <Tick key={result.toolUseId} row={row} result={result} grid={grid} disabled={disabled} onToggle={onToggle} />;
        })}
      </Box>
    </div>
  );
}

interface TickProps {
  readonly row: number;
  readonly result: ClearableView;
  readonly grid: GridKeys<HTMLDivElement>;
  readonly disabled: boolean;
  readonly onToggle: (result: ClearableView) => void;
}

function Tick({ row, result, grid, disabled, onToggle }: TickProps): VNode {
  const { selection } = useStore();
  const { t, plural } = useWords();
  const { tool, about, index, reason, protection, chosen, turnsAgo } = result;
  const locked = isLocked(result);
  const why = protection === null ? t(`micro.${reason}`) : t(`micro.protected.${protection}`);
  const name = visibleText(about === '' ? tool : `${tool} ${about}`);
  return (
    <Box
      role="row"
      class={chosen ? 'tick-row is-chosen' : 'tick-row'}
      aria-rowindex={row + 1}
      vars={{ '--index': String(row) }}
      data-testid="tick"
      data-id={result.toolUseId}
    >
      <span role="gridcell">
        <input
          type="checkbox"
          {...grid.cell(row, 0)}
          checked={chosen}
          aria-disabled={locked || disabled}
          aria-label={t('micro.clear', { name })}
          aria-description={why}
          title={locked ? why : undefined}
          onClick={(event) => {
            if (locked || disabled) event.preventDefault();
          }}
          onChange={() => {
            if (!locked && !disabled) onToggle(result);
          }}
        />
      </span>
      <span role="gridcell" class="tick-name" title={name}>
        <strong>
          <Outside text={tool} />
        </strong>{' '}
        <Outside text={about} />
      </span>
      <span role="gridcell" class="number">
        <Tokens count={result.tokens} />
      </span>
      <span role="gridcell" class="tick-why">
        <button
          type="button"
          class="link number"
          {...grid.cell(row, 1)}
          title={t('lost.show', { index })}
          aria-label={t('lost.show', { index })}
          onClick={() => selection.show(index)}
        >
          #{index}
        </button>
        <span class={protection === null ? 'tick-reason' : 'tick-reason is-protected'} title={why}>
          {protection === null ? null : <Icon name="pin" tone="muted" />}
          {why}
        </span>
        <span class="tick-age muted">{turnsAgo === 0 ? t('micro.thisTurn') : plural('micro.age', turnsAgo)}</span>
      </span>
    </Box>
  );
}
