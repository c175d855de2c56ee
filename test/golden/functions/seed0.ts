import { isOverThreshold } from '../../../src/core/compaction/trigger';
import { firstIndexWithin, keptTailStart } from '../../../src/core/cut/splitForKeep';
import type { Message } from '../../../src/core/model/message';
import { estimateMessageTokens } from '../../../src/core/tokens/charHeuristic';
import { createEstimator, NEUTRAL_ESTIMATOR } from '../../../src/core/tokens/estimator';
import { field } from '../../../src/core/util/json';
import { seed0Message } from '../../support/seed0Messages';
import type { GoldenFunctions } from '../goldenTypes';
import { listInput, numberInput, recordInput } from './input';

/** Functions of seed 0. */
export const seed0Functions: GoldenFunctions = {
  EstimateMessageTokens: (input) => estimateMessageTokens(seed0Message(field(recordInput(input), 'message'), 0)),
  'Estimator{}.Scale': () => NEUTRAL_ESTIMATOR.scale,
  'NewSliceEstimator.Scale': (input) => createEstimator(messagesOf(input)).scale,
  'NewEstimator.Scale': (input) => createEstimator(messagesOf(input).values()).scale,
  'Estimator.EstimateMessageTokens': (input) => {
    const messages = messagesOf(input);
    const { tokensOf } = createEstimator(messages);
    const one = field(recordInput(input), 'message');
    return one === undefined ? messages.map(tokensOf) : tokensOf(seed0Message(one, 0));
  },
  SplitIndexForKeep: (input) => {
    const messages = messagesOf(input);
    return keptTailStart(messages, numberInput(input, 'maxTokens'), createEstimator(messages).tokensOf);
  },
  FirstIndexInBudget: (input) => {
    const messages = messagesOf(input);
    return firstIndexWithin(messages, numberInput(input, 'contextLimit'), createEstimator(messages).tokensOf);
  },
  ShouldCompact: (input) =>
    isOverThreshold({
      input: numberInput(input, 'inputTokens'),
      output: numberInput(input, 'outputTokens'),
      added: numberInput(input, 'addedTokens'),
      limit: numberInput(input, 'contextLimit'),
      threshold: numberInput(input, 'threshold'),
    }),
};

function messagesOf(input: unknown): readonly Message[] {
  return listInput(input, 'messages').map(seed0Message);
}
