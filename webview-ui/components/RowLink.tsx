import type { VNode } from 'preact';
import { useStore, useWords } from '../context';
import type { GridCell } from './useGridKeys';

export interface RowLinkProps {
  readonly index: number;
  /** What pressing it does, with the number. */
  readonly label: string;
  readonly cell?: GridCell;
}

/** Number of a message, which leads to its row. */
export function RowLink({ index, label, cell }: RowLinkProps): VNode {
  const { selection } = useStore();
  const { exact } = useWords();
  return (
    <button type="button" class="link number" title={label} aria-label={label} {...cell} onClick={() => selection.show(index)}>
      #{exact(index)}
    </button>
  );
}
