// A summary by any language model: the request with secrets masked, the reading and checking of the answer, and one repair of it. Who carries
// the texts is the caller's.
import { CompactError } from '../errors/compactError';
import type { Message } from '../model/message';
import type { SummaryNote, SummaryReply, SummaryRequest } from '../ports/summarizer';
import { maskMessages } from '../privacy/maskMessages';
import { outgoingRequest } from '../privacy/outgoingRequest';
import { CONCISE_SECTIONS } from '../prompts/conciseSummary';
import { REPAIR_REQUEST, SUMMARY_SECTIONS } from '../prompts/summaryPrompt';
import { isMalformed, summaryFromReply, type ModelReply } from '../prompts/summaryReply';
import { checkSummary, UNKNOWN_MARK, type SummaryCheck } from './checkSummary';
import { ledgerOf } from './ledger';
import { replyKind } from './replyKind';

/** One message of the talk with a model. */
export interface ModelTurn {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface AskedReply extends ModelReply {
  readonly usage: SummaryReply['usage'];
  /** The model declined in the provider's own way. */
  readonly isRefused: boolean;
}

export interface AskedModel {
  /** Whom people know as the one that answers: a host, or a model's name. */
  readonly name: string;
  /** Sends the turns and answers the model's reply. Rejects with a CompactError. */
  ask(turns: readonly ModelTurn[]): Promise<AskedReply>;
}

/** Limits of a summary in characters (threat model: implausible sizes are refused). */
const LONGEST_SUMMARY = 80_000;
const SHORTEST_FULL_SUMMARY = 200;
/** A session of less text than this may have a summary of any form and length, and needs no ledger beside it. */
const SHORT_SOURCE = 4000;
/** Largest request that is sent at all, in UTF-16 units; more fits into no window. */
export const LONGEST_PROMPT = 4_000_000;

/**
 * Asks a model for a summary and checks it: the strict envelope, a plausible size, the sections, no dropped facts and no invented files, with
 * one try to get a better answer. Likely secrets never leave in the request. Behind the answer stands what we counted ourselves. `nonce` is as
 * for `summaryPrompt`. Rejects with a CompactError: the model's own, `promptTooLong`, `noSummary`, `incomplete` or `invalidSummary`.
 */
export async function summarizeWithModel(request: SummaryRequest, model: AskedModel, nonce: string): Promise<SummaryReply> {
  const outgoing = outgoingRequest(request, nonce);
  if (outgoing.user.length > LONGEST_PROMPT) throw new CompactError('promptTooLong');
  const turns: readonly ModelTurn[] = [
    { role: 'system', content: outgoing.system },
    { role: 'user', content: outgoing.user },
  ];
  // An answer is held against what the model has read: what is wrong with it is quoted to it, and a secret must not leave on that way either.
  const { messages } = maskMessages(request.messages);
  const job: Job = { request, messages, model, isLong: outgoing.user.length >= SHORT_SOURCE };
  const reply = await model.ask(turns);
  const first = readReply(reply, job);
  if (first.repair === undefined) return finished(first, reply.usage, job, outgoing.secrets.length);
  // A second failure is final.
  const again = await model.ask([
    ...turns,
    { role: 'assistant', content: reply.text.slice(0, 2 * LONGEST_SUMMARY) },
    { role: 'user', content: first.repair },
  ]);
  return finished(readReply(again, job), sum(reply.usage, again.usage), job, outgoing.secrets.length);
}

/** The error for an answer that had begun and ended too early. */
export function brokenOff(name: string): CompactError {
  return new CompactError('incomplete', `The answer of ${name} broke off; try again or use the offline summary.`);
}

interface Job {
  readonly request: SummaryRequest;
  /** As they were sent. */
  readonly messages: readonly Message[];
  readonly model: AskedModel;
  readonly isLong: boolean;
}

/** What came of one answer. `repair` asks for a better one; `error` says why this one cannot be used. */
interface Reading {
  readonly check: SummaryCheck | undefined;
  readonly error: CompactError | undefined;
  readonly repair: string | undefined;
}

/** Reads and checks one answer. Throws where asking again would be of no use. */
function readReply(reply: AskedReply, { request, messages, model, isLong }: Job): Reading {
  const { name } = model;
  const kind = reply.isRefused ? 'refusal' : replyKind(reply);
  if (kind === 'refusal') {
    throw new CompactError('noSummary', `The model at ${name} declined to summarize this text; use another model or the offline summary.`);
  }
  if (kind === 'webPage') {
    throw new CompactError(
      'noSummary',
      `A web page came from ${name} instead of a summary; check its address, or use the offline summary.`,
    );
  }
  if (kind === 'toolCall') {
    const message = `The model at ${name} called a tool instead of writing a summary; use another model or the offline summary.`;
    return { check: undefined, error: new CompactError('noSummary', message), repair: `${NO_TOOLS} ${REPAIR_REQUEST}` };
  }
  let text: string;
  try {
    text = summaryFromReply(reply);
  } catch (error) {
    if (!isMalformed(error)) throw error;
    // A stream that ends without a reason was cut by somebody on the way.
    if (reply.stopReason === undefined) throw brokenOff(name);
    return { check: undefined, error: new CompactError('noSummary', undefined, { cause: error }), repair: REPAIR_REQUEST };
  }
  const shortest = request.direction === undefined && isLong ? SHORTEST_FULL_SUMMARY : 1;
  if (text.length < shortest || text.length > LONGEST_SUMMARY) throw new CompactError('invalidSummary');
  const titles = (request.style === 'concise' ? CONCISE_SECTIONS : SUMMARY_SECTIONS).map(([title]) => title);
  const check = checkSummary(text, { messages, sections: isLong ? titles : undefined });
  const [worst] = check.problems;
  if (worst === undefined) return { check, error: undefined, repair: undefined };
  const message = `The summary of ${name} ${worst.sentence}, so nothing was written; try again, use another model, or use the offline summary.`;
  const repair = ['That record cannot be used yet.', ...check.problems.map((problem) => problem.repair), WHOLE_AGAIN, REPAIR_REQUEST];
  return { check, error: new CompactError('invalidSummary', message), repair: repair.join('\n') };
}

/** The summary with our own ledger behind it, or the error. */
function finished({ check, error }: Reading, usage: SummaryReply['usage'], { request, isLong }: Job, masked: number): SummaryReply {
  if (error !== undefined || check === undefined) throw error ?? new CompactError('noSummary');
  const ledger = isLong ? ledgerOf(request.messages) : '';
  const notes = notesOf(masked, check.unknownNames.length);
  return { text: ledger === '' ? check.text : `${check.text}\n\n${ledger}`, usage, ...(notes.length === 0 ? {} : { notes }) };
}

function notesOf(masked: number, unknown: number): readonly SummaryNote[] {
  const notes: SummaryNote[] = [];
  if (masked > 0) {
    notes.push({
      code: 'secretsMasked',
      message: `${masked} likely ${masked === 1 ? 'secret was' : 'secrets were'} masked before the text was sent.`,
    });
  }
  if (unknown > 0) {
    const what = unknown === 1 ? 'A name in the summary stands' : `${unknown} names in the summary stand`;
    notes.push({ code: 'namesMarked', message: `${what} nowhere in the transcript; “${UNKNOWN_MARK.trim()}” is written behind.` });
  }
  return notes;
}

function sum(a: SummaryReply['usage'], b: SummaryReply['usage']): SummaryReply['usage'] {
  if (a === undefined || b === undefined) return undefined;
  return { inputTokens: a.inputTokens + b.inputTokens, outputTokens: a.outputTokens + b.outputTokens };
}

const NO_TOOLS = 'You have no tools here; write the record with what you have read.';
const WHOLE_AGAIN = 'Write the whole record again with these points put right.';
