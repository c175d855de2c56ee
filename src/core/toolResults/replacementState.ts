/** A decision about one tool result, as it is kept with the conversation. `replacement` is the exact text that the model sees. */
export interface ReplacementRecord {
  readonly kind: 'tool-result';
  readonly toolUseId: string;
  readonly replacement: string;
}

/**
 * Decisions about tool results, each made once: an id that was seen is never considered again, and one with a replacement always shows that
 * text, so that what was sent before stays byte for byte the same (P61, R48).
 */
export interface ReplacementState {
  readonly seen: ReadonlySet<string>;
  readonly replacements: ReadonlyMap<string, string>;
}

export const EMPTY_REPLACEMENTS: ReplacementState = { seen: new Set(), replacements: new Map() };

/** The state after more ids were seen and more records made. A decision that stands is never changed (P61). */
export function withDecisions(state: ReplacementState, seen: Iterable<string>, records: Iterable<ReplacementRecord>): ReplacementState {
  const replacements = new Map(state.replacements);
  for (const { toolUseId, replacement } of records) if (!replacements.has(toolUseId)) replacements.set(toolUseId, replacement);
  return { seen: new Set([...state.seen, ...seen]), replacements };
}
