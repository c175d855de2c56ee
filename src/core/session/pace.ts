import { turnStarts } from '../cut/turns';
import type { Message } from '../model/message';
import { responsesOf } from '../tokens/responses';
import type { Inspection } from './inspection';

/** How fast a session fills its context at present. A turn goes from one message of the user to the next. */
export interface Pace {
  /** Mean growth of the context in a turn; always above 0. */
  readonly tokensPerTurn: number;
  /** Mean number of requests to the model in a turn; at least 1. */
  readonly requestsPerTurn: number;
}

/** Newest turns that are looked at. */
const PACE_TURNS = 10;

/** The pace of the newest turns (at most ten) of the context; undefined with fewer than two turns, or where they weigh nothing. Linear. */
export function paceOf({ transcript, sizes }: Pick<Inspection, 'transcript' | 'sizes'>): Pace | undefined {
  const { messages, context } = transcript;
  const active = context.filter((index) => messages[index] !== undefined && messages[index].kind !== 'summary');
  const starts = turnStarts(pick(messages, active));
  const turns = Math.min(starts.length, PACE_TURNS);
  const from = starts.at(-turns);
  if (from === undefined || starts.length < 2) return undefined;
  const newest = active.slice(from);
  const total = newest.reduce((sum, index) => sum + (sizes.tokens[index] ?? 0), 0);
  if (!(total > 0)) return undefined;
  return { tokensPerTurn: total / turns, requestsPerTurn: Math.max(1, responsesOf(pick(messages, newest)).length / turns) };
}

/** Turns until the context has grown by some tokens, at least 1; undefined without a pace. */
export function turnsUntil(tokens: number, pace: Pace | undefined): number | undefined {
  return pace === undefined ? undefined : Math.max(1, Math.round(tokens / pace.tokensPerTurn));
}

/**
 * Turns after a compaction until the context has reached a limit again; undefined without a pace or a limit, and where the new context has
 * reached it already.
 */
export function refillTurns(tokensAfter: number, limitTokens: number | undefined, pace: Pace | undefined): number | undefined {
  return limitTokens === undefined || limitTokens <= tokensAfter ? undefined : turnsUntil(limitTokens - tokensAfter, pace);
}

function pick(messages: readonly Message[], indexes: readonly number[]): readonly Message[] {
  return indexes.flatMap((index) => messages[index] ?? []);
}
