/** JSON with the keys as they stand, and escaped as the measured code writes it: `<`, `>`, `&` and the two line separators (seed 2). */
export function projectionJson(value: unknown): string {
  return JSON.stringify(value).replace(ESCAPED, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const ESCAPED = /[<>&\u2028\u2029]/g;

/** The value of a JSON text; undefined when it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
