/** Limits a number to [low, high]; NaN becomes `low`. */
export function clamp(value: number, low: number, high: number): number {
  if (!(value > low)) return low;
  return value < high ? value : high;
}
