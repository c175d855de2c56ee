import { isTokenCount, type Usage } from '../model/usage';
import { field, isRecord, type JsonRecord } from '../util/json';

/** Raw numbers of a report, still of any type. Absent and null parts count as 0; `input` has to be there. */
export interface RawUsage {
  readonly input: unknown;
  readonly output: unknown;
  readonly cacheRead: unknown;
  readonly cacheCreation: unknown;
}

/**
 * Makes a usage of raw numbers, or undefined when the report cannot be trusted: a part of a wrong type, negative, fractional or above 10^8,
 * no input at all, or nothing but zeros (R27).
 */
export function usableUsage(raw: RawUsage): Usage | undefined {
  const inputTokens = raw.input;
  const outputTokens = raw.output ?? 0;
  const cacheReadTokens = raw.cacheRead ?? 0;
  const cacheCreationTokens = raw.cacheCreation ?? 0;
  if (!isTokenCount(inputTokens) || !isTokenCount(outputTokens)) return undefined;
  if (!isTokenCount(cacheReadTokens) || !isTokenCount(cacheCreationTokens)) return undefined;
  if (inputTokens + outputTokens + cacheReadTokens + cacheCreationTokens === 0) return undefined;
  return { inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens };
}

/** Reads the `usage` of an Anthropic message. Its input excludes both cache parts; a server-side loop sums up, and its last step is the context. */
export function anthropicUsage(value: unknown): Usage | undefined {
  if (!isRecord(value)) return undefined;
  const usage = anthropicNumbers(value);
  const last = lastIteration(value);
  if (usage === undefined || last === undefined) return usage;
  const step = anthropicNumbers(last);
  if (step === undefined) return usage;
  const contextTokens = step.inputTokens + step.cacheReadTokens + step.cacheCreationTokens + step.outputTokens;
  return { ...usage, contextTokens };
}

function anthropicNumbers(value: JsonRecord): Usage | undefined {
  return usableUsage({
    input: field(value, 'input_tokens'),
    output: field(value, 'output_tokens'),
    cacheRead: field(value, 'cache_read_input_tokens'),
    cacheCreation: field(value, 'cache_creation_input_tokens'),
  });
}

/** The last of several requests that a server made inside one response; undefined when there was only one. */
function lastIteration(value: JsonRecord): JsonRecord | undefined {
  const iterations = field(value, 'iterations');
  if (!Array.isArray(iterations) || iterations.length < 2) return undefined;
  const last: unknown = iterations[iterations.length - 1];
  return isRecord(last) ? last : undefined;
}
