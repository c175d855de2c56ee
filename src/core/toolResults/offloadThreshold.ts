/** UTF-16 units up to which a tool result stays in the conversation as it is. */
export const DEFAULT_OFFLOAD_CHARS = 50_000;

/** Where a tool may lower its threshold, the first one that says something usable wins (seed 2, persistenceThreshold). */
const THRESHOLD_KEYS = [
  'maxResultSizeChars',
  'max_result_size_chars',
  'persistenceThreshold',
  'persistThreshold',
  'toolResultPersistenceThreshold',
] as const;

const NEVER: ReadonlySet<string> = new Set(['inf', 'infinity', 'unbounded', 'max', 'none', 'off', 'false', 'disabled']);
const INTEGER = /^[+-]?\d+$/;

/**
 * Length in UTF-16 units above which a result with this metadata is moved to the store; undefined where its tool wants it never moved. A tool
 * may lower the threshold and not raise it; what is no positive whole number says nothing (seed 2, persistenceThreshold).
 */
export function offloadThreshold(metadata: ReadonlyMap<string, string> | undefined): number | undefined {
  for (const key of THRESHOLD_KEYS) {
    const value = metadata?.get(key)?.trim().toLowerCase() ?? '';
    if (NEVER.has(value)) return undefined;
    const number = INTEGER.test(value) ? Number(value) : 0;
    if (number > 0) return Math.min(number, DEFAULT_OFFLOAD_CHARS);
  }
  return DEFAULT_OFFLOAD_CHARS;
}
