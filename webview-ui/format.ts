// Numbers, times and provenance signs. Token counts are short everywhere ("152.3K"); the exact number stands in the tooltip.
import type { ViewMeasurement } from '../src/core/protocol/viewModel';

export interface Format {
  /** "180", "152.3K", "1.05M". */
  readonly tokens: (count: number) => string;
  /** "152,304". */
  readonly exact: (count: number) => string;
  /** From a percentage of 0 … 100: "76%"; with `digits` 1: "12.1%". */
  readonly percent: (percentage: number, digits?: number) => string;
  /** Dollars: "$0.05", "$0.0021", "$12.40"; four digits below a cent. */
  readonly usd: (dollars: number) => string;
  /** "350 ms", "48.2 s", "3 min 20 s". */
  readonly duration: (ms: number) => string;
  /** Date and time of an ISO 8601 text in the user's zone; the text itself when it is no time. */
  readonly time: (iso: string) => string;
}

/** Where a number comes from: ● reported, ~ estimate, ≥ lower bound, = derived, ? unknown. */
export const SIGNS = {
  reported: '●',
  estimate: '~',
  lowerBound: '≥',
  derived: '=',
  unknown: '?',
} as const satisfies Record<ViewMeasurement, string>;

const MS_PER_SECOND = 1000;
const SECONDS_PER_MINUTE = 60;

/** Makes the formats of a BCP 47 locale; an unknown one gives English. */
export function createFormat(locale: string): Format {
  const usable = isLocale(locale) ? locale : 'en';
  const number = (digits: number): Intl.NumberFormat => new Intl.NumberFormat(usable, { maximumFractionDigits: digits });
  const whole = number(0);
  const tenths = number(1);
  const hundredths = number(2);
  const percents = [0, 1].map(
    (digits) => new Intl.NumberFormat(usable, { style: 'percent', minimumFractionDigits: digits, maximumFractionDigits: digits }),
  );
  const money = [2, 4].map(
    (digits) =>
      new Intl.NumberFormat(usable, { style: 'currency', currency: 'USD', minimumFractionDigits: digits, maximumFractionDigits: digits }),
  );
  const times = new Intl.DateTimeFormat(usable, { dateStyle: 'medium', timeStyle: 'short' });
  return {
    tokens(count) {
      // 999,950 would round to "1000K".
      if (count >= 999_950) return `${hundredths.format(count / 1_000_000)}M`;
      if (count >= 1000) return `${tenths.format(count / 1000)}K`;
      return whole.format(count);
    },
    exact: (count) => whole.format(count),
    percent: (percentage, digits = 0) => (percents[digits] ?? percents[0])?.format(percentage / 100) ?? '',
    usd: (dollars) => money[dollars !== 0 && Math.abs(dollars) < 0.01 ? 1 : 0]?.format(dollars) ?? '',
    duration(ms) {
      if (ms < MS_PER_SECOND) return `${whole.format(ms)} ms`;
      const seconds = Math.round(ms / (MS_PER_SECOND / 10)) / 10;
      if (seconds < SECONDS_PER_MINUTE) return `${tenths.format(seconds)} s`;
      const rounded = Math.round(seconds);
      return `${whole.format(Math.floor(rounded / SECONDS_PER_MINUTE))} min ${whole.format(rounded % SECONDS_PER_MINUTE)} s`;
    },
    time(iso) {
      const at = new Date(iso);
      return Number.isNaN(at.getTime()) ? iso : times.format(at);
    },
  };
}

function isLocale(locale: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(locale).length > 0;
  } catch {
    return false;
  }
}
