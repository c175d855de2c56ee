import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  attemptBegun,
  attemptEnded,
  decideAutomatic,
  INITIAL_AUTOMATIC_STATE,
  type AutomaticLook,
  type AutomaticOutcome,
  type AutomaticState,
} from '../../../src/core/session/automaticPolicy';
import { property } from '../../support/property';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** A live session of a window of 200,000 tokens, right before its agent compacts by itself. */
const NEAR: AutomaticLook = {
  session: 'a',
  usedTokens: 160_000,
  compactsAt: 167_000,
  contextMessages: 40,
  boundaries: 0,
  isLive: true,
  canCompact: true,
  now: 1_000_000_000,
};

function told(state: AutomaticState, look: Partial<AutomaticLook> = {}, maxPerHour = 6): string {
  const { decision } = decideAutomatic(state, { ...NEAR, ...look }, maxPerHour);
  return decision.action === 'prepare' ? 'prepare' : `${decision.action} ${decision.reason}`;
}

function next(state: AutomaticState, look: Partial<AutomaticLook> = {}): AutomaticState {
  return decideAutomatic(state, { ...NEAR, ...look }, 6).state;
}

function after(outcome: AutomaticOutcome, state = INITIAL_AUTOMATIC_STATE, look: Partial<AutomaticLook> = {}): AutomaticState {
  const whole = { ...NEAR, ...look };
  return attemptEnded(attemptBegun(state, whole.now), whole, outcome, whole.now + 1000);
}

describe('automatic mode', () => {
  const rows: readonly (readonly [string, Partial<AutomaticLook>])[] = [
    // Within 8,000 tokens of where the agent compacts.
    ['prepare', {}],
    ['prepare', { usedTokens: 159_000 }],
    ['wait far', { usedTokens: 158_999 }],
    ['prepare', { usedTokens: 190_000 }],
    ['wait unknownLimit', { compactsAt: undefined }],
    ['wait unknownLimit', { compactsAt: 0 }],
    ['wait notLive', { isLive: false }],
    ['wait cannotCompact', { canCompact: false }],
  ];
  for (const [expected, look] of rows) {
    it(`${JSON.stringify(look)}: ${expected}`, () => assert.equal(told(INITIAL_AUTOMATIC_STATE, look), expected));
  }

  it('prepares one copy, and the next when the session was below the limit or has compacted', () => {
    const state = after({ kind: 'prepared', tokensAfter: 50_000 });
    assert.equal(told(state, { contextMessages: 60 }), 'wait prepared');
    assert.equal(told(state, { boundaries: 1 }), 'prepare');
    const below = next(state, { usedTokens: 40_000 });
    assert.equal(told(below), 'prepare');
    assert.equal(told(state, { session: 'b' }), 'prepare', 'another session has a state of its own');
  });

  it('stops where the copy is near the limit too, until the session was below it', () => {
    const state = after({ kind: 'prepared', tokensAfter: 165_000 });
    assert.equal(told(state, { contextMessages: 60 }), 'stopped noProgress');
    assert.equal(told(next(state, { usedTokens: 40_000 })), 'prepare');
  });

  it('waits for new messages where there was nothing to do', () => {
    const state = after({ kind: 'unchanged' });
    assert.equal(told(state), 'wait nothingNew');
    assert.equal(told(state, { contextMessages: 41 }), 'prepare');
  });

  it('stops after three failures in a row; a success begins the count anew', () => {
    const failed = { kind: 'failed' } as const;
    const two = after(failed, after(failed));
    assert.equal(told(two), 'prepare');
    const three = after(failed, two);
    assert.equal(told(three), 'stopped breakerOpen');
    assert.equal(told(next(three, { usedTokens: 40_000 })), 'stopped breakerOpen', 'being below the limit does not mend the summarizer');
    const mended = after({ kind: 'prepared', tokensAfter: 50_000 }, two);
    assert.equal(told(after(failed, after(failed, mended)), { boundaries: 1 }), 'prepare');
  });

  it('leaves a session that goes on while it is read alone for a minute', () => {
    const state = after({ kind: 'stale' });
    assert.equal(told(state, { now: NEAR.now + 1000 + MINUTE - 1 }), 'wait settling');
    assert.equal(told(state, { now: NEAR.now + 1000 + MINUTE }), 'prepare');
    assert.equal(told(state, { now: NEAR.now - HOUR }), 'prepare', 'a clock that was set back holds nobody up');
  });

  it('tries at most so many times an hour, whatever comes of it, in all sessions together', () => {
    let state = INITIAL_AUTOMATIC_STATE;
    for (let n = 0; n < 6; n++) {
      const look = { session: `s${n}`, now: NEAR.now + n * MINUTE };
      assert.equal(told(state, look), 'prepare');
      state = after({ kind: 'prepared', tokensAfter: 50_000 }, state, look);
    }
    assert.equal(told(state, { session: 'last', now: NEAR.now + 30 * MINUTE }), 'wait hourlyLimit');
    assert.equal(told(state, { session: 'last', now: NEAR.now + HOUR }), 'prepare', 'the first one is an hour ago');
  });

  it('takes a cancelled attempt as if it had never begun', () => {
    assert.deepEqual(after({ kind: 'cancelled' }), INITIAL_AUTOMATIC_STATE);
  });

  it('remembers a bounded number of sessions', () => {
    let state = INITIAL_AUTOMATIC_STATE;
    for (let n = 0; n < 1000; n++) state = attemptEnded(state, { ...NEAR, session: String(n) }, { kind: 'unchanged' }, NEAR.now);
    assert.equal(state.sessions.size, 100);
  });

  const steps = fc.array(
    fc.record({
      session: fc.constantFrom('a', 'b'),
      usedTokens: fc.constantFrom(10_000, 160_000, 180_000),
      contextMessages: fc.nat(3),
      boundaries: fc.nat(2),
      isLive: fc.boolean(),
      waits: fc.nat(HOUR),
      outcome: fc.constantFrom<AutomaticOutcome>(
        { kind: 'prepared', tokensAfter: 50_000 },
        { kind: 'prepared', tokensAfter: 170_000 },
        { kind: 'unchanged' },
        { kind: 'failed' },
        { kind: 'stale' },
        { kind: 'cancelled' },
      ),
    }),
    { maxLength: 80 },
  );
  property(
    'P30, P32: never a fourth failure in a row, never more attempts in an hour, never two copies of one approach',
    steps,
    (given) => {
      let state = INITIAL_AUTOMATIC_STATE;
      let now = NEAR.now;
      const attempts: number[] = [];
      const failures = new Map<string, number>();
      const prepared = new Map<string, number>();
      for (const { outcome, waits, ...changes } of given) {
        now += waits;
        const look = { ...NEAR, ...changes, now };
        const decided = decideAutomatic(state, look, 3);
        state = decided.state;
        if (look.usedTokens < 100_000 || (prepared.has(look.session) && prepared.get(look.session) !== look.boundaries))
          prepared.delete(look.session);
        if (decided.decision.action !== 'prepare') continue;
        assert.ok((failures.get(look.session) ?? 0) < 3);
        assert.ok(!prepared.has(look.session));
        assert.ok(look.isLive && look.usedTokens > 100_000);
        assert.ok(attempts.filter((at) => now - at < HOUR).length < 3);
        state = attemptEnded(attemptBegun(state, now), look, outcome, now);
        if (outcome.kind !== 'cancelled') attempts.push(now);
        if (outcome.kind === 'failed') failures.set(look.session, (failures.get(look.session) ?? 0) + 1);
        if (outcome.kind === 'prepared') {
          failures.set(look.session, 0);
          prepared.set(look.session, look.boundaries);
        }
      }
    },
  );
});
