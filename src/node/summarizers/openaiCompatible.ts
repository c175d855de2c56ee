import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type OpenAI from 'openai';
import type { Stream } from 'openai/streaming';
import { summarizeWithModel, type AskedReply, type ModelTurn } from '../../core/compaction/modelSummary';
import { CompactError } from '../../core/errors/compactError';
import type { Summarizer, SummaryReply, SummaryRequest } from '../../core/ports/summarizer';
import { startCallTimer } from './callTimer';
import { callChat, type ChatRequest, type ServiceTier } from './chatCall';
import { canSend, endpointOf, guardedFetch, unusable, type Endpoint } from './endpoint';
import { complainsAbout, failureOf, isWorthRetrying, type CallFacts } from './failures';

export interface OpenAiOptions {
  readonly baseUrl: string;
  readonly model: string;
  /** Undefined for servers that need none. */
  readonly apiKey: string | undefined;
  /** Sent with each request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Longest time without a sign of life of the server. */
  readonly timeoutMs: number;
  /**
   * The class of scheduling that the summarized conversation has, so that its summary waits no longer and costs no more than its turns (seed 2,
   * NewLLMStructuredSummarizeFuncWithServiceTier). Left out for a server that refuses the parameter.
   */
  readonly serviceTier?: ServiceTier;
}

const DEFAULT_TIMEOUT_MS = 120_000;
const RETRY_PAUSES_MS = [200, 800];
/** Output limits of models that allow less than we ask for, in tokens. */
const LOWER_LIMITS = [16_000, 8192, 4096];

/**
 * Writes summaries with any server that speaks OpenAI's chat completions. Nothing is loaded or sent before `summarize` is called; then the
 * text goes to `capabilities.host` and nowhere else. Rejects with one CompactError whose message is a sentence for people; neither key nor
 * transcript are in it.
 */
export function createOpenAiSummarizer(options: OpenAiOptions): Summarizer {
  const url = URL.canParse(options.baseUrl) ? new URL(options.baseUrl) : undefined;
  return {
    capabilities: { label: options.model, host: url?.host },
    summarize: async (request, signal, onReceived) => {
      if (signal.aborted) throw new CompactError('aborted');
      const server = await connect(options);
      return summarize(server, request, signal, onReceived ?? (() => undefined));
    },
  };
}

interface Server {
  readonly endpoint: Endpoint;
  readonly options: OpenAiOptions;
  readonly client: OpenAI;
  readonly sdk: typeof OpenAI;
  readonly streams: typeof Stream;
}

/** Loads the package and makes a client that takes nothing from the environment. */
async function connect(options: OpenAiOptions): Promise<Server> {
  const endpoint = endpointOf(options.baseUrl);
  const key = options.apiKey?.trim() ?? '';
  if (options.model.trim() === '') throw unusable('No model is chosen for the summarizer; name one in its settings.');
  if (!canSend(key, options.headers)) throw unusable('The key or a header of the summarizer cannot be sent as it is; enter it again.');
  const [{ default: sdk }, { Stream: streams }] = await Promise.all([import('openai'), import('openai/streaming')]);
  const client = new sdk({
    baseURL: endpoint.baseUrl,
    defaultQuery: endpoint.query,
    // The package insists on a key; servers that need none ignore it.
    apiKey: key === '' ? 'none' : key,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    defaultHeaders: options.headers,
    fetch: guardedFetch(endpoint, options.headers),
    // Time and tries are counted here; the package would also repeat what a server has refused.
    maxRetries: 0,
    timeout: 2 ** 31 - 1,
    logLevel: 'off',
  });
  return { endpoint, options, client, sdk, streams };
}

async function summarize(
  server: Server,
  request: SummaryRequest,
  signal: AbortSignal,
  onReceived: (characters: number) => void,
): Promise<SummaryReply> {
  const ask = (turns: readonly ModelTurn[]): Promise<AskedReply> => askServer(server, turns, request.maxOutputTokens, signal, onReceived);
  return summarizeWithModel(request, { name: server.endpoint.host, ask }, randomBytes(16).toString('hex'));
}

/** One answer of the server; tries again where only the network failed, and without a parameter that the server does not know. */
async function askServer(
  server: Server,
  messages: readonly ModelTurn[],
  maxOutputTokens: number,
  signal: AbortSignal,
  onReceived: (characters: number) => void,
): Promise<AskedReply> {
  const { options, endpoint, client, sdk, streams } = server;
  const idleMs = options.timeoutMs > 0 ? Math.min(options.timeoutMs, 2 ** 31 - 1) : DEFAULT_TIMEOUT_MS;
  const pauses = [...RETRY_PAUSES_MS];
  let request: ChatRequest = {
    model: options.model.trim(),
    messages,
    maxOutputTokens,
    limitName: 'max_tokens',
    asksUsage: true,
    serviceTier: options.serviceTier,
  };
  for (;;) {
    const timer = startCallTimer(signal, idleMs);
    let hasAnswer = false;
    const onArrival = (characters: number): void => {
      hasAnswer = true;
      timer.touch();
      if (characters > 0) onReceived(characters);
    };
    try {
      const reply = await callChat(client, streams, request, { signal: timer.signal, onArrival });
      // An aborted stream ends without an error.
      if (!timer.signal.aborted) return reply;
      throw new Error('the call was aborted');
    } catch (error) {
      if (signal.aborted) throw new CompactError('aborted');
      const facts: CallFacts = {
        host: endpoint.host,
        model: options.model,
        hasKey: (options.apiKey ?? '').trim() !== '',
        hasAnswer,
        timedOutAfterMs: timer.timedOutAfterMs(),
      };
      const simpler = simplerRequest(request, error, sdk);
      const wait = isWorthRetrying(error, facts, sdk) ? pauses.shift() : undefined;
      if (simpler !== undefined) request = simpler;
      else if (wait === undefined) throw failureOf(error, facts, sdk);
      else await pauseFor(wait, signal);
    } finally {
      timer.stop();
    }
  }
}

/**
 * A request that the server may accept after it refused one of our parameters: the other name of the output limit, a lower limit, no class of
 * scheduling, or no wish for usage numbers. Undefined when it refused something else, or when nothing is left to try.
 */
function simplerRequest(request: ChatRequest, error: unknown, sdk: typeof OpenAI): ChatRequest | undefined {
  if (request.limitName === 'max_tokens' && complainsAbout(error, 'max_completion_tokens', sdk)) {
    return { ...request, limitName: 'max_completion_tokens' };
  }
  if (complainsAbout(error, request.limitName, sdk)) {
    const lower = LOWER_LIMITS.find((limit) => limit < request.maxOutputTokens);
    return lower === undefined ? undefined : { ...request, maxOutputTokens: lower };
  }
  if (request.serviceTier !== undefined && complainsAbout(error, 'service_tier', sdk)) return { ...request, serviceTier: undefined };
  return request.asksUsage && complainsAbout(error, 'stream_options', sdk) ? { ...request, asksUsage: false } : undefined;
}

async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await pause(ms, undefined, { signal });
  } catch {
    throw new CompactError('aborted');
  }
}
