/**
 * Makes a function that names the calendar day (`YYYY-MM-DD`) of an ISO 8601 time in a time zone, also where clocks are changed (R39). The
 * function answers undefined for a text that is no time. Throws a RangeError for an unknown zone.
 */
export function createDayKey(timeZone: string): (timestamp: string) => string | undefined {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return (timestamp) => {
    const time = Date.parse(timestamp);
    if (!Number.isFinite(time)) return undefined;
    const parts = new Map(format.formatToParts(time).map((part) => [part.type, part.value]));
    return `${(parts.get('year') ?? '').padStart(4, '0')}-${parts.get('month') ?? ''}-${parts.get('day') ?? ''}`;
  };
}

/** Day of one time in a time zone; for many times make one function with `createDayKey`. */
export function dayKey(timestamp: string, timeZone: string): string | undefined {
  return createDayKey(timeZone)(timestamp);
}
