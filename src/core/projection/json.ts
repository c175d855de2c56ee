import { escapeMarkup } from '../util/escapeMarkup';

/** JSON with the keys as they stand, escaped as the measured code writes it (seed 2). */
export function projectionJson(value: unknown): string {
  return escapeMarkup(JSON.stringify(value));
}

/** The value of a JSON text; undefined when it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
