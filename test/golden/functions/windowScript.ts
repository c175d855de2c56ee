import { afterFailure, afterMicrocompact, afterSuccess } from '../../../src/core/compaction/circuitBreaker';
import { isProjectionDue, shouldCompact, shouldSnip } from '../../../src/core/compaction/trigger';
import { wireMeasurement } from '../../../src/core/model/measurement';
import type { Usage } from '../../../src/core/model/usage';
import { numberOf, recordOf, stringOf, type JsonRecord } from '../../../src/core/util/json';
import { adjustToProvider, decisionTokens } from '../../../src/core/window/decisionTokens';
import { autoCompactThreshold, effectiveInputWindow } from '../../../src/core/window/thresholds';
import { warningState } from '../../../src/core/window/warningState';
import {
  currentInputUsage,
  EMPTY_WINDOW_STATE,
  previousCacheRead,
  providerReportedInput,
  withLocalEstimate,
  withPostCompactEstimate,
  withUsage,
  type WindowState,
} from '../../../src/core/window/windowState';
import type { GoldenFunctions } from '../goldenTypes';
import { recordInput } from './input';
import { seedWarning } from './window';

const LIMITS = { maxTokens: 200_000, maxOutputTokens: undefined };
const EFFECTIVE = effectiveInputWindow(LIMITS);
const THRESHOLD = autoCompactThreshold(EFFECTIVE);
const PROBES = [1000, 100_000, 158_999, 159_000, 167_000, 167_001, 175_000];

/** Scripts of operations on the window of a running session. */
export const windowScriptFunctions: GoldenFunctions = {
  'ContextWindow(maxTokens=200000) script': (input) => {
    if (!Array.isArray(input)) throw new Error('a script is a list');
    let state = EMPTY_WINDOW_STATE;
    let captured = state;
    for (const step of input.map(recordInput)) {
      if (stringOf(step, 'op') === 'capture') captured = state;
      state = stringOf(step, 'op') === 'restore' ? captured : after(state, step);
    }
    return shown(state);
  },
};

function after(state: WindowState, step: JsonRecord): WindowState {
  switch (stringOf(step, 'op')) {
    case 'UpdateUsage':
      return withUsage(state, usageOf(recordOf(step, 'usage')));
    case 'UpdateLocalEstimate': {
      const estimate = recordOf(step, 'estimate') ?? {};
      return withLocalEstimate(state, {
        knownTotal: numberOf(estimate, 'known_total_tokens') ?? 0,
        complete: estimate['complete'] === true,
      });
    }
    case 'UpdatePostCompactUsage':
      return withPostCompactEstimate(state, numberOf(step, 'n') ?? 0);
    case 'fail':
      return afterFailure(state);
    case 'success':
      return afterSuccess(state);
    case 'micro':
      return afterMicrocompact(state);
    case 'capture':
      return state;
    default:
      throw new Error(`unknown operation ${stringOf(step, 'op') ?? ''}`);
  }
}

/** The seed's input_tokens is the total already; here the cache parts come on top of the fresh part. */
function usageOf(usage: JsonRecord | undefined): Usage | undefined {
  if (usage === undefined) return undefined;
  const cacheReadTokens = numberOf(usage, 'cache_read_input_tokens') ?? 0;
  const cacheCreationTokens = numberOf(usage, 'cache_creation_input_tokens') ?? 0;
  const total = numberOf(usage, 'input_tokens') ?? 0;
  const outputTokens = numberOf(usage, 'output_tokens') ?? 0;
  return { inputTokens: total - cacheReadTokens - cacheCreationTokens, outputTokens, cacheReadTokens, cacheCreationTokens };
}

function shown(state: WindowState): unknown {
  const { tokens, measurement } = currentInputUsage(state);
  return {
    failures: state.consecutiveFailures,
    prevCacheRead: previousCacheRead(state),
    providerKnown: state.isProviderKnown,
    providerReported: providerReportedInput(state),
    remaining: EFFECTIVE - tokens,
    shouldCompact: shouldCompact(state, THRESHOLD),
    usage: { UsedTokens: tokens, Measurement: wireMeasurement(measurement) },
    'warning(-1,true)': seedWarning(
      warningState({ ...LIMITS, usedTokens: tokens, autoCompactEnabled: true, suppressWarning: state.isWarningSuppressed }),
    ),
    probes: Object.fromEntries(PROBES.map((knownTotal) => [String(knownTotal), probe(state, knownTotal)])),
  };
}

function probe(state: WindowState, knownTotal: number): unknown {
  const estimate = { knownTotal, complete: true };
  return {
    adjusted: adjustToProvider(state, estimate),
    adjustedIncomplete: adjustToProvider(state, { knownTotal, complete: false }),
    decisionCap4000: decisionTokens(state, estimate, 4000),
    progressive: isProjectionDue(state, estimate, THRESHOLD),
    'progressivePolicy(thr=5000,cap=0)': isProjectionDue(state, estimate, THRESHOLD, { threshold: 5000 }),
    snip: shouldSnip(state, estimate, THRESHOLD),
    'snipPolicy(thr=100000,cap=4000)': shouldSnip(state, estimate, THRESHOLD, { threshold: 100_000, maxGrowth: 4000 }),
  };
}
