import type { Message } from '../model/message';
import { isTurnStart } from '../model/turn';
import { promptTokens, type Usage } from '../model/usage';
import type { GuessedTokens } from './errorBand';
import { hiddenThinkingBlocks } from './messageTokens';
import { replySize } from './replySize';
import { responsesOf } from './responses';

/** What the newest report in a list of messages says, and what has come after its request. */
export interface ReportedContext {
  readonly usage: Usage;
  /** Position of the newest fragment that carries the report. */
  readonly at: number;
  /** Position of the response's first fragment: from here on nothing was in the request. */
  readonly from: number;
  /** Size of the prompt, or of the whole context where the source states that. */
  readonly reportedTokens: number;
  /** The reply, where the report lacks it: the larger of recorded output and estimate. */
  readonly replyTokens: number;
  /** Everything after the request but the reply, results between its fragments included: they were not in it. */
  readonly laterTokens: number;
  /** Part of the two above that is an estimate. */
  readonly guessed: GuessedTokens;
}

/**
 * Finds the last response whose usage counts (`canReport`) and sizes what follows its request. `sizes` holds one estimate per message.
 * Undefined when no message may report. A report of 0 is none.
 */
export function reportedContext(
  messages: readonly Message[],
  sizes: readonly number[],
  canReport: (message: Message, position: number) => boolean,
): ReportedContext | undefined {
  const reports = (position: number): boolean => {
    const message = messages[position];
    return message?.usage !== undefined && contextSize(message.usage) > 0 && canReport(message, position);
  };
  let last = messages.length - 1;
  while (last >= 0 && !reports(last)) last--;
  if (last < 0) return undefined;
  // A user turn closes every response before it, so only the run that the last report stands in has to be grouped.
  let from = last;
  while (from > 0 && !opensRun(messages[from])) from--;
  const response = responsesOf(messages.slice(from)).findLast(({ indexes, usage }) => {
    return usage !== undefined && indexes.some((index) => reports(from + index));
  });
  if (response?.usage === undefined) return undefined;
  return sized(
    response.usage,
    response.indexes.map((index) => from + index),
    messages,
    sizes,
    reports,
  );
}

function opensRun(message: Message | undefined): boolean {
  return message !== undefined && message.isSidechain !== true && isTurnStart(message);
}

function sized(
  usage: Usage,
  fragments: readonly number[],
  messages: readonly Message[],
  sizes: readonly number[],
  reports: (position: number) => boolean,
): ReportedContext {
  const from = fragments[0] ?? 0;
  const isFragment = new Set(fragments);
  let content = 0;
  let later = 0;
  for (let position = from; position < sizes.length; position++) {
    const size = sizes[position] ?? 0;
    if (isFragment.has(position)) content += size;
    else later += size;
  }
  // Where the source states the whole context, the report holds the reply already.
  const reply = usage.contextTokens === undefined ? replySize(usage.outputTokens, content) : { tokens: 0, isGuessed: false };
  return {
    usage,
    at: fragments.findLast(reports) ?? from,
    from,
    reportedTokens: contextSize(usage),
    replyTokens: reply.tokens,
    laterTokens: later,
    guessed: {
      later,
      reply: reply.isGuessed ? reply.tokens : 0,
      hiddenThinking: reply.isGuessed ? fragments.reduce((sum, position) => sum + hiddenThinkingBlocks(messages[position]), 0) : 0,
    },
  };
}

function contextSize(usage: Usage): number {
  return usage.contextTokens ?? promptTokens(usage);
}
