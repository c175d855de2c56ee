import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { probeServer } from '../../../src/extension/summarizer/probeServer';

async function withServer<T>(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  action: (base: string) => Promise<T>,
): Promise<T> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  try {
    const address = server.address();
    assert.ok(typeof address === 'object' && address !== null);
    return await action(`http://127.0.0.1:${address.port}/v1`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const spec = (baseUrl: string): Parameters<typeof probeServer>[0] => ({
  kind: 'openai',
  baseUrl,
  model: 'm1',
  apiKey: 'secret',
  headers: { 'x-team': 't' },
  timeoutMs: 5000,
});
const signal = new AbortController().signal;

describe('probeServer', () => {
  it('asks for the models with the key and nothing else', async () => {
    const seen: string[] = [];
    const outcome = await withServer(
      (request, response) => {
        seen.push(
          `${request.method ?? ''} ${request.url ?? ''} ${request.headers.authorization ?? ''} ${String(request.headers['x-team'])}`,
        );
        response.end(JSON.stringify({ data: [{ id: 'm1' }] }));
      },
      (base) => probeServer(spec(base), signal),
    );
    assert.deepEqual(outcome, { kind: 'ok' });
    assert.deepEqual(seen, ['GET /v1/models Bearer secret t']);
  });

  it('tells what is wrong', async () => {
    const answers: readonly [(response: ServerResponse) => void, unknown][] = [
      [(response) => response.end(JSON.stringify({ data: [{ id: 'other' }] })), { kind: 'modelMissing' }],
      [(response) => response.end('not json'), { kind: 'noList' }],
      [(response) => response.writeHead(404).end(), { kind: 'noList' }],
      [(response) => response.writeHead(401).end(), { kind: 'status', status: 401 }],
    ];
    for (const [answer, expected] of answers) {
      assert.deepEqual(
        await withServer(
          (_request, response) => answer(response),
          (base) => probeServer(spec(base), signal),
        ),
        expected,
      );
    }
  });

  it('follows no redirect, so the key stays with its host', async () => {
    let strangers = 0;
    await withServer(
      (_request, response) => {
        strangers += 1;
        response.end('{}');
      },
      async (other) => {
        const outcome = await withServer(
          (_request, response) => response.writeHead(302, { location: `${other}/models` }).end(),
          (base) => probeServer(spec(base), signal),
        );
        assert.deepEqual(outcome, { kind: 'unreachable' });
      },
    );
    assert.equal(strangers, 0);
  });

  it('reports a server that is not there, and a cancellation', async () => {
    const gone = await withServer(
      (_request, response) => response.end(),
      (base) => Promise.resolve(base),
    );
    assert.deepEqual(await probeServer(spec(gone), signal), { kind: 'unreachable' });
    assert.deepEqual(await probeServer(spec(gone), AbortSignal.abort()), { kind: 'cancelled' });
  });
});
