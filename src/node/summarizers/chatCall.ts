import type OpenAI from 'openai';
import type { Stream } from 'openai/streaming';
import type { AskedReply, ModelTurn } from '../../core/compaction/modelSummary';
import { isTokenCount } from '../../core/model/usage';
import type { SummaryReply } from '../../core/ports/summarizer';
import { arrayOf, field, isRecord, numberOf, recordOf, stringOf } from '../../core/util/json';
import { CompactError } from '../../core/errors/compactError';

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ModelTurn[];
  readonly maxOutputTokens: number;
  /** Newer models of OpenAI know only `max_completion_tokens`, most other servers only `max_tokens`. */
  readonly limitName: 'max_tokens' | 'max_completion_tokens';
  /** Ask for the usage at the end of the stream; some servers do not know that. */
  readonly asksUsage: boolean;
  /** The provider's class of scheduling; undefined leaves it to the provider. */
  readonly serviceTier: ServiceTier | undefined;
}

/** Classes of scheduling of OpenAI; other servers know some of them or none. */
export type ServiceTier = 'auto' | 'default' | 'flex' | 'scale' | 'priority';

export interface CallWatch {
  /** Aborts the call: by the user or by the timer. */
  readonly signal: AbortSignal;
  /** Something arrived. `characters` of the answer's text so far. */
  readonly onArrival: (characters: number) => void;
}

/** Characters of an answer after which it cannot be a summary any more. */
const MAX_REPLY_CHARACTERS = 1_000_000;

/**
 * Asks a server once: text only, streamed where the server streams. Sets neither tools nor temperature. Rejects with the package's errors,
 * or with CompactError `api` when the answer is no chat completion at all.
 */
export async function callChat(client: OpenAI, streams: typeof Stream, request: ChatRequest, watch: CallWatch): Promise<AskedReply> {
  const response = await client.chat.completions
    .create(
      {
        model: request.model,
        messages: [...request.messages],
        stream: true,
        ...(request.asksUsage ? { stream_options: { include_usage: true } } : {}),
        ...(request.serviceTier === undefined ? {} : { service_tier: request.serviceTier }),
        [request.limitName]: request.maxOutputTokens,
      },
      { signal: watch.signal },
    )
    .asResponse();
  watch.onArrival(0);
  const type = response.headers.get('content-type') ?? 'text/event-stream';
  if (type.includes('json')) return wholeReply(await response.json());
  if (type.includes('event-stream')) return streamedReply(streams.fromSSEResponse<unknown>(response, new AbortController(), client), watch);
  await response.body?.cancel();
  throw new CompactError('api', 'The address of the summarizer answers with a web page and not as a model’s server; check the address.');
}

/** The answer of a server that does not stream, whatever it was asked for. */
function wholeReply(body: unknown): AskedReply {
  const choice = firstChoice(body);
  if (choice === undefined) {
    throw new CompactError('api', 'The server of the summarizer answered without a message; check its address and the model’s name.');
  }
  const message = recordOf(choice, 'message') ?? {};
  const stopReason = stringOf(choice, 'finish_reason');
  return { text: stringOf(message, 'content') ?? '', stopReason, usage: usageOf(body), isRefused: isRefusal(message, stopReason) };
}

async function streamedReply(chunks: AsyncIterable<unknown>, watch: CallWatch): Promise<AskedReply> {
  const parts: string[] = [];
  let characters = 0;
  let stopReason: string | undefined;
  let usage: SummaryReply['usage'];
  let isRefused = false;
  for await (const chunk of chunks) {
    const choice = firstChoice(chunk);
    const delta = choice === undefined ? {} : (recordOf(choice, 'delta') ?? {});
    const text = stringOf(delta, 'content') ?? '';
    parts.push(text);
    characters += text.length;
    stopReason = (choice === undefined ? undefined : stringOf(choice, 'finish_reason')) ?? stopReason;
    usage = usageOf(chunk) ?? usage;
    isRefused ||= isRefusal(delta, stopReason);
    watch.onArrival(characters);
    if (characters > MAX_REPLY_CHARACTERS) throw new CompactError('invalidSummary');
  }
  return { text: parts.join(''), stopReason, usage, isRefused };
}

function firstChoice(body: unknown): Readonly<Record<string, unknown>> | undefined {
  const choice = isRecord(body) ? arrayOf(body, 'choices')?.[0] : undefined;
  return isRecord(choice) ? choice : undefined;
}

function isRefusal(message: Readonly<Record<string, unknown>>, stopReason: string | undefined): boolean {
  const refusal = field(message, 'refusal');
  return (typeof refusal === 'string' && refusal !== '') || stopReason === 'content_filter';
}

function usageOf(body: unknown): SummaryReply['usage'] {
  const usage = isRecord(body) ? recordOf(body, 'usage') : undefined;
  if (usage === undefined) return undefined;
  const inputTokens = numberOf(usage, 'prompt_tokens');
  const outputTokens = numberOf(usage, 'completion_tokens');
  return isTokenCount(inputTokens) && isTokenCount(outputTokens) ? { inputTokens, outputTokens } : undefined;
}
