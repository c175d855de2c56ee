// A stand-in for an OpenAI-compatible server on this machine: it streams one summary in the form that is asked for, and keeps what it was sent.
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';

export interface StubRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface StubServer {
  /** To be set as `openai.baseUrl`. */
  readonly baseUrl: string;
  readonly host: string;
  readonly requests: readonly StubRequest[];
  stop(): Promise<void>;
}

/** Starts the server on a free port of 127.0.0.1; every chat request gets `summary`. */
export async function startStub(summary: string): Promise<StubServer> {
  const requests: StubRequest[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const path = request.url ?? '';
      requests.push({ path, headers: request.headers, body: Buffer.concat(parts).toString('utf8') });
      if (path.endsWith('/chat/completions')) stream(response, JSON.stringify({ schema: 'compact-summary/v2', summary }));
      else response.writeHead(404).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${portOf(server)}`;
  return {
    baseUrl: `http://${host}/v1`,
    host,
    requests,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The stub has no port.');
  return address.port;
}

/** Sends the text in pieces, as providers do, with the usage at the end. */
function stream(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const send = (delta: object, finish: string | null, more: object = {}): void => {
    const choices = [{ index: 0, delta, finish_reason: finish }];
    const chunk = { id: 'chatcmpl-stub', object: 'chat.completion.chunk', created: 1_796_000_000, model: 'stub', choices, ...more };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  const PIECE = 40;
  send({ role: 'assistant', content: '' }, null);
  for (let at = 0; at < text.length; at += PIECE) send({ content: text.slice(at, at + PIECE) }, null);
  send({}, 'stop', { usage: { prompt_tokens: 1000, completion_tokens: 200, total_tokens: 1200 } });
  response.end('data: [DONE]\n\n');
}
