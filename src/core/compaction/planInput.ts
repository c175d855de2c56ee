import { cutMap, type CutMap } from '../cut/pairing';
import type { Message } from '../model/message';
import type { PlanRefusal } from './plan';

/** What a planner looks at: one state of a transcript and the estimates of its messages. */
export interface PlanInput {
  /** All messages of the transcript (`Transcript.messages`). */
  readonly messages: readonly Message[];
  /** Indexes into `messages` of what is in the context, in the order in which the model sees it. */
  readonly context: readonly number[];
  /** Estimate in tokens for each index of `messages`. */
  readonly tokens: readonly number[];
  readonly unattributedTokens: number;
  readonly revision: number;
  /** Index of an earlier summary → the messages that it stands for. Absent, or without an entry: they are not to be had. */
  readonly originals?: ReadonlyMap<number, readonly Message[]>;
}

/** Estimate of one message in tokens, by the estimator that made `PlanInput.tokens`. */
export type TokensOf = (message: Message) => number;

export interface Pivot {
  readonly outcome: 'pivot';
  /** Position in `PlanInput.context`. */
  readonly position: number;
}

/**
 * Finds the message that a user named: by the entry's id, by its index in the transcript, or by the provider's message id (its first
 * fragment in the context). Ids win over indexes. Refuses with `unknownMessage`; detail `notInContext` says that the file holds the
 * message but an earlier compaction or another branch took it out of the context.
 */
export function resolvePivot(input: PlanInput, id: string): Pivot | PlanRefusal {
  const position = positionById(input, id) ?? positionByIndex(input, id) ?? positionByMessageId(input, id);
  if (position !== undefined) return { outcome: 'pivot', position };
  const isInFile = indexOf(id, input.messages.length) !== undefined || input.messages.some((message) => isNamed(message, id));
  return { outcome: 'refusal', code: 'unknownMessage', ...(isInFile ? { detail: 'notInContext' } : {}) };
}

/** The messages of the context in the order in which the model sees them. */
export function contextMessages(input: PlanInput): readonly Message[] {
  const messages = input.context.map((index) => input.messages[index]);
  return messages.every((message) => message !== undefined) ? messages : messages.filter((message) => message !== undefined);
}

// An input is a value that never changes, so its cuts never do.
const knownCuts = new WeakMap<PlanInput, CutMap>();

/** Where the context may be cut; computed once for each input, so that a plan and its neighbours share it. */
export function cutsOf(input: PlanInput): CutMap {
  const known = knownCuts.get(input) ?? cutMap(contextMessages(input));
  knownCuts.set(input, known);
  return known;
}

/** Sum of the estimates of some messages. */
export function tokensOfIndexes(input: PlanInput, indexes: readonly number[]): number {
  return indexes.reduce((sum, index) => sum + (input.tokens[index] ?? 0), 0);
}

function positionById(input: PlanInput, id: string): number | undefined {
  return found(input.context.findIndex((index) => input.messages[index]?.id === id));
}

function positionByIndex(input: PlanInput, id: string): number | undefined {
  const index = indexOf(id, input.messages.length);
  return index === undefined ? undefined : found(input.context.indexOf(index));
}

function positionByMessageId(input: PlanInput, id: string): number | undefined {
  return found(input.context.findIndex((index) => input.messages[index]?.messageId === id));
}

function isNamed(message: Message, id: string): boolean {
  return message.id === id || message.messageId === id;
}

/** The text as an index of a message that exists; undefined for everything else, also for ` 3`, `3.0` and `-1`. */
function indexOf(text: string, count: number): number | undefined {
  if (!/^\d{1,9}$/.test(text)) return undefined;
  const index = Number(text);
  return index < count ? index : undefined;
}

function found(position: number): number | undefined {
  return position < 0 ? undefined : position;
}
