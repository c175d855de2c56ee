// Every error code as one sentence for people: what happened, and what to do now. Used by the command line and by the extension.
import { field, isRecord, stringOf } from '../util/json';
import type { CompactErrorCode } from './compactError';
import type { ReadErrorCode } from './readError';
import type { StoreErrorCode } from './storeError';

/** Codes of the channel between page, host and engine; a test compares them with the channel's own list. */
export type ChannelErrorCode = 'unknownRequest' | 'badParams' | 'failed' | 'cancelled' | 'disposed';

export type ErrorCode = CompactErrorCode | ReadErrorCode | StoreErrorCode | ChannelErrorCode;

/** Exit status of the command line: 1 failed, 2 wrong usage, 3 refused. */
export type FailureExit = 1 | 2 | 3;

/**
 * The sentence for a code, or for anything that was thrown or refused (an error of ours, a refusal, an error that came over the channel).
 * A CompactError whose message is a sentence speaks for itself: who threw it knew more than its code says. What is not ours gets one
 * general sentence; its own text is never shown, as it may hold anything.
 */
export function messageFor(problem: unknown, detail?: string): string {
  const known = describe(problem, detail);
  if (known === undefined) return INTERNAL;
  return known.sentence ?? DETAILED.get(`${known.code}/${known.detail ?? ''}`) ?? SENTENCES[known.code];
}

/** The sentence for a planner's refusal. */
export function refusalMessage(refusal: { readonly code: CompactErrorCode; readonly detail?: string }): string {
  return messageFor(refusal.code, refusal.detail);
}

/** Exit status for anything that was thrown or refused; 1 for what is not ours. */
export function exitCodeFor(problem: unknown): FailureExit {
  const known = describe(problem, undefined);
  if (known === undefined) return 1;
  // The message is in the file, so the usage was right; it only cannot be a pivot any more.
  if (known.code === 'unknownMessage' && known.detail === 'notInContext') return 3;
  return EXITS[known.code];
}

/** True for a code that has a sentence. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(SENTENCES, code);
}

const INTERNAL = 'Something unexpected went wrong and nothing was changed; please try again, and report it if it happens once more.';

const DENIED = 'The file or its folder may not be used with your permissions; change them or choose another place, then try again.';
const IO = 'The disk reported an error and the action was stopped; check the drive and its connection, then try again.';
const ABORTED = 'The action was cancelled and nothing was changed; start it again whenever you like.';

const COMPACT = {
  notEnoughMessages: 'There are too few messages to compact; go on working and try again when the session is longer.',
  aborted: ABORTED,
  incomplete: 'The summary broke off before its end, so nothing was written; try again, choose a smaller part, or use another model.',
  promptTooLong:
    'The part to be summarized is too long for this model; choose a smaller part, a model with a larger window, or the offline summary.',
  api: 'The model’s server reported an error and nothing was written; try again later or use the offline summary.',
  noSummary: 'The summarizer gave no usable summary, so nothing was written; try again, use another model, or use the offline summary.',
  summarizerUnavailable: 'The summarizer cannot be reached or is not set up; check its address and settings, or use the offline summary.',
  notSmaller: 'The compacted session would not be smaller than this one, so nothing was written; choose a larger part to summarize.',
  staleSource: 'The transcript has changed since the preview, so nothing was written; make a new preview and run it again.',
  invalidSummary: 'The summary has no plausible size, so nothing was written; try again, use another model, or use the offline summary.',
  consentRequired: 'The text would leave this machine and you have not allowed that yet, so nothing was sent; allow the host first.',
  pendingToolCall:
    'A tool call in the part to be summarized still waits for its result; wait until it has finished, or summarize an older part.',
  nothingToDo: 'This part is a summary already and nothing new has been added to it; choose a later message.',
  breakerOpen: 'Automatic compaction has stopped after repeated failures; start a compaction by hand to see the reason.',
  copyDiffers:
    'The compacted copy did not read back as planned, so it was not written; please report this, and choose another place to compact at.',
  unknownMessage: 'There is no message with this id in the transcript; list the messages to find the right id.',
  notSupported:
    'This version cannot do that for this kind of session yet; use another kind of compaction or open the transcript in its own agent.',
} as const satisfies Record<CompactErrorCode, string>;

const READ = {
  notFound: 'There is no file at this place; check the path, or choose another session.',
  denied: DENIED,
  notAFile: 'This is a folder or a device and not a file; choose a transcript file.',
  empty: 'The file is empty; wait until the agent has written to it, or choose another session.',
  binary: 'The file is not text; choose a transcript in JSON or JSON Lines.',
  damaged: 'The database is damaged and cannot be read; open it in its own agent, or choose another session.',
  tooLarge: 'The file is too large to be read; choose another session, or split the file.',
  unknownFormat: 'The file is not a transcript of a known agent; check that it is the right file.',
  changedWhileReading: 'The file was replaced while it was being read; open it again.',
  io: IO,
} as const satisfies Record<ReadErrorCode, string>;

const STORE = {
  exists: 'There is a file of that name already and it is never replaced; choose another name.',
  unsafeName: 'The name is not safe for a file on every system; choose another one of letters, digits, dots and dashes.',
  link: 'There is a link in the place of the new file and links are never followed; choose another place.',
  noSpace: 'The disk is full, so the copy was not written and nothing of it is left; free some space and try again.',
  denied: DENIED,
  io: IO,
} as const satisfies Record<StoreErrorCode, string>;

const CHANNEL = {
  unknownRequest: 'The view and the extension are of different versions; close the view and open it again.',
  badParams: 'The view asked for something that does not exist; close the view and open it again.',
  failed: INTERNAL,
  cancelled: ABORTED,
  disposed: 'The session was closed before the answer came; open it again.',
} as const satisfies Record<ChannelErrorCode, string>;

const SENTENCES: Readonly<Record<ErrorCode, string>> = { ...CHANNEL, ...STORE, ...READ, ...COMPACT };

/** More exact sentences, by code and detail. */
const DETAILED: ReadonlyMap<string, string> = new Map([
  ['notEnoughMessages/allKept', 'All messages would be kept, so there is nothing to summarize; keep fewer messages.'],
  [
    'notEnoughMessages/nothingToSummarize',
    'There is nothing to summarize on that side of the message; choose another message or keep fewer messages.',
  ],
  ['notEnoughMessages/nothingKept', 'Nothing would be kept beside the summary; choose another message, or ask for a full compaction.'],
  [
    'notEnoughMessages/allPinned',
    'Everything on that side is pinned, so there is nothing to summarize; unpin a message or choose another place.',
  ],
  [
    'notSupported/noCopy',
    'No compacted copy can be written for an agent of this kind, so nothing was done; “Copy as Prompt”, or “compact … --as-prompt” on the command line, gives a text that any agent can go on from.',
  ],
  ['nothingToDo/noToolResults', 'There is no tool result in the context, so there is nothing that could be shortened.'],
  ['nothingToDo/noResults', 'No tool result is left to be cleared beside the newest ones; keep fewer of them.'],
  ['notSmaller/fewResults', 'The results that could be cleared are so small that it would not be worth a new session; keep fewer of them.'],
  ['unknownMessage/noResult', 'There is no result of this tool call in the context; list the messages to find the right call.'],
  ['notSmaller/tooSmall', 'The part to be summarized is so small that any summary of it would be larger; choose a larger part.'],
  [
    'unknownMessage/notInContext',
    'This message is not in the context any more, because an earlier compaction replaced it; choose a message after that one.',
  ],
]);

const EXITS = {
  notEnoughMessages: 3,
  aborted: 1,
  incomplete: 1,
  promptTooLong: 1,
  api: 1,
  noSummary: 1,
  summarizerUnavailable: 1,
  notSmaller: 3,
  staleSource: 3,
  invalidSummary: 1,
  consentRequired: 3,
  pendingToolCall: 3,
  nothingToDo: 3,
  breakerOpen: 3,
  copyDiffers: 1,
  unknownMessage: 2,
  notSupported: 3,
  notFound: 1,
  denied: 1,
  notAFile: 1,
  empty: 1,
  binary: 1,
  damaged: 1,
  tooLarge: 1,
  unknownFormat: 1,
  changedWhileReading: 1,
  io: 1,
  exists: 3,
  unsafeName: 3,
  link: 3,
  noSpace: 1,
  unknownRequest: 1,
  badParams: 1,
  failed: 1,
  cancelled: 1,
  disposed: 1,
} as const satisfies Record<ErrorCode, FailureExit>;

interface Description {
  readonly code: ErrorCode;
  readonly detail: string | undefined;
  readonly sentence: string | undefined;
}

/** What is known about a problem; undefined when it is none of ours. */
function describe(problem: unknown, detail: string | undefined): Description | undefined {
  if (typeof problem === 'string') return isErrorCode(problem) ? { code: problem, detail, sentence: undefined } : undefined;
  if (!isRecord(problem)) return undefined;
  if (problem['name'] === 'AbortError') return { code: 'aborted', detail: undefined, sentence: undefined };
  // An error that crossed the channel keeps the code of the error on the other side as `inner`.
  const code = [stringOf(problem, 'inner'), stringOf(problem, 'code')].find((name) => name !== undefined && isErrorCode(name));
  if (code === undefined || !isErrorCode(code)) return undefined;
  const message = field(problem, 'message');
  const text = typeof message === 'string' && Object.hasOwn(COMPACT, code) ? message : undefined;
  return {
    code,
    detail: detail ?? stringOf(problem, 'detail') ?? text,
    sentence: text !== undefined && isSentence(text) ? text : undefined,
  };
}

function isSentence(text: string): boolean {
  return /^[\p{Lu}“]/u.test(text) && text.endsWith('.') && text.includes(' ');
}
