import { CompactError, isCompactError } from '../errors/compactError';
import { parseEnvelope, tidySummary } from './envelope';

/** A model's raw answer to a summary request. */
export interface ModelReply {
  readonly text: string;
  /** Why it stopped, in the provider's word; undefined when it did not say. */
  readonly stopReason: string | undefined;
}

/** Words of the providers for "the output limit was reached". */
const CUT_OFF = new Set(['length', 'max_tokens', 'max_output_tokens', 'model_length', 'MAX_TOKENS']);

/**
 * The summary in a model's reply. Throws CompactError: `incomplete` when it stopped at its output limit (R12), `noSummary` when there is no
 * text or no valid envelope (R11, R13), `api` when the text is a provider's error message.
 */
export function summaryFromReply(reply: ModelReply): string {
  if (reply.stopReason !== undefined && CUT_OFF.has(reply.stopReason)) throw new CompactError('incomplete');
  const text = withoutThinkTag(reply.text).trim();
  if (text === '') throw new CompactError('noSummary');
  if (/^API Error\b/.test(text)) throw new CompactError('api');
  const summary = parseEnvelope(text);
  if (summary === undefined) throw new CompactError('noSummary', MALFORMED);
  return tidySummary(summary);
}

/** True when the reply had text, but not in the required form: asking once more for the form may help (DECISIONS 13 of the specification). */
export function isMalformed(error: unknown): boolean {
  return isCompactError(error, 'noSummary') && error.message === MALFORMED;
}

const MALFORMED = 'malformed';

/** Some local models write their reasoning into the answer, ahead of it, between `<think>` tags. */
function withoutThinkTag(text: string): string {
  const start = text.trimStart();
  if (!start.startsWith('<think>')) return text;
  const end = start.indexOf('</think>');
  return end < 0 ? '' : start.slice(end + '</think>'.length);
}
