import { autoCompactThreshold, effectiveInputWindow, withMinPercent } from '../../../src/core/window/thresholds';
import { warningState, type WarningState } from '../../../src/core/window/warningState';
import { field, stringOf } from '../../../src/core/util/json';
import type { GoldenFunctions } from '../goldenTypes';
import { numberInput, recordInput } from './input';

/** Windows, thresholds and warning states of seed 2. */
export const windowFunctions: GoldenFunctions = {
  EffectiveInputWindowSize: (input) => effective(input),
  AutoCompactThresholdForWindow: (input) => autoCompactThreshold(numberInput(input, 'effectiveWindow')),
  'ContextWindow.AutoCompactThresholdWithMinPercent': (input) =>
    withMinPercent(autoCompactThreshold(effective(input)), effective(input), numberInput(input, 'percent')),
  'AutoCompactThreshold(env pct)': (input) =>
    autoCompactThreshold(effective(input), Number.parseFloat(stringOf(recordInput(input), 'pct') ?? '')),
  CalculateTokenWarningState: (input) =>
    seedWarning(
      warningState({
        maxTokens: numberInput(input, 'MaxTokens'),
        maxOutputTokens: numberInput(input, 'MaxOutputTokens'),
        usedTokens: numberInput(input, 'TokenUsage'),
        autoCompactEnabled: field(recordInput(input), 'AutoCompactEnabled') === true,
        suppressWarning: field(recordInput(input), 'SuppressWarning') === true,
      }),
    ),
};

/** A warning state under the names of the seed. */
export function seedWarning(state: WarningState): unknown {
  return {
    UsedTokens: state.usedTokens,
    EffectiveInputWindowTokens: state.effectiveInputWindowTokens,
    ThresholdTokens: state.thresholdTokens,
    WarningThresholdTokens: state.warningThresholdTokens,
    ErrorThresholdTokens: state.errorThresholdTokens,
    AutoCompactThresholdTokens: state.autoCompactThresholdTokens,
    BlockingLimitTokens: state.blockingLimitTokens,
    PercentLeft: state.percentLeft,
    IsAboveWarningThreshold: state.isAboveWarningThreshold,
    IsAboveErrorThreshold: state.isAboveErrorThreshold,
    IsAboveAutoCompactThreshold: state.isAboveAutoCompactThreshold,
    IsAtBlockingLimit: state.isAtBlockingLimit,
    AutoCompactEnabled: state.autoCompactEnabled,
    WarningSuppressed: state.warningSuppressed,
  };
}

function effective(input: unknown): number {
  return effectiveInputWindow({ maxTokens: numberInput(input, 'maxTokens'), maxOutputTokens: numberInput(input, 'maxOutputTokens') });
}
