import type { APIConnectionError, APIError } from 'openai';
import { brokenOff } from '../../core/compaction/modelSummary';
import { CompactError } from '../../core/errors/compactError';
import { field, isRecord, stringOf } from '../../core/util/json';

/** The package's error classes; it is loaded late, so they are passed in. */
export interface ErrorClasses {
  readonly APIError: typeof APIError;
  readonly APIConnectionError: typeof APIConnectionError;
}

export interface CallFacts {
  readonly host: string;
  readonly model: string;
  readonly hasKey: boolean;
  /** Bytes of the answer had begun to arrive. */
  readonly hasAnswer: boolean;
  readonly timedOutAfterMs: number | undefined;
}

/**
 * Turns what a call threw into one CompactError with one sentence. Only the host, the model's name and the status are named: the server's
 * own text may repeat the transcript or the key and is dropped, from the cause too.
 */
export function failureOf(error: unknown, facts: CallFacts, classes: ErrorClasses): CompactError {
  const ours = causes(error).find((cause) => cause instanceof CompactError);
  if (ours !== undefined) return ours;
  if (facts.timedOutAfterMs !== undefined) return timeout(facts, facts.timedOutAfterMs);
  if (error instanceof classes.APIConnectionError) return networkFailure(error, facts);
  if (error instanceof classes.APIError) return statusFailure(error, facts);
  if (facts.hasAnswer) return brokenOff(facts.host);
  return new CompactError(
    'api',
    `The server ${facts.host} gave an answer that is not readable; check its address.`,
    note(error, 'unreadable'),
  );
}

/** True for a failure of the network alone, before any byte of an answer: the only kind that is worth another try. */
export function isWorthRetrying(error: unknown, facts: CallFacts, classes: ErrorClasses): boolean {
  if (facts.hasAnswer || facts.timedOutAfterMs !== undefined || !(error instanceof classes.APIConnectionError)) return false;
  return !causes(error).some((cause) => cause instanceof CompactError) && !TIMEOUTS.has(codeOf(error)) && !isCertificate(codeOf(error));
}

/** True when a server refused a request because of this parameter, and not because of the length of the text. */
export function complainsAbout(error: unknown, parameter: string, classes: ErrorClasses): boolean {
  if (!(error instanceof classes.APIError)) return false;
  const { status, texts } = reported(error);
  return (status === 400 || status === 422) && !texts.some((text) => TOO_LONG.test(text)) && texts.some((text) => text.includes(parameter));
}

const TIMEOUTS = new Set(['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

function networkFailure(error: unknown, facts: CallFacts): CompactError {
  const code = codeOf(error);
  const because = note(error, code);
  const unavailable = (sentence: string): CompactError => new CompactError('summarizerUnavailable', sentence, because);
  if (TIMEOUTS.has(code))
    return new CompactError('api', `The server ${facts.host} did not answer in time; try again later or use the offline summary.`, because);
  if (code === 'ECONNREFUSED') return unavailable(`No server answers at ${facts.host}; start it or check the address.`);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return unavailable(`The host ${facts.host} was not found; check the address and your network.`);
  if (isCertificate(code))
    return unavailable(`The certificate of ${facts.host} is not trusted; check the address or add the certificate to this machine.`);
  return unavailable(`The connection to ${facts.host} failed; check the address and your network, or use the offline summary.`);
}

function statusFailure(error: Error, facts: CallFacts): CompactError {
  const { status, texts } = reported(error);
  const because = note(error, `status ${status ?? 'unknown'}`);
  const api = (sentence: string): CompactError => new CompactError('api', sentence, because);
  if (status === 413 || texts.some((text) => TOO_LONG.test(text))) return new CompactError('promptTooLong', undefined, because);
  if (status === 401 || status === 403) {
    if (!facts.hasKey) return api(`The server ${facts.host} asks for a key; set one for the summarizer.`);
    return api(`The server ${facts.host} refused the key; check that it is right and may use the model ${model(facts)}.`);
  }
  if (status === 404)
    return api(`The server ${facts.host} knows no model ${model(facts)} at this address; check the name and the address.`);
  if (status === 429)
    return api(`The server ${facts.host} takes no more requests for now; wait a while or check the limits of your account.`);
  if (status === 408 || (status !== undefined && status >= 500)) {
    return api(`The server ${facts.host} reported a fault of its own (status ${status}); try again later or use the offline summary.`);
  }
  if (status === undefined)
    return api(`The server ${facts.host} reported an error while it answered; try again later or use the offline summary.`);
  return api(`The server ${facts.host} did not accept the request (status ${status}); check the model’s name and the address.`);
}

function timeout(facts: CallFacts, ms: number): CompactError {
  const seconds = Math.max(1, Math.round(ms / 1000));
  return new CompactError(
    'api',
    `The server ${facts.host} sent nothing for ${seconds} s; try again, choose a smaller part, or use the offline summary.`,
  );
}

/** How servers say that the prompt does not fit (seed 2 and the common local servers). */
const TOO_LONG =
  /prompt is too long|prompt_too_long|context_window_full|context_length|context length|context size|context window|maximum context|too many tokens|exceed_context/i;

/** Status and texts of a server's error. A server sends what it likes, so the package's types promise too much. */
function reported(error: Error): { readonly status: number | undefined; readonly texts: readonly string[] } {
  const record = isRecord(error) ? error : {};
  const status = field(record, 'status');
  const texts = ['code', 'type', 'param', 'message'].map((name) => stringOf(record, name)?.slice(0, 4000) ?? '');
  return { status: typeof status === 'number' ? status : undefined, texts };
}

function isCertificate(code: string): boolean {
  return code.includes('CERT') || code.startsWith('ERR_TLS') || code.startsWith('ERR_SSL') || code === 'EPROTO';
}

/** The error, what it was caused by, and so on; a few at most. */
function causes(error: unknown): readonly unknown[] {
  const chain: unknown[] = [];
  for (let cause = error; cause !== undefined && chain.length < 8; cause = cause instanceof Error ? cause.cause : undefined)
    chain.push(cause);
  return chain;
}

function codeOf(error: unknown): string {
  for (const cause of causes(error)) {
    const code = isRecord(cause) ? stringOf(cause, 'code') : undefined;
    if (code !== undefined) return code;
  }
  return '';
}

/** A cause for the log that holds a kind of error and a code, and never a text from outside. */
function note(error: unknown, fact: string): { readonly cause: Error } {
  const kind = error instanceof Error ? error.name : typeof error;
  return { cause: new Error([kind, fact].map((word) => word.replace(/[^\w .-]/g, '').slice(0, 60)).join(': ')) };
}

function model(facts: CallFacts): string {
  return `“${facts.model.replace(/[\p{Cc}\p{Cf}]/gu, ' ').slice(0, 80)}”`;
}
