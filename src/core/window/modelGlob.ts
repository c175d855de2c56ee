import { plainModelId } from '../model/modelId';

/**
 * The value of the longest pattern that fits a model's id, as it is written or without what routers and clouds put around it; undefined when
 * none fits. Patterns know `*` for any text and `?` for one unit, without case. Values that are not usable count for nothing.
 */
export function matchingEntry<T>(
  entries: Readonly<Record<string, unknown>>,
  model: string,
  isUsable: (value: unknown) => value is T,
): T | undefined {
  const plain = plainModelId(model);
  let best: { readonly pattern: string; readonly value: T } | undefined;
  for (const [pattern, value] of Object.entries(entries)) {
    if (!isUsable(value) || (best !== undefined && pattern.length <= best.pattern.length)) continue;
    const wanted = pattern.toLowerCase();
    if (matchesGlob(wanted, model.toLowerCase()) || matchesGlob(wanted, plain)) best = { pattern, value };
  }
  return best?.value;
}

/** Compares a text with a pattern in which `*` stands for any text and `?` for one unit. At most pattern × text steps. */
function matchesGlob(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let resume = 0;
  while (t < text.length) {
    if (p < pattern.length && pattern[p] === '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === text[t])) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++resume;
    } else return false;
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}
