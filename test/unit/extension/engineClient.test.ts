import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RpcError } from '../../../src/core/protocol/channel';
import { startEngineWorker, type EngineClient } from '../../../src/node/engine/client';

/** A worker that answers `session/snapshot` by what the handle says. */
const WORKER = `
import { parentPort } from 'node:worker_threads';
parentPort.on('message', (frame) => {
  if (frame.k === 'cancel') return parentPort.postMessage({ k: 'err', id: frame.id, code: 'cancelled', message: '' });
  const { handle } = frame.params;
  if (handle === 'exit') process.exit(7);
  if (handle === 'throw') throw new Error('broken');
  if (handle === 'wait') return;
  if (handle === 'event') parentPort.postMessage({ k: 'event', name: 'session/patched', value: { from: 1 } });
  const result = handle === 'env' ? Object.keys(process.env).filter((name) => /openai/i.test(name)) : handle;
  parentPort.postMessage({ k: 'res', id: frame.id, result });
});
`;

describe('startEngineWorker', () => {
  let folder = '';
  let engine: EngineClient;
  let time = 0;
  const ask = (handle: string, signal?: AbortSignal): Promise<unknown> => engine.request('session/snapshot', { handle }, signal);
  const isDisposed = (error: unknown): boolean => error instanceof RpcError && error.code === 'disposed';

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'engine-client-'));
    writeFileSync(join(folder, 'worker.mjs'), WORKER);
  });
  after(() => rmSync(folder, { recursive: true }));
  beforeEach(() => {
    time = 0;
    engine = startEngineWorker(join(folder, 'worker.mjs'), () => time);
  });
  afterEach(() => engine.dispose());

  it('starts with the first request and answers', async () => assert.equal(await ask('a'), 'a'));

  it('passes events on, also to those who listened before the start', async () => {
    const seen: unknown[] = [];
    engine.on('session/patched', (patch) => void seen.push(patch));
    await ask('event');
    assert.deepEqual(seen, [{ from: 1 }]);
  });

  it('rejects what is pending when the worker dies, tells why, and starts again with the listeners', async () => {
    const reasons: string[] = [];
    const seen: unknown[] = [];
    engine.onDidStop(({ reason }) => void reasons.push(reason));
    engine.on('session/patched', (patch) => void seen.push(patch));
    await assert.rejects(ask('throw'), isDisposed);
    assert.deepEqual(reasons, ['broken']);
    await ask('event');
    assert.equal(seen.length, 1);
  });

  it('stops trying after three deaths within a minute, until the minute is over', async () => {
    for (let deaths = 0; deaths < 3; deaths++) await assert.rejects(ask('exit'), isDisposed);
    await assert.rejects(ask('a'), (error) => error instanceof RpcError && error.inner === 'engineStopped');
    time = 60_000;
    assert.equal(await ask('a'), 'a');
  });

  it('cancels by signal', async () => {
    const controller = new AbortController();
    const pending = ask('wait', controller.signal);
    controller.abort();
    await assert.rejects(pending, (error) => error instanceof RpcError && error.code === 'cancelled');
  });

  it('keeps keys and servers of the environment from the worker', async () => {
    process.env['OPENAI_API_KEY'] = 'x';
    process.env['OPENAI_BASE_URL'] = 'https://evil.invalid';
    try {
      assert.deepEqual(await ask('env'), []);
    } finally {
      delete process.env['OPENAI_API_KEY'];
      delete process.env['OPENAI_BASE_URL'];
    }
  });

  it('rejects everything after it was disposed', async () => {
    const pending = ask('wait');
    engine.dispose();
    await assert.rejects(pending, isDisposed);
    await assert.rejects(ask('a'), isDisposed);
  });

  it('says clearly that a worker’s file is missing', async () => {
    engine.dispose();
    engine = startEngineWorker(join(folder, 'missing.mjs'));
    const reasons: string[] = [];
    engine.onDidStop(({ reason }) => void reasons.push(reason));
    await assert.rejects(ask('a'), isDisposed);
    assert.match(reasons[0] ?? '', /missing\.mjs/);
  });
});
