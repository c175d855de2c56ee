// An abort while anything is waited for leaves the history and all that is known of it as it was: at every call of every port, whether the port
// hears the signal or not, whether it answers, fails or stays silent afterwards.
import assert from 'node:assert/strict';
import { INITIAL_AUTO_STATE } from '../../../src/core/compaction/auto';
import { afterFailure } from '../../../src/core/compaction/circuitBreaker';
import { createCompactor, type Compactor } from '../../../src/core/compaction/compact';
import { installAutoCompact, installCompaction } from '../../../src/core/compaction/install';
import type { CompactionPlan } from '../../../src/core/compaction/plan';
import { reactiveCompact } from '../../../src/core/compaction/reactive';
import { runPlan } from '../../../src/core/compaction/runPlan';
import { partitionFor } from '../../../src/core/compaction/strategies';
import { planOf } from '../../../src/core/compaction/strategies/partition';
import { CompactError, isCompactError } from '../../../src/core/errors/compactError';
import type { Message } from '../../../src/core/model/message';
import type { Summarizer } from '../../../src/core/ports/summarizer';
import { BYTES_PER_FOUR } from '../../../src/core/tokens/calibratedCounter';
import { ContextWindow } from '../../../src/core/window/contextWindow';
import { plainMessages } from '../../support/stubCompactor';
import { text, withBlocks } from '../../support/transcripts';
import { inputOf } from './planInputs';

const MESSAGES: readonly Message[] = [
  ...plainMessages(6),
  withBlocks('user', [{ type: 'image' }, { type: 'text', text: 'see' }]),
  text('assistant', 'ok'),
];

/** What a port does after the abort that comes while it works. */
type Manner = 'silent' | 'answers' | 'fails';
const MANNERS: readonly Manner[] = ['silent', 'answers', 'fails'];

/** A session whose every port passes one gate; the signal aborts at the chosen call. 0: before anything is called. */
class Session {
  history: readonly Message[] = MESSAGES;
  readonly window = new ContextWindow({ maxTokens: 200_000, maxOutputTokens: undefined }, BYTES_PER_FOUR);
  calls = 0;
  readonly #controller = new AbortController();

  constructor(
    readonly abortAt: number | undefined,
    readonly manner: Manner,
  ) {
    this.window.reportUsage({ inputTokens: 150_000, outputTokens: 1, cacheReadTokens: 7, cacheCreationTokens: 0 });
    this.window.reportOutcome(afterFailure);
    if (abortAt === 0) this.#controller.abort();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  #gate<T>(value: T): Promise<T> {
    this.calls += 1;
    if (this.calls !== this.abortAt) return Promise.resolve(value);
    this.#controller.abort();
    if (this.manner === 'fails') return Promise.reject(new Error('socket closed'));
    return this.manner === 'answers' ? Promise.resolve(value) : new Promise<T>(() => undefined);
  }

  get summarizer(): Summarizer {
    return { capabilities: { label: 'x', host: undefined }, summarize: () => this.#gate({ text: 'Goal.', usage: undefined }) };
  }

  get compactor(): Compactor {
    const ports = {
      summarizer: this.summarizer,
      counter: BYTES_PER_FOUR,
      hooks: { run: () => this.#gate({}) },
      attachments: ['plan', 'skills'].map((id) => ({ id, collect: () => this.#gate([]) })),
      transcriptPath: () => this.#gate(undefined),
    };
    return createCompactor(ports, { keepMessages: 2 });
  }

  readonly commit = (view: readonly Message[]): Promise<void> => {
    this.history = view;
    return Promise.resolve();
  };
}

/** Runs to the end and says with which error; undefined for a compaction that was made. */
type Run = (session: Session) => Promise<unknown>;

const installed =
  (run: (session: Session) => ReturnType<Compactor['compact']>): Run =>
  async (session) => {
    const { signal, window, commit } = session;
    const outcome = await installCompaction({ session: window, run: () => run(session), commit, signal });
    assert.equal(outcome.outcome, 'compacted');
    return undefined;
  };

const thrown = (error: unknown): unknown => error;

const RUNS: Readonly<Record<string, Run>> = {
  'a full compaction': installed(({ compactor, signal }) => compactor.compact(MESSAGES, { signal })),
  'a partial compaction, up to': installed(({ compactor, signal }) =>
    compactor.compactPart(MESSAGES, { pivot: 4, direction: 'upTo', signal }),
  ),
  'a partial compaction, from': installed(({ compactor, signal }) =>
    compactor.compactPart(MESSAGES, { pivot: 4, direction: 'from', signal }),
  ),
  'an automatic compaction': async ({ compactor, signal, window, commit }) => {
    const state = { ...INITIAL_AUTO_STATE, window: window.state, failedInstalls: 1 };
    const before = structuredClone(state);
    const estimate = { knownTotal: 180_000, complete: true };
    const input = { messages: MESSAGES, state, enabled: true, threshold: 1000, compactor, counter: BYTES_PER_FOUR, estimate, signal };
    const outcome = await installAutoCompact(input, { commit });
    if (outcome.outcome === 'compacted') return undefined;
    assert.ok(outcome.outcome === 'failed');
    assert.deepEqual(outcome.state, before, 'a cancelled attempt is as if it had never begun');
    return outcome.error;
  },
  'a reactive compaction': async ({ compactor, signal, commit }) => {
    const outcome = await reactiveCompact({ messages: MESSAGES, hasAttempted: false, keepMessages: 2, compactor, signal });
    if (outcome.outcome === 'compacted') return commit([outcome.result.boundary]);
    return outcome.outcome === 'failed' ? outcome.error : assert.fail(outcome.reason);
  },
  'a reactive compaction without media': async ({ compactor, signal, commit }) => {
    const outcome = await reactiveCompact({
      messages: MESSAGES,
      hasAttempted: false,
      keepMessages: 2,
      compactor,
      signal,
      stripMedia: true,
    });
    if (outcome.outcome === 'compacted') return commit([outcome.result.boundary]);
    return outcome.outcome === 'failed' ? outcome.error : assert.fail(outcome.reason);
  },
  'the run of a plan': async ({ summarizer, signal, commit }) => {
    const input = inputOf(MESSAGES);
    const partition = partitionFor({ kind: 'full', keepMessages: 2 }, input);
    assert.ok(partition.outcome === 'partition');
    const plan: CompactionPlan = planOf(input, partition);
    const before = JSON.stringify(plan);
    const run = await runPlan(plan, input, { summarizer, tokensOf: () => 10 }, { signal }).catch(thrown);
    assert.equal(JSON.stringify(plan), before);
    return run instanceof Error ? run : commit([]);
  },
};

describe('an abort at every await', () => {
  for (const [name, run] of Object.entries(RUNS)) {
    it(`of ${name} leaves the history as it was`, async () => {
      const undisturbed = new Session(undefined, 'answers');
      assert.equal(await run(undisturbed), undefined);
      assert.ok(undisturbed.calls >= 1 && undisturbed.history !== MESSAGES);
      const before = JSON.stringify(MESSAGES);
      for (const manner of MANNERS) {
        for (let abortAt = 0; abortAt <= undisturbed.calls; abortAt++) {
          const session = new Session(abortAt, manner);
          const known = structuredClone(session.window.state);
          const error = await run(session).catch(thrown);
          const where = `call ${abortAt} of ${undisturbed.calls}, which ${manner}`;
          assert.ok(isCompactError(error, 'aborted'), `${where}: ${String(error)}`);
          assert.equal(session.history, MESSAGES, where);
          assert.deepEqual(session.window.state, known, where);
          assert.equal(session.calls, abortAt, `${where}: nothing is asked any more`);
        }
      }
      assert.equal(JSON.stringify(MESSAGES), before);
    });
  }

  it('of the installation: a commit that fails takes everything back, one that succeeds has happened', async () => {
    for (const fails of [true, false]) {
      const session = new Session(undefined, 'answers');
      const controller = new AbortController();
      const known = structuredClone(session.window.state);
      const work = installCompaction({
        session: session.window,
        run: () => session.compactor.compact(MESSAGES, { signal: controller.signal }),
        commit: (view) => {
          controller.abort();
          return fails ? Promise.reject(new CompactError('aborted')) : session.commit(view);
        },
        signal: controller.signal,
      });
      if (fails) await assert.rejects(work, (error) => isCompactError(error, 'aborted'));
      else assert.equal((await work).outcome, 'compacted');
      assert.equal(session.history === MESSAGES, fails);
      assert.deepEqual(session.window.state, known);
    }
  });
});
