import { firstIndexWithin, keptTailStart } from '../../../src/core/cut/splitForKeep';
import type { Message } from '../../../src/core/model/message';
import { createEstimator } from '../../../src/core/tokens/estimator';
import { arrayOf, numberOf } from '../../../src/core/util/json';
import type { CaseAdapter, CaseCall } from '../caseTypes';
import { invariants } from './invariants';

/** Cuts by a budget. Sizes come from `stubs.messageTokens`, else from the calibrated estimator. */
export const split: CaseAdapter = {
  functions: {
    splitIndexForKeep: (call) => keptTailStart(call.messages, budget(call), sizes(call)),
    firstIndexInBudget: (call) => firstIndexWithin(call.messages, budget(call), sizes(call)),
  },
  properties: {
    P05: invariants.properties?.['P05'] ?? (() => 'no check'),
    P06: (call, result) =>
      typeof result === 'number' && Number.isInteger(result) && result >= 0 && result <= call.messages.length
        ? undefined
        : 'outside of the list',
  },
};

function budget(call: CaseCall): number {
  return numberOf(call.args, 'maxTokens') ?? NaN;
}

function sizes(call: CaseCall): (message: Message) => number {
  const stubbed = arrayOf(call.stubs, 'messageTokens');
  if (stubbed === undefined) return createEstimator(call.messages).tokensOf;
  const byMessage = new Map(call.messages.map((message, index) => [message, Number(stubbed[index])]));
  return (message) => byMessage.get(message) ?? NaN;
}
