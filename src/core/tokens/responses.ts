import type { Message } from '../model/message';
import { isTurnStart } from '../model/turn';
import type { Usage } from '../model/usage';

/** One answer of a model, which transcripts may store as several records (fragments). */
export interface Response {
  /** Indexes of its fragments in the list, in order; other messages may stand between them. */
  readonly indexes: readonly number[];
  /** Usage of the fragment with the largest output, the latest one among equals: earlier ones are stored while the answer still streams. */
  readonly usage: Usage | undefined;
}

/**
 * Groups the assistant's messages of a list into responses (R23). Fragments belong together when they share message id and request id (one
 * without a request id agrees with all) and no user turn stands between them: relays give different responses one id. Side chains are told
 * apart from the main chain; there a pair of both ids is enough, since parallel sub-agents interleave. Linear.
 */
export function responsesOf(messages: readonly Message[]): readonly Response[] {
  const responses: OpenResponse[] = [];
  const main: Run = new Map();
  const side: Run = new Map();
  const sideWithRequest: Run = new Map();
  messages.forEach((message, index) => {
    const isSide = message.isSidechain === true;
    if (isTurnStart(message)) (isSide ? side : main).clear();
    if (message.role !== 'assistant') return;
    const run = !isSide ? main : message.requestId === undefined ? side : sideWithRequest;
    let response = find(run, message);
    if (response === undefined) {
      response = { indexes: [], usage: undefined, requestId: message.requestId };
      responses.push(response);
      remember(run, message, response);
    }
    response.indexes.push(index);
    if (isProviderReport(message)) response.usage = larger(response.usage, message.usage);
  });
  return responses;
}

/**
 * True when a message carries usage that a provider really reported: not a reply that the agent's program made up, such as an error line
 * (R27).
 */
export function isProviderReport(message: Message): boolean {
  return message.usage !== undefined && message.kind !== 'apiError' && message.model !== SYNTHETIC_MODEL;
}

/** Model name of replies that Claude Code writes itself. */
const SYNTHETIC_MODEL = '<synthetic>';

interface OpenResponse {
  readonly indexes: number[];
  usage: Usage | undefined;
  /** Undefined until a fragment tells it. */
  requestId: string | undefined;
}

/** What is known of one message id in an assistant run. Nearly always there is one response, so the map is made for a second one only. */
interface Known {
  latest: OpenResponse;
  byRequest: Map<string, OpenResponse> | undefined;
}

/** One assistant run by message id. */
type Run = Map<string, Known>;

function find(run: Run, { messageId, requestId }: Message): OpenResponse | undefined {
  const known = messageId === undefined ? undefined : run.get(messageId);
  if (known === undefined) return undefined;
  const { latest } = known;
  if (requestId === undefined || latest.requestId === requestId) return latest;
  const named = known.byRequest?.get(requestId);
  if (named !== undefined || latest.requestId !== undefined) return named;
  latest.requestId = requestId;
  known.byRequest?.set(requestId, latest);
  return latest;
}

function remember(run: Run, { messageId }: Message, response: OpenResponse): void {
  if (messageId === undefined || messageId === '') return;
  const known = run.get(messageId);
  if (known === undefined) {
    run.set(messageId, { latest: response, byRequest: undefined });
    return;
  }
  known.byRequest ??= new Map();
  for (const one of [known.latest, response]) if (one.requestId !== undefined) known.byRequest.set(one.requestId, one);
  known.latest = response;
}

function larger(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  return a === undefined || (b !== undefined && b.outputTokens >= a.outputTokens) ? b : a;
}
