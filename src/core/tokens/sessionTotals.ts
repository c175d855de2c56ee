import type { Message } from '../model/message';
import type { SessionTotals } from '../model/transcript';
import { responsesOf } from './responses';

/**
 * Usage of all responses, each counted once with the numbers of its latest record (R23), side chains included (R26). What was copied from a
 * parent session is not counted again (R28). Give the main chain first and then each side chain, or the records in file order.
 */
export function sessionTotals(messages: readonly Message[]): SessionTotals {
  const totals = { responses: 0, inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheCreationTokens: 0 };
  for (const { usage } of responsesOf(messages.filter((message) => message.isInherited !== true))) {
    if (usage === undefined) continue;
    totals.responses += 1;
    totals.inputTokens += usage.inputTokens;
    totals.outputTokens += usage.outputTokens;
    totals.cacheReadTokens += usage.cacheReadTokens;
    totals.cacheCreationTokens += usage.cacheCreationTokens;
  }
  return totals;
}
