import assert from 'node:assert/strict';
import { ControlAuthority } from '../../../src/core/boundary/authority';
import { autoCompact, autoCompactDecision, INITIAL_AUTO_STATE, type AutoCompactInput } from '../../../src/core/compaction/auto';
import { createCompactor } from '../../../src/core/compaction/compact';
import { installAutoCompact, installCompaction } from '../../../src/core/compaction/install';
import { reactiveCompact } from '../../../src/core/compaction/reactive';
import { CompactError, isCompactError } from '../../../src/core/errors/compactError';
import type { Message } from '../../../src/core/model/message';
import { BYTES_PER_FOUR } from '../../../src/core/tokens/calibratedCounter';
import { ContextWindow } from '../../../src/core/window/contextWindow';
import { afterFailure } from '../../../src/core/compaction/circuitBreaker';
import { answering, plainMessages, type StubAnswer } from '../../support/stubCompactor';
import { text, withBlocks } from '../../support/transcripts';

const SIGNAL = new AbortController().signal;

function compactorOf(answer: StubAnswer): ReturnType<typeof createCompactor> {
  return createCompactor({ summarizer: answering(answer).summarizer, counter: BYTES_PER_FOUR }, { keepMessages: 2 });
}

function inputOf(more: Partial<AutoCompactInput> = {}): AutoCompactInput {
  return {
    messages: plainMessages(8),
    state: INITIAL_AUTO_STATE,
    enabled: true,
    threshold: 1000,
    compactor: compactorOf('Goal.'),
    counter: BYTES_PER_FOUR,
    estimate: { knownTotal: 1001, complete: true },
    signal: SIGNAL,
    ...more,
  };
}

describe('the decision to compact automatically', () => {
  const table: readonly [name: string, more: Partial<AutoCompactInput>, skip: string | undefined][] = [
    ['one above the threshold', {}, undefined],
    ['exactly at it', { estimate: { knownTotal: 1000, complete: true } }, 'belowThreshold'],
    ['switched off', { enabled: false }, 'disabled'],
    ['without a compactor', { compactor: undefined }, 'unavailable'],
    ['an unknown or tiny window', { threshold: 0 }, 'noThreshold'],
    ['a threshold that is no number', { threshold: NaN }, 'noThreshold'],
    ['three failures in a row', { state: { ...INITIAL_AUTO_STATE, failedInstalls: 3 } }, 'breakerOpen'],
    ['a policy with a lower threshold', { policy: { threshold: 10 }, estimate: { knownTotal: 11, complete: true } }, undefined],
  ];
  for (const [name, more, skip] of table) it(name, () => assert.equal(autoCompactDecision(inputOf(more)).skip, skip));
});

describe('automatic compaction', () => {
  it('counts failures, stops after three and says why; a success starts anew', async () => {
    let state = INITIAL_AUTO_STATE;
    const compactor = compactorOf(new Error('overloaded'));
    for (let turn = 0; turn < 3; turn += 1) ({ state } = await autoCompact(inputOf({ state, compactor })));
    assert.equal(state.window.consecutiveFailures, 3);
    const stopped = await autoCompact(inputOf({ state, compactor }));
    assert.ok(stopped.outcome === 'skipped' && stopped.reason === 'breakerOpen');
    const two = { ...state, window: { ...state.window, consecutiveFailures: 2 } };
    assert.equal((await autoCompact(inputOf({ state: two }))).state.window.consecutiveFailures, 0);
  });

  it('does not count an attempt that was cancelled', async () => {
    const controller = new AbortController();
    controller.abort();
    const outcome = await autoCompact(inputOf({ signal: controller.signal }));
    assert.ok(outcome.outcome === 'failed' && isCompactError(outcome.error, 'aborted'));
    assert.deepEqual(outcome.state, INITIAL_AUTO_STATE);
  });

  it('counts a summary that would grow the context, since a model was asked in vain', async () => {
    const outcome = await autoCompact(inputOf({ compactor: compactorOf('x'.repeat(8000)) }));
    assert.ok(outcome.outcome === 'failed' && isCompactError(outcome.error, 'notSmaller'));
    assert.equal(outcome.state.window.consecutiveFailures, 1);
  });

  it('rests after a run that had nothing to do, until something new has come, and keeps the count', async () => {
    const failedOnce = { ...INITIAL_AUTO_STATE, window: afterFailure(INITIAL_AUTO_STATE.window) };
    const first = await autoCompact(inputOf({ keepMessages: 20, state: failedOnce }));
    assert.ok(first.outcome === 'unchanged' && first.reason === 'notEnoughMessages');
    assert.equal(first.state.window.consecutiveFailures, 1);
    const again = await autoCompact(inputOf({ keepMessages: 20, state: first.state }));
    assert.ok(again.outcome === 'skipped' && again.reason === 'noProgress');
    const more = await autoCompact(inputOf({ messages: plainMessages(9), keepMessages: 2, state: first.state }));
    assert.equal(more.outcome, 'compacted');
  });

  it('rests when the new view is still over the threshold, also with new messages, until the use was below once', async () => {
    const first = await autoCompact(inputOf({ estimate: { knownTotal: 5000, complete: true } }));
    assert.ok(first.outcome === 'compacted' && first.isStillOver);
    const next = inputOf({ messages: plainMessages(20), state: first.state });
    const again = await autoCompact(next);
    assert.ok(again.outcome === 'skipped' && again.reason === 'noProgress');
    const below = await autoCompact({ ...next, estimate: { knownTotal: 10, complete: true } });
    assert.equal(below.state.stall, undefined);
    assert.equal((await autoCompact({ ...next, state: below.state })).outcome, 'compacted');
  });

  it('is not over the threshold with a view that ends exactly at it', async () => {
    const messages = Array.from({ length: 8 }, (_, index) => text(index % 2 === 0 ? 'user' : 'assistant', 'word '.repeat(1000)));
    const runAt = (knownTotal: number): ReturnType<typeof autoCompact> =>
      autoCompact(inputOf({ messages, estimate: { knownTotal, complete: true } }));
    const first = await runAt(1001);
    assert.ok(first.outcome === 'compacted');
    // The request shrinks by as much as the messages do.
    const freed = first.result.preTokens - first.result.postTokens;
    assert.ok(freed > 0);
    const [at, above] = [await runAt(1000 + freed), await runAt(1001 + freed)];
    assert.deepEqual(
      [at, above].map((run) => run.outcome === 'compacted' && run.isStillOver),
      [false, true],
    );
  });
});

describe('installing a compaction', () => {
  const scope = { sessionId: 's', project: 'p', generation: 0 };
  const messages = plainMessages(8);
  const run = (): ReturnType<ReturnType<typeof createCompactor>['compact']> => compactorOf('Goal.').compact(messages, { signal: SIGNAL });

  it('commits a sealed view', async () => {
    const authority = new ControlAuthority();
    const window = new ContextWindow({ maxTokens: 200_000, maxOutputTokens: undefined }, BYTES_PER_FOUR);
    let history: readonly Message[] = messages;
    const commit = (view: readonly Message[]): Promise<void> => ((history = view), Promise.resolve());
    await installCompaction({ session: window, run, commit, seal: { authority, scope }, signal: SIGNAL });
    assert.deepEqual(
      history.map((message) => authority.recognises(message, scope)),
      [true, true, false, false],
    );
  });

  it('sets the window back exactly after a failed commit, a failed run and an unchanged history', async () => {
    const window = new ContextWindow({ maxTokens: 200_000, maxOutputTokens: undefined }, BYTES_PER_FOUR);
    window.reportUsage({ inputTokens: 150_000, outputTokens: 1, cacheReadTokens: 7, cacheCreationTokens: 0 });
    window.reportOutcome(afterFailure);
    const before = structuredClone(window.state);
    const spoil = (): void => window.reportPostCompact(5);
    const full = (): Promise<void> => (spoil(), Promise.reject(new Error('disk full')));
    await assert.rejects(installCompaction({ session: window, run, commit: full, signal: SIGNAL }), /disk full/);
    assert.deepEqual(window.state, before);
    const broken = (): ReturnType<typeof run> => (spoil(), Promise.reject(new CompactError('api')));
    await assert.rejects(installCompaction({ session: window, run: broken, commit: full, signal: SIGNAL }));
    assert.deepEqual(window.state, before);
    const nothing = (): ReturnType<typeof run> => (spoil(), compactorOf('G.').compact(messages, { keepMessages: 20, signal: SIGNAL }));
    const outcome = await installCompaction({ session: window, run: nothing, commit: full, signal: SIGNAL });
    assert.equal(outcome.outcome, 'unchanged');
    assert.deepEqual(window.state, before);
  });

  it('commits nothing after an abort during the run', async () => {
    const controller = new AbortController();
    const aborting = async (): ReturnType<typeof run> => {
      const made = await run();
      controller.abort();
      return made;
    };
    let commits = 0;
    const commit = (): Promise<void> => ((commits += 1), Promise.resolve());
    const session = { checkpoint: () => 0, restore: () => undefined };
    const work = installCompaction({ session, run: aborting, commit, signal: controller.signal });
    await assert.rejects(work, (error) => isCompactError(error, 'aborted'));
    assert.equal(commits, 0);
  });

  it('stops after three automatic compactions that could not be installed, with the window as it was', async () => {
    let state = INITIAL_AUTO_STATE;
    const commit = (): Promise<void> => Promise.reject(new Error('disk full'));
    for (let turn = 0; turn < 3; turn += 1) {
      const outcome = await installAutoCompact(inputOf({ state }), { commit });
      assert.equal(outcome.outcome, 'failed');
      ({ state } = outcome);
      assert.deepEqual(state.window, INITIAL_AUTO_STATE.window);
    }
    const stopped = await installAutoCompact(inputOf({ state }), { commit });
    assert.ok(stopped.outcome === 'skipped' && stopped.reason === 'breakerOpen');
  });

  it('forgets the reports from before an automatic compaction', async () => {
    const outcome = await installAutoCompact(inputOf(), { commit: () => Promise.resolve() });
    assert.ok(outcome.outcome === 'compacted');
    assert.deepEqual(outcome.state.window.estimate, { knownTotal: outcome.result.postTokens, complete: true });
    assert.equal(outcome.state.window.isWarningSuppressed, true);
  });
});

describe('compaction after a provider refused a request', () => {
  const base = { messages: plainMessages(8), hasAttempted: false, keepMessages: 2, signal: SIGNAL };

  it('happens once for a request', async () => {
    assert.deepEqual(await reactiveCompact({ ...base, compactor: compactorOf('G.'), hasAttempted: true }), {
      outcome: 'notAttempted',
      reason: 'attempted',
    });
  });

  it('fails with a code of its own without a compactor', async () => {
    const outcome = await reactiveCompact({ ...base, compactor: undefined });
    assert.ok(outcome.outcome === 'failed' && isCompactError(outcome.error, 'summarizerUnavailable'));
  });

  it('passes on why the compaction failed', async () => {
    const outcome = await reactiveCompact({ ...base, compactor: compactorOf(' ') });
    assert.ok(outcome.outcome === 'failed' && isCompactError(outcome.error, 'noSummary'));
  });

  it('gives the kept messages their media back', async () => {
    const picture = withBlocks('user', [{ type: 'image' }, { type: 'text', text: 'see' }]);
    const messages = [...plainMessages(6), picture, text('assistant', 'ok')];
    const outcome = await reactiveCompact({ ...base, messages, compactor: compactorOf('G.'), stripMedia: true });
    assert.ok(outcome.outcome === 'compacted');
    assert.equal(outcome.result.kept[0], picture);
  });
});
