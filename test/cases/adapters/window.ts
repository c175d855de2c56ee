import { isAutoCompactDue, isOverThreshold } from '../../../src/core/compaction/trigger';
import { autoCompactThreshold, effectiveInputWindow, withMinPercent } from '../../../src/core/window/thresholds';
import { warningState, type WarningInput, type WarningState } from '../../../src/core/window/warningState';
import { field, type JsonRecord } from '../../../src/core/util/json';
import type { CaseAdapter, CaseCall } from '../caseTypes';

/** Windows, limits and triggers. */
export const window: CaseAdapter = {
  functions: {
    warningState: (call) => warningState(warningInput(call.args)),
    shouldAutoCompact: (call) => isAutoCompactDue(warningInput(call.args)),
    shouldCompact: (call) => isOverThreshold(thresholdInput(call.args)),
    autoCompactThresholdWithMinPercent: ({ args }) => {
      const effective = effectiveInputWindow(limits(args));
      return withMinPercent(autoCompactThreshold(effective), effective, number(args, 'percent'));
    },
  },
  properties: {
    P20: (call) => limitsProperty(warningInput(call.args)),
    P21: (call) => monotoneProperty(warningInput(call.args)),
    P22: (call) => implicationProperty(warningInput(call.args)),
    P23: (call) => triggerProperty(call),
  },
};

/** P20: all numbers are finite and in order. */
export function limitsProperty(input: WarningInput): string | undefined {
  const state = warningState(input);
  const { percentLeft, effectiveInputWindowTokens: effective, autoCompactThresholdTokens: auto, blockingLimitTokens: blocking } = state;
  if (!Number.isInteger(percentLeft) || percentLeft < 0 || percentLeft > 100) return `percentLeft is ${percentLeft}`;
  const all = [state.warningThresholdTokens, state.errorThresholdTokens, auto, blocking, effective, state.thresholdTokens];
  if (!all.every((limit) => Number.isFinite(limit) && limit >= 0 && limit <= effective)) return `a limit is outside of 0 … ${effective}`;
  if (state.warningThresholdTokens !== state.errorThresholdTokens) return 'warning and error differ';
  const ordered = input.autoCompactEnabled && input.blockingLimitTokens === undefined;
  if (ordered && !(state.errorThresholdTokens <= auto && (auto <= blocking || auto === 0))) return 'the limits are not in order';
  return undefined;
}

const USAGES = [-1, 0, 1, 5000, 146_999, 147_000, 160_000, 167_000, 167_001, 176_999, 177_000, 190_000, 977_000, 1e9];

/** P21: more usage never clears a flag. */
export function monotoneProperty(input: WarningInput): string | undefined {
  let before: WarningState | undefined;
  for (const usedTokens of USAGES) {
    const state = warningState({ ...input, usedTokens });
    if (before !== undefined) {
      if (flags(before).some((on, index) => on && flags(state)[index] !== true)) return `a flag is cleared at ${usedTokens}`;
      if (before.percentLeft < state.percentLeft) return `percentLeft grows at ${usedTokens}`;
    }
    before = state;
  }
  return undefined;
}

/** P22: a higher flag implies the lower ones; suppression hides all but blocking; an unknown window sets none. */
export function implicationProperty(input: WarningInput): string | undefined {
  for (const usedTokens of [...USAGES, input.usedTokens]) {
    const state = warningState({ ...input, usedTokens });
    const [isWarning, isError, isAuto, isBlocked] = flags(state);
    if (isAuto === true && !input.autoCompactEnabled) return 'the automatic flag is on although it is off';
    if (state.state === 'unknown' && flags(state).includes(true)) return 'an unknown window sets a flag';
    if (isBlocked !== flags(warningState({ ...input, usedTokens, suppressWarning: false }))[3]) return 'suppression hides blocking';
    if (input.suppressWarning) continue;
    if (isBlocked === true && input.autoCompactEnabled && input.blockingLimitTokens === undefined && isAuto !== true)
      return 'blocked, not automatic';
    if ((isAuto === true && isError !== true) || (isError === true && isWarning !== true))
      return 'a higher flag stands without the lower one';
  }
  return undefined;
}

function flags(state: WarningState): readonly boolean[] {
  return [state.isAboveWarningThreshold, state.isAboveErrorThreshold, state.isAboveAutoCompactThreshold, state.isAtBlockingLimit];
}

function triggerProperty(call: CaseCall): string | undefined {
  const input = thresholdInput(call.args);
  const now = isOverThreshold(input);
  const more = (['input', 'output', 'added'] as const).every((key) => !now || isOverThreshold({ ...input, [key]: input[key] + 1 }));
  if (!more) return 'not monotone in a number of tokens';
  if (!now && isOverThreshold({ ...input, limit: input.limit + 1 }) && input.limit > 0) return 'not antitone in the limit';
  const odd = [NaN, 0, -1, 1.01, 90].map((threshold) => isOverThreshold({ ...input, threshold }));
  return new Set([...odd, isOverThreshold({ ...input, threshold: 0.9 })]).size === 1 ? undefined : 'an odd threshold is not the default';
}

function warningInput(args: JsonRecord): WarningInput {
  return {
    ...limits(args),
    usedTokens: number(args, 'tokenUsage'),
    autoCompactEnabled: field(args, 'autoCompactEnabled') !== false,
    suppressWarning: field(args, 'suppressWarning') === true,
  };
}

function limits(args: JsonRecord): Pick<WarningInput, 'maxTokens' | 'maxOutputTokens'> {
  return { maxTokens: number(args, 'maxTokens'), maxOutputTokens: number(args, 'maxOutputTokens') };
}

function thresholdInput(args: JsonRecord): Parameters<typeof isOverThreshold>[0] {
  return {
    input: number(args, 'inputTokens'),
    output: number(args, 'outputTokens'),
    added: number(args, 'addedTokens'),
    limit: number(args, 'contextLimit'),
    threshold: number(args, 'threshold'),
  };
}

/** A number as it stands, NaN included; 0 when it is absent. */
function number(args: JsonRecord, key: string): number {
  const value = field(args, key);
  return typeof value === 'number' ? value : 0;
}
