import { isCompactError } from '../errors/compactError';
import { field, isRecord, stringOf } from '../util/json';

/**
 * True when an error says that the model could not take so much text (seed 2, isPromptTooLongError): by the provider's error type, or by words
 * in its message, also where it is the cause of another error or wrapped in a provider's `error` record.
 */
export function isPromptTooLong(error: unknown): boolean {
  let at = error;
  for (let depth = 0; depth < DEEPEST && at !== undefined; depth += 1) {
    if (saysSo(at)) return true;
    at = isRecord(at) ? (field(at, 'cause') ?? field(at, 'error')) : undefined;
  }
  return false;
}

/** Chains of causes may be circular. */
const DEEPEST = 16;
const TYPES: ReadonlySet<string> = new Set(['prompt_too_long', 'context_window_full', 'context_length_exceeded']);
const WORDS = ['prompt is too long', 'prompt_too_long', 'context_window_full'];

function saysSo(error: unknown): boolean {
  if (isCompactError(error, 'promptTooLong')) return true;
  if (typeof error === 'string') return hasWords(error);
  if (!isRecord(error)) return false;
  const types = [stringOf(error, 'type'), stringOf(error, 'code')];
  if (types.some((type) => type !== undefined && TYPES.has(type.trim().toLowerCase()))) return true;
  // The message of an Error is an own property when it has one.
  return hasWords(stringOf(error, 'message') ?? '');
}

function hasWords(message: string): boolean {
  const text = message.toLowerCase();
  return WORDS.some((words) => text.includes(words));
}
