/** One equation of a fit: a · x should be y. */
export interface Equation {
  readonly a: readonly number[];
  readonly y: number;
}

const ROUNDS = 50;
/** Residuals below this count alike, so that no single equation rules the fit. */
const FLAT = 0.004;

/**
 * Finds x ≥ 0 with the least sum of |a · x − y|, where what is above y costs 1 − `quantile` and what is below costs `quantile`
 * (½: least absolute deviations). Reweighted least squares; columns that come out negative are set to 0.
 */
export function leastDeviations(equations: readonly Equation[], quantile = 0.5): readonly number[] {
  const width = equations[0]?.a.length ?? 0;
  let used = Array.from({ length: width }, (_, column) => column).filter((column) => equations.some(({ a }) => a[column] !== 0));
  for (;;) {
    const x = reweighted(equations, used, quantile);
    const negative = used.filter((_, at) => (x[at] ?? 0) < 0);
    if (negative.length === 0) return Array.from({ length: width }, (_, column) => x[used.indexOf(column)] ?? 0);
    used = used.filter((column) => !negative.includes(column));
  }
}

function reweighted(equations: readonly Equation[], used: readonly number[], quantile: number): readonly number[] {
  let x: readonly number[] = used.map(() => 0);
  for (let round = 0; round < ROUNDS; round++) {
    const rows = equations.map(({ a, y }) => {
      const values = used.map((column) => a[column] ?? 0);
      const over = values.reduce((sum, value, at) => sum + value * (x[at] ?? 0), 0) - y;
      const cost = over > 0 ? 1 - quantile : quantile;
      return { values, y, weight: round === 0 ? 1 : cost / Math.max(Math.abs(over), FLAT) };
    });
    x = solve(rows, used.length);
  }
  return x;
}

function solve(rows: readonly { readonly values: readonly number[]; readonly y: number; readonly weight: number }[], n: number): number[] {
  const m = Array.from({ length: n }, () => new Float64Array(n + 1));
  for (const { values, y, weight } of rows) {
    for (let i = 0; i < n; i++) {
      const line = m[i];
      const factor = weight * (values[i] ?? 0);
      if (line === undefined || factor === 0) continue;
      for (let j = 0; j < n; j++) line[j] = (line[j] ?? 0) + factor * (values[j] ?? 0);
      line[n] = (line[n] ?? 0) + factor * y;
    }
  }
  for (let i = 0; i < n; i++) {
    const pivot = m[i];
    if (pivot === undefined) continue;
    const diagonal = pivot[i] ?? 0;
    if (Math.abs(diagonal) < 1e-12) continue;
    for (let j = 0; j <= n; j++) pivot[j] = (pivot[j] ?? 0) / diagonal;
    for (let k = 0; k < n; k++) {
      const line = m[k];
      if (k === i || line === undefined) continue;
      const factor = line[i] ?? 0;
      for (let j = 0; j <= n; j++) line[j] = (line[j] ?? 0) - factor * (pivot[j] ?? 0);
    }
  }
  return m.map((line) => line[n] ?? 0);
}
