// Automatic mode for sessions that are only watched: when a copy is to be prepared, and when it is better to rest. Pure; who watches and runs
// is the host. The rules are those of seed 2's automatic compaction (near its threshold, three failures, no progress), with a limit an hour.
import { afterFailure, afterSuccess, isBreakerOpen } from '../compaction/circuitBreaker';
import { isStalledAt, type Stall } from '../compaction/stall';
import { isProjectionDue } from '../compaction/trigger';
import { EMPTY_WINDOW_STATE, type WindowState } from '../window/windowState';

/** What is known of a session at one moment. */
export interface AutomaticLook {
  /** Names the session; another session has a state of its own. */
  readonly session: string;
  readonly usedTokens: number;
  /** Where the agent compacts by itself; undefined when that is not known. */
  readonly compactsAt: number | undefined;
  readonly contextMessages: number;
  /** Compactions of the session so far. */
  readonly boundaries: number;
  readonly isLive: boolean;
  /** A copy can be written of it. */
  readonly canCompact: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

interface Remembered {
  /** Of it only the count of failures is used. */
  readonly window: WindowState;
  readonly stall: Stall | undefined;
  /** Number of boundaries when a copy was prepared; undefined when none is waiting for its use. */
  readonly preparedAt: number | undefined;
  /** Nothing is tried before this time. */
  readonly notBefore: number;
}

/** What automatic mode remembers. Immutable, so that an attempt which was cancelled leaves the state from before. */
export interface AutomaticState {
  readonly sessions: ReadonlyMap<string, Remembered>;
  /** Times of the attempts, of whichever session. */
  readonly attempts: readonly number[];
}

export type AutomaticWait = 'cannotCompact' | 'notLive' | 'unknownLimit' | 'far' | 'prepared' | 'nothingNew' | 'settling' | 'hourlyLimit';
export type AutomaticStop = 'breakerOpen' | 'noProgress';

export type AutomaticDecision =
  | { readonly action: 'prepare' }
  | { readonly action: 'wait'; readonly reason: AutomaticWait }
  | { readonly action: 'stopped'; readonly reason: AutomaticStop };

/**
 * How an attempt ended. `unchanged`: there was nothing to do, and no summarizer was asked; `stale`: the session went on meanwhile; `cancelled`
 * is as if it had never begun.
 */
export type AutomaticOutcome =
  { readonly kind: 'prepared'; readonly tokensAfter: number } | { readonly kind: 'unchanged' | 'failed' | 'stale' | 'cancelled' };

export const INITIAL_AUTOMATIC_STATE: AutomaticState = { sessions: new Map(), attempts: [] };

const HOUR_MS = 3_600_000;
/** A session that goes on while it is read is left alone for so long. */
const SETTLE_MS = 60_000;
/** More sessions are not watched in one sitting. */
const MAX_SESSIONS = 100;
const NOTHING: Remembered = { window: EMPTY_WINDOW_STATE, stall: undefined, preparedAt: undefined, notBefore: -Infinity };

/** Decides what to do now. The state that follows forgets what a session below its limit, or after a compaction of its own, is no longer held by. */
export function decideAutomatic(
  state: AutomaticState,
  look: AutomaticLook,
  maxPerHour: number,
): { readonly decision: AutomaticDecision; readonly state: AutomaticState } {
  const before = state.sessions.get(look.session) ?? NOTHING;
  const isNew = before.preparedAt !== undefined && before.preparedAt !== look.boundaries;
  const known = isNew ? { ...before, preparedAt: undefined, stall: undefined } : before;
  const near = isNear(look.usedTokens, look.compactsAt);
  const rested = near ? known : { ...known, preparedAt: undefined, stall: undefined };
  const decision = decided(rested, state.attempts, look, near, maxPerHour);
  return { decision, state: rested === before ? state : withSession(state, look.session, rested) };
}

/** Counts an attempt that begins now. */
export function attemptBegun(state: AutomaticState, now: number): AutomaticState {
  return { ...state, attempts: [...recent(state.attempts, now), now] };
}

/** Takes in how the attempt that a look led to has ended; `now` is the time of its end. */
export function attemptEnded(state: AutomaticState, look: AutomaticLook, outcome: AutomaticOutcome, now: number): AutomaticState {
  const before = state.sessions.get(look.session) ?? NOTHING;
  const { contextMessages } = look;
  switch (outcome.kind) {
    case 'prepared': {
      const isStillOver = isNear(outcome.tokensAfter, look.compactsAt);
      const stall: Stall | undefined = isStillOver ? { reason: 'stillOver', contextMessages } : undefined;
      return withSession(state, look.session, { ...before, window: afterSuccess(before.window), stall, preparedAt: look.boundaries });
    }
    case 'unchanged':
      return withSession(state, look.session, { ...before, stall: { reason: 'nothingNew', contextMessages } });
    case 'failed':
      return withSession(state, look.session, { ...before, window: afterFailure(before.window) });
    case 'stale':
      return withSession(state, look.session, { ...before, notBefore: now + SETTLE_MS });
    case 'cancelled':
      return { ...state, attempts: state.attempts.slice(0, -1) };
  }
}

function decided(
  { window, stall, preparedAt, notBefore }: Remembered,
  attempts: readonly number[],
  look: AutomaticLook,
  near: boolean,
  maxPerHour: number,
): AutomaticDecision {
  if (!look.canCompact) return wait('cannotCompact');
  if (!look.isLive) return wait('notLive');
  if (!isKnown(look.compactsAt)) return wait('unknownLimit');
  if (isBreakerOpen(window)) return { action: 'stopped', reason: 'breakerOpen' };
  if (!near) return wait('far');
  if (stall?.reason === 'stillOver') return { action: 'stopped', reason: 'noProgress' };
  if (preparedAt !== undefined) return wait('prepared');
  if (stall !== undefined && isStalledAt(stall, look.contextMessages)) return wait('nothingNew');
  if (look.now < notBefore && notBefore - look.now <= SETTLE_MS) return wait('settling');
  return recent(attempts, look.now).length >= maxPerHour ? wait('hourlyLimit') : { action: 'prepare' };
}

function wait(reason: AutomaticWait): AutomaticDecision {
  return { action: 'wait', reason };
}

/** Within the distance to the agent's own compaction at which seed 2 begins to make room. The count of failures is looked at by itself. */
function isNear(tokens: number, compactsAt: number | undefined): boolean {
  return isKnown(compactsAt) && isProjectionDue(EMPTY_WINDOW_STATE, { knownTotal: tokens, complete: true }, compactsAt);
}

function isKnown(compactsAt: number | undefined): compactsAt is number {
  return compactsAt !== undefined && compactsAt > 0;
}

/** Attempts of the last hour; a time in the future comes from a clock that was set back since. */
function recent(attempts: readonly number[], now: number): readonly number[] {
  return attempts.filter((at) => at <= now && now - at < HOUR_MS);
}

function withSession(state: AutomaticState, session: string, remembered: Remembered): AutomaticState {
  const sessions = new Map(state.sessions);
  sessions.delete(session);
  sessions.set(session, remembered);
  const oldest = sessions.keys().next();
  if (sessions.size > MAX_SESSIONS && oldest.done !== true) sessions.delete(oldest.value);
  return { ...state, sessions };
}
