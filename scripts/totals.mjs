// The counts that every suite prints as its last line, and their sum.

/** @typedef {{ passed: number, failed: number, skipped: number }} Total */

/** @returns {string} the closing line of a suite; skipped ones are named only where there are any */
export function totalLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** Reads the last total of a suite's output; undefined when it printed none, so that a suite that died is not taken for a green one. */
export function readTotal(output) {
  const all = [...output.matchAll(/^(?:.*: )?(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\s*$/gm)];
  const last = all.at(-1);
  if (last === undefined) return undefined;
  return { passed: Number(last[1]), failed: Number(last[2]), skipped: Number(last[3] ?? 0) };
}

/** @param {readonly Total[]} totals */
export function sum(totals) {
  const zero = { passed: 0, failed: 0, skipped: 0 };
  return totals.reduce((a, b) => ({ passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped }), zero);
}

/** A suite counts as broken when it failed, told nothing or ran nothing. That adds one failure where the suite itself named none. */
export function judge({ output, status }) {
  const total = readTotal(output) ?? { passed: 0, failed: 0, skipped: 0 };
  const ran = total.passed + total.failed;
  const broken = status !== 0 || ran === 0;
  return { ...total, failed: broken && total.failed === 0 ? 1 : total.failed };
}
