import type { Translate } from './translate';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Tokens in short: `999`, `1.2K`, `152K`, `1.5M`. One decimal below 10 of a unit, rounded so that 999.6K reads `1M`. */
export function shortTokens(tokens: number, locale: string): string {
  if (tokens < 1000) return whole(tokens, locale);
  const unit = tokens < 999_500 ? { size: 1000, sign: 'K' } : { size: 1_000_000, sign: 'M' };
  const value = tokens / unit.size;
  const digits = value < 9.95 ? 1 : 0;
  return `${new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(value)}${unit.sign}`;
}

/** A whole number with the separators of the language. */
export function whole(value: number, locale: string): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }).format(value);
}

/** Percent without decimals, and never 100 for what is not full yet. */
export function shortPercent(percent: number): string {
  return String(percent < 100 ? Math.min(99, Math.round(percent)) : Math.round(percent));
}

/** How long ago: `now`, `2 min ago`, `3 h ago`, `4 d ago`. A time in the future counts as now. */
export function ago(ms: number, t: Translate): string {
  if (ms < MINUTE_MS) return t('now');
  if (ms < HOUR_MS) return t('{0} min ago', Math.floor(ms / MINUTE_MS));
  if (ms < DAY_MS) return t('{0} h ago', Math.floor(ms / HOUR_MS));
  return t('{0} d ago', Math.floor(ms / DAY_MS));
}
