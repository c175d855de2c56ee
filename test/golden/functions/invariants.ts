import { safeHeadEnd, safePartialHeadEnd, safeTailStart, type CutOptions } from '../../../src/core/cut/pairing';
import type { Message } from '../../../src/core/model/message';
import { seed2Messages } from '../../support/seed2Messages';
import type { GoldenFunctions } from '../goldenTypes';
import { listInput } from './input';

type Adjuster = (messages: readonly Message[], index: number, options: CutOptions) => number;

/** Adjusters of seed 2, asked for every index from −1 to one past the end. */
export const invariantFunctions: GoldenFunctions = {
  'invariants for index -1..len+1': (input) => {
    const messages = seed2Messages(listInput(input, 'messages'));
    const all = (adjust: Adjuster): readonly number[] =>
      Array.from({ length: messages.length + 3 }, (_, at) => adjust(messages, at - 1, { strictLayout: true }));
    return {
      AdjustIndexToPreserveAPIInvariants: all(safeTailStart),
      AdjustHeadEndToPreserveAPIInvariants: all(safeHeadEnd),
      AdjustHeadEndToPreservePartialInvariants: all(safePartialHeadEnd),
    };
  },
};
