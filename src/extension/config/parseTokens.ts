const UNITS: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['k', 1000],
  ['m', 1_000_000],
]);

/** Reads a number of tokens that a person wrote: `200000`, `200,000`, `200K`, `1M`, `1.5m`. Undefined for anything else, for 0 and beyond 10^8. */
export function parseTokens(text: string): number | undefined {
  const match = /^(\d[\d,_ ]{0,15}(?:\.\d{1,6})?) ?([kKmM]?)$/.exec(text.trim());
  if (match === null) return undefined;
  const value = Number((match[1] ?? '').replace(/[,_ ]/g, '')) * (UNITS.get((match[2] ?? '').toLowerCase()) ?? 1);
  return Number.isInteger(value) && value >= 1 && value <= 1e8 ? value : undefined;
}
