const MAX_CELLS = 44;

/**
 * Cells of a picture of `summarized` and `preserved` messages, true for preserved ones, which stand at the head or the tail. One cell a
 * message up to 44, then binned; neither kind loses its last cell to rounding. Empty for no messages.
 */
export function segmentCells(summarized: number, preserved: number, at: 'head' | 'tail'): readonly boolean[] {
  const total = summarized + preserved;
  const cells = Math.min(total, MAX_CELLS);
  const least = preserved > 0 ? 1 : 0;
  const most = summarized > 0 ? cells - 1 : cells;
  const kept = total === 0 ? 0 : Math.max(least, Math.min(most, Math.round((preserved / total) * cells)));
  const filled = Array.from({ length: kept }, () => true);
  const outlined = Array.from({ length: cells - kept }, () => false);
  return at === 'head' ? [...filled, ...outlined] : [...outlined, ...filled];
}
