/**
 * JSON with `<`, `>`, `&` and the two line separators spelled as escapes, as the code behind the vectors writes it (seed 2). Parsing gives the same
 * value back.
 */
export function escapeMarkup(json: string): string {
  return json.replace(MARKUP, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const MARKUP = /[<>&\u2028\u2029]/g;
