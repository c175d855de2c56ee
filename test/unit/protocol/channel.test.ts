import assert from 'node:assert/strict';
import { Client, emit, RpcError, serve, type Frame, type Port } from '../../../src/core/protocol/channel';
import { Emitter } from '../../../src/core/util/emitter';

interface Requests {
  double: { params: { n: number }; result: number };
  fail: { params: { n: number }; result: number };
  wait: { params: { n: number }; result: number };
}

interface Events {
  news: string;
}

describe('channel between page, host and engine', () => {
  it('answers a request with its result, several at once', async () => {
    const { client } = connected();
    assert.deepEqual(await Promise.all([client.request('double', { n: 2 }), client.request('double', { n: 5 })]), [4, 10]);
  });

  it('passes a failure on with the code of the error behind it', async () => {
    const { client } = connected();
    const error = await rejection(client.request('fail', { n: 1 }));
    assert.deepEqual([error.code, error.inner, error.message], ['failed', 'notFound', 'there is none']);
  });

  it('refuses what it does not know and params of another shape, without calling a handler', async () => {
    const { client, port } = connected();
    assert.equal((await rejection(client.request('double', { n: 'two' } as never))).code, 'badParams');
    assert.equal((await rejection(client.request('toString' as never, { n: 1 } as never))).code, 'unknownRequest');
    for (const junk of [null, 7, 'x', [], {}, { k: 'req' }, { k: 'req', id: 'a', name: 'double' }, { k: 'res' }]) port.deliver(junk);
    assert.equal(await client.request('double', { n: 1 }), 2);
  });

  it('cancels the work on the other side', async () => {
    const { client, waiting } = connected();
    const controller = new AbortController();
    const pending = rejection(client.request('wait', { n: 1 }, controller.signal));
    await Promise.resolve();
    controller.abort();
    assert.equal((await pending).code, 'cancelled');
    assert.equal(waiting.aborted, true);
    assert.equal((await rejection(client.request('double', { n: 1 }, controller.signal))).code, 'cancelled');
  });

  it('rejects what is pending and what comes later once it is closed', async () => {
    const { client } = connected();
    const pending = rejection(client.request('wait', { n: 1 }));
    client.dispose();
    client.dispose();
    assert.equal((await pending).code, 'disposed');
    assert.equal((await rejection(client.request('double', { n: 1 }))).code, 'disposed');
  });

  it('stops running work when the serving side closes', async () => {
    const { client, server, waiting } = connected();
    const pending = rejection(client.request('wait', { n: 1 }));
    await Promise.resolve();
    server.dispose();
    assert.equal((await pending).code, 'cancelled');
    assert.equal(waiting.aborted, true);
  });

  it('brings events to all who listen, until they stop', () => {
    const { client, port } = connected();
    const heard: string[] = [];
    const first = client.on('news', (value) => heard.push(`a ${value}`));
    client.on('news', (value) => heard.push(`b ${value}`));
    emit<Events, 'news'>(port.serving, 'news', '1');
    first.dispose();
    emit<Events, 'news'>(port.serving, 'news', '2');
    assert.deepEqual(heard, ['a 1', 'b 1', 'b 2']);
  });
});

interface Wire {
  readonly asking: Port;
  readonly serving: Port;
  /** Hands the serving side something that is no frame. */
  deliver(junk: unknown): void;
}

function wire(): Wire {
  const toServer = new Emitter<unknown>();
  const toClient = new Emitter<unknown>();
  return {
    asking: { post: (frame: Frame) => toServer.fire(frame), onFrame: toClient.event },
    serving: { post: (frame: Frame) => toClient.fire(frame), onFrame: toServer.event },
    deliver: (junk) => toServer.fire(junk),
  };
}

function connected(): { client: Client<Requests, Events>; server: { dispose(): void }; port: Wire; waiting: { aborted: boolean } } {
  const port = wire();
  const waiting = { aborted: false };
  const server = serve<Requests>(
    port.serving,
    {
      double: ({ n }) => Promise.resolve(n * 2),
      fail: () => Promise.reject(Object.assign(new Error('there is none'), { code: 'notFound' })),
      wait: (_params, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener(
            'abort',
            () => {
              waiting.aborted = true;
              reject(new Error('stopped'));
            },
            { once: true },
          );
        }),
    },
    (_name, params) => typeof params === 'object' && params !== null && 'n' in params && typeof params.n === 'number',
  );
  return { client: new Client<Requests, Events>(port.asking), server, port, waiting };
}

async function rejection(promise: Promise<unknown>): Promise<RpcError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof RpcError);
  return error;
}
