import type { InspectReport } from '../core/view/inspectReport';

/** `152.3K`, `1.0M`, `812`. */
export function shortTokens(tokens: number): string {
  if (tokens >= 999_950) return `${(tokens / 1e6).toFixed(1)}M`;
  return tokens >= 1000 ? `${(tokens / 1000).toFixed(1)}K` : String(tokens);
}

const SIGNS: Readonly<Record<string, string>> = { provider_reported: '', local_estimate: '~', local_lower_bound: '≥', unknown: '?' };

/** A number with its provenance sign: nothing for reported, `~` for an estimate, `≥` for a lower bound. */
export function signed(tokens: number, measurement: string): string {
  return `${SIGNS[measurement] ?? ''}${shortTokens(tokens)}`;
}

export const STATE_WORDS: Readonly<Record<string, string>> = {
  normal: 'OK',
  warning: 'Filling up',
  error: 'Nearly full',
  autoCompact: 'Compacts next',
  blocked: 'Blocked',
  unknown: 'Unknown window',
};

/** One line: used, window, percent and state. */
export function gaugeLine(report: Pick<InspectReport, 'usage' | 'window' | 'warning'>): string {
  const { usage, window, warning } = report;
  const used = signed(usage.usedTokens, usage.measurement);
  const state = STATE_WORDS[warning.state] ?? warning.state;
  if (window.tokens === null) return `${used} tokens · window unknown (say --window N)`;
  const percent = Math.round((usage.usedTokens / window.tokens) * 100);
  return `${used} of ${shortTokens(window.tokens)} · ${percent} % · ${state}`;
}

const BAR = 40;

/** A bar of forty cells with the given share filled. */
export function bar(share: number): string {
  const filled = Math.max(0, Math.min(BAR, Math.round(share * BAR)));
  return '█'.repeat(filled) + '░'.repeat(BAR - filled);
}

/** Pads columns: text left, numbers (cells that start with a digit or sign) right. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, cell.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => {
          const width = widths[column] ?? 0;
          return /^[~≥?]?\d[\d.,]*[KM]?$/.test(cell) ? cell.padStart(width) : column === row.length - 1 ? cell : cell.padEnd(width);
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
