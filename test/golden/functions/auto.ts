import { autoCompact, INITIAL_AUTO_STATE, type AutoCompactState } from '../../../src/core/compaction/auto';
import { afterFailure } from '../../../src/core/compaction/circuitBreaker';
import { createCompactor } from '../../../src/core/compaction/compact';
import { reactiveCompact, type ReactiveInput } from '../../../src/core/compaction/reactive';
import { parseBoundaryMessage } from '../../../src/core/boundary/boundaryMessage';
import { BYTES_PER_FOUR } from '../../../src/core/tokens/calibratedCounter';
import { estimateConversation } from '../../../src/core/tokens/conversationEstimate';
import { autoCompactThreshold, effectiveInputWindow } from '../../../src/core/window/thresholds';
import { withUsage, type WindowState } from '../../../src/core/window/windowState';
import { answering, plainMessages, seedEvents, telling } from '../../support/stubCompactor';
import type { GoldenFunctions } from '../goldenTypes';
import { numberInput } from './input';

const THRESHOLD = autoCompactThreshold(effectiveInputWindow({ maxTokens: 200_000, maxOutputTokens: undefined }));
const SIGNAL = new AbortController().signal;

/** Automatic and reactive compaction of seed 2. */
export const autoFunctions: GoldenFunctions = {
  'AutoCompactIfNeeded(maxTokens=200000, 30 messages)': (input) => auto(input),
  'AutoCompactIfNeeded x5 with failing summarizer': () => failing(),
  'TryReactiveCompact(8 messages)': (_, name) => reactive(name),
};

async function auto(input: unknown): Promise<unknown> {
  const { onEvent, telemetry } = telling();
  const outcome = await autoCompact({
    messages: plainMessages(30),
    state: stateOf(input),
    enabled: true,
    threshold: THRESHOLD,
    policy: { threshold: numberInput(input, 'threshold'), maxGrowth: numberInput(input, 'growthCap') },
    compactor: createCompactor({ summarizer: answering('A short summary.').summarizer, counter: BYTES_PER_FOUR }),
    counter: BYTES_PER_FOUR,
    estimate: { knownTotal: numberInput(input, 'estimate'), complete: true },
    signal: SIGNAL,
    onEvent,
  });
  const ours = outcome.outcome === 'compacted' ? estimateConversation(outcome.result.summaries, BYTES_PER_FOUR).knownTotal : 0;
  return {
    attempted: outcome.outcome !== 'skipped',
    err: outcome.outcome === 'failed' ? String(outcome.error) : null,
    failuresAfter: outcome.state.window.consecutiveFailures,
    telemetry: seedEvents(telemetry, ours),
  };
}

function stateOf(input: unknown): AutoCompactState {
  const reported = numberInput(input, 'providerReported');
  const usage = { inputTokens: reported, outputTokens: 0, cacheReadTokens: 0, cacheCreationTokens: 0 };
  let window: WindowState = withUsage(INITIAL_AUTO_STATE.window, reported > 0 ? usage : undefined);
  for (let failures = numberInput(input, 'failures'); failures > 0; failures -= 1) window = afterFailure(window);
  return { ...INITIAL_AUTO_STATE, window };
}

async function failing(): Promise<unknown> {
  const compactor = createCompactor({ summarizer: answering(new Error('overloaded')).summarizer, counter: BYTES_PER_FOUR });
  let state = INITIAL_AUTO_STATE;
  const told: unknown[] = [];
  for (let turn = 0; turn < 5; turn += 1) {
    const outcome = await autoCompact({
      messages: plainMessages(30),
      state,
      enabled: true,
      threshold: THRESHOLD,
      compactor,
      counter: BYTES_PER_FOUR,
      estimate: { knownTotal: 180_000, complete: true },
      signal: SIGNAL,
    });
    ({ state } = outcome);
    const failures = state.window.consecutiveFailures;
    told.push({ attempted: outcome.outcome !== 'skipped', error: outcome.outcome === 'failed', failures });
  }
  return told;
}

/** The vectors' names say how they were called. */
async function reactive(name: string): Promise<unknown> {
  const compactor = createCompactor({ summarizer: answering('A short summary.').summarizer, counter: BYTES_PER_FOUR });
  const input: ReactiveInput = {
    messages: plainMessages(8),
    compactor: name === 'reactive/no-compactor' ? undefined : compactor,
    hasAttempted: name === 'reactive/attempted',
    stripMedia: name === 'reactive/media-none',
    keepMessages: name === 'reactive/noop-small' ? 10 : 2,
    signal: SIGNAL,
  };
  const outcome = await reactiveCompact(input);
  const metadata = outcome.outcome === 'compacted' ? parseBoundaryMessage(outcome.result.boundary) : undefined;
  return {
    attempted: outcome.outcome !== 'notAttempted',
    err: outcome.outcome === 'failed',
    result: outcome.outcome === 'compacted',
    ...(metadata === undefined ? {} : { trigger: metadata.trigger }),
  };
}
