import type { JsonRecord } from '../../util/json';
import { isRecord } from '../../util/json';

/** What Claude Code adds up to decide whether a context is full. */
const CONTEXT_FIELDS = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens', 'output_tokens'] as const;

/**
 * The JSON text of a `usage` of Anthropic's with every count at 0 and every list of counts empty. A kept record tells the size of the old
 * context; an agent that believes it compacts the copy at once and throws our summary away. Returns undefined when the text is no object (null).
 */
export function zeroUsage(text: string): string | undefined {
  const usage: unknown = JSON.parse(text);
  if (!isRecord(usage)) return undefined;
  return JSON.stringify({ ...zeroed(usage, 0), ...Object.fromEntries(CONTEXT_FIELDS.map((key) => [key, 0])) });
}

/** The same for the counts of other agents: those that are there become 0. */
export function zeroCounts(text: string): string | undefined {
  const counts: unknown = JSON.parse(text);
  return isRecord(counts) ? JSON.stringify(zeroed(counts, 0)) : undefined;
}

/** Usage is one or two levels deep; what lies deeper is not known to be a count and is dropped. */
function zeroed(record: JsonRecord, depth: number): JsonRecord {
  return Object.fromEntries(
    Object.entries(record).flatMap(([key, value]) => {
      if (typeof value === 'number') return [[key, 0]];
      if (Array.isArray(value)) return [[key, []]];
      if (isRecord(value)) return depth < 2 ? [[key, zeroed(value, depth + 1)]] : [];
      return [[key, value]];
    }),
  );
}
