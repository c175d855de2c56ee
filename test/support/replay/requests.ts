// The requests that a session made to its model, with what each of them held: what both replays go through turn by turn.
import type { Message } from '../../../src/core/model/message';
import type { Transcript } from '../../../src/core/model/transcript';
import { promptTokens } from '../../../src/core/model/usage';
import { isProviderReport, responsesOf } from '../../../src/core/tokens/responses';

/** One request of the main conversation. */
export interface SessionRequest {
  /** Indexes into the transcript's messages of what the request held, in order. */
  readonly context: readonly number[];
  /** Index of the first message of the answer. */
  readonly reply: number;
  /** Ordinal of the part between two compactions. */
  readonly stretch: number;
  readonly model: string | undefined;
  /** As the provider reported it; undefined where nothing was. */
  readonly reported: Reported | undefined;
}

export interface Reported {
  readonly prompt: number;
  readonly output: number;
  readonly cacheRead: number;
}

/** All requests of a transcript's main conversation, oldest first. */
export function requestsOf(transcript: Transcript): readonly SessionRequest[] {
  const { messages } = transcript;
  const contextAt = contexts(transcript);
  return answers(transcript).map(({ reply, reported }) => {
    const { context, stretch } = contextAt(reply);
    const at = messages[reply];
    return { context, reply, stretch, model: at?.model ?? transcript.model, reported };
  });
}

interface Answer {
  readonly reply: number;
  readonly reported: Reported | undefined;
}

function answers({ messages, reports }: Transcript): readonly Answer[] {
  const all = responsesOf(messages).flatMap(({ indexes, usage }) => {
    const [reply = -1] = indexes;
    const message = messages[reply];
    return message === undefined || !isMain(message) ? [] : [{ reply, message, usage }];
  });
  if (reports === undefined || reports.every(({ isAgentEstimate }) => isAgentEstimate)) {
    return all.map(({ reply, message, usage }) => {
      const prompt = usage === undefined ? 0 : promptTokens(usage);
      if (usage === undefined || prompt === 0 || !isProviderReport(message)) return { reply, reported: undefined };
      return { reply, reported: { prompt, output: usage.outputTokens, cacheRead: usage.cacheReadTokens } };
    });
  }
  let from = 0;
  return reports.flatMap(({ afterIndex, contextTokens, outputTokens, cacheReadTokens, isAgentEstimate }) => {
    const began = from;
    from = Math.max(from, afterIndex);
    if (isAgentEstimate || contextTokens <= outputTokens) return [];
    // A report stands behind its answer, and results may stand between the two.
    let reply = began;
    while (reply < afterIndex && messages[reply]?.role !== 'assistant') reply++;
    const prompt = contextTokens - outputTokens;
    return [{ reply, reported: { prompt, output: outputTokens, cacheRead: cacheReadTokens } }];
  });
}

function isMain(message: Message): boolean {
  return message.isSidechain !== true && message.kind === 'message' && message.isCompactionReply !== true;
}

function isVisible(message: Message | undefined): boolean {
  return message !== undefined && message.isSidechain !== true && message.kind !== 'boundary' && message.kind !== 'microBoundary';
}

/** What was in the context when the message at an index was written. */
function contexts({ messages, context, boundaries }: Transcript): (index: number) => Pick<SessionRequest, 'context' | 'stretch'> {
  const cuts = boundaries.filter(({ index }) => messages[index]?.kind !== 'microBoundary');
  const places = new Map(messages.map(({ id }, index) => [id, index]));
  return (index) => {
    const stretch = cuts.filter((cut) => cut.index <= index).length;
    if (stretch === cuts.length && context.length > 0) return { stretch, context: context.filter((one) => one < index) };
    const cut = cuts[stretch - 1];
    const preserved = (cut?.preservedSegment?.ids ?? []).flatMap((id) => places.get(id) ?? []).filter((one) => one < (cut?.index ?? 0));
    const rest: number[] = [];
    for (let one = (cut?.index ?? -1) + 1; one < index; one++) if (isVisible(messages[one])) rest.push(one);
    return { stretch, context: [...preserved, ...rest] };
  };
}
