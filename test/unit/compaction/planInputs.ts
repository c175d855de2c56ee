import type { PlanInput, TokensOf } from '../../../src/core/compaction/planInput';
import type { Message } from '../../../src/core/model/message';

/** Tokens by the number of characters: one each, so that sums are easy to check by hand. */
export const tokensOf: TokensOf = (message) => JSON.stringify(message.content).length;

/** Input of a planner over a plain list: everything is in the context, each message counts `each` tokens unless said otherwise. */
export function inputOf(messages: readonly Message[], more: Partial<PlanInput> & { readonly each?: number } = {}): PlanInput {
  const { each = 1000, ...rest } = more;
  return {
    messages,
    context: messages.map((_, index) => index),
    tokens: messages.map(() => each),
    unattributedTokens: 0,
    revision: 1,
    ...rest,
  };
}
