import { escapeMarkup } from '../util/escapeMarkup';
import { isRecord } from '../util/json';

/**
 * JSON as the code behind the vectors writes it for a provider: keys in order of their bytes, and `<`, `>`, `&` and the two line separators
 * escaped. '' for a value that has no JSON.
 */
export function providerJson(value: unknown): string {
  if (value === undefined) return '';
  return escapeMarkup(JSON.stringify(sorted(value)));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, sorted(item)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
