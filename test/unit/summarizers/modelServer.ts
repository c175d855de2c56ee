import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isRecord, stringOf, type JsonRecord } from '../../../src/core/util/json';

export interface SeenRequest {
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: JsonRecord;
  /** The chat messages of the body. */
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

export interface ModelServer {
  readonly baseUrl: string;
  readonly host: string;
  readonly seen: readonly SeenRequest[];
  /** Resolves when a client has gone before its answer ended. */
  readonly clientLeft: Promise<void>;
  close(): Promise<void>;
}

export type Answer = (response: ServerResponse, request: SeenRequest) => void;

/** A server on a free port of 127.0.0.1 that gives its answers in turn, and the last one for ever. */
export async function startModelServer(...answers: readonly Answer[]): Promise<ModelServer> {
  const seen: SeenRequest[] = [];
  let left = (): void => undefined;
  const clientLeft = new Promise<void>((resolve) => (left = resolve));
  const server = createServer((message, response) => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.on('end', () => {
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString() || '{}');
      const request = seenRequest(message, body);
      seen.push(request);
      response.on('close', () => {
        if (!response.writableFinished) left();
      });
      answers[Math.min(seen.length, answers.length) - 1]?.(response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
  const { port } = address;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    host: `127.0.0.1:${port}`,
    seen,
    clientLeft,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function seenRequest({ url, headers }: IncomingMessage, body: unknown): SeenRequest {
  const record = isRecord(body) ? body : {};
  const list: readonly unknown[] = Array.isArray(record['messages']) ? record['messages'] : [];
  const messages = list.filter(isRecord).map((item) => ({ role: stringOf(item, 'role') ?? '', content: stringOf(item, 'content') ?? '' }));
  return { url: url ?? '', headers, body: record, messages };
}

export function envelope(summary: string): string {
  return JSON.stringify({ schema: 'compact-summary/v2', summary });
}

/** Streams a text in pieces, then the stop reason, the usage and the end mark. */
export function streamed(text: string, stopReason = 'stop'): Answer {
  return (response) => {
    const size = Math.max(20, Math.ceil(text.length / 50));
    begin(response);
    for (let at = 0; at < text.length; at += size)
      send(response, { choices: [{ index: 0, delta: { content: text.slice(at, at + size) } }] });
    send(response, { choices: [{ index: 0, delta: {}, finish_reason: stopReason }] });
    send(response, { choices: [], usage: { prompt_tokens: 1200, completion_tokens: 80 } });
    response.end('data: [DONE]\n\n');
  };
}

export function begin(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
}

export function send(response: ServerResponse, chunk: unknown): void {
  response.write(`data: ${JSON.stringify(chunk)}\n\n`);
}

export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}

export function failed(status: number, error: Readonly<Record<string, unknown>>, headers: Readonly<Record<string, string>> = {}): Answer {
  return json(status, { error }, headers);
}
