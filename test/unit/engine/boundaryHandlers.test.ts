// The engine's answers about compactions of the past and about projections, over a session that is really open.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { createEngine } from '../../../src/node/engine/engine';
import { isEngineParams } from '../../../src/node/engine/engineShapes';
import { AGENT_FIXTURES } from '../../support/folders';

const FOLDER = join(AGENT_FIXTURES, 'claude-code-2.1.332');

describe('reports of the engine', () => {
  const engine = createEngine(() => undefined);
  const { signal } = new AbortController();
  after(() => engine.dispose());

  const opened = async (name: string): Promise<string> => {
    const params = { path: join(FOLDER, name), options: { tokenizer: 'chars' as const }, watch: false, pollMs: 1000 };
    return (await engine.handlers['session/open'](params, signal)).handle;
  };

  it('tell what a compaction did, with rows and ids of the session', async () => {
    const handle = await opened('after-compact.jsonl');
    const report = await engine.handlers['boundary/report']({ handle, index: 0 }, signal);
    assert.deepEqual([report.index, report.summarizedCount, report.keptCount, report.faults], [0, 31, 1, []]);
    const [item] = report.refill?.items ?? [];
    assert.ok(item !== undefined);
    assert.equal((await engine.handlers['message/read']({ handle, messageId: item.messageId }, signal)).index, item.index);
  });

  it('refuse a boundary that there is not, and a session that is closed', async () => {
    const handle = await opened('after-compact.jsonl');
    await assert.rejects(engine.handlers['boundary/report']({ handle, index: 1 }, signal), { code: 'unknownMessage' });
    await engine.handlers['session/close']({ handle }, signal);
    await assert.rejects(engine.handlers['boundary/report']({ handle, index: 0 }, signal), { code: 'notFound' });
    await assert.rejects(engine.handlers['projection/preview']({ handle }, signal), { code: 'notFound' });
  });

  it('are given up when they are not wanted any more', async () => {
    const handle = await opened('after-compact.jsonl');
    const work = new AbortController();
    work.abort();
    await assert.rejects(engine.handlers['boundary/report']({ handle, index: 0 }, work.signal), { name: 'AbortError' });
  });

  it('show a projection, and say why there is none', async () => {
    const projection = await engine.handlers['projection/preview']({ handle: await opened('before-compact.jsonl') }, signal);
    assert.ok(!('outcome' in projection) && projection.items.length > 0 && projection.resultCount === projection.items.length);
    const none = await engine.handlers['projection/preview']({ handle: await opened('after-compact.jsonl') }, signal);
    assert.ok('outcome' in none);
    assert.deepEqual(
      [none.code, none.message],
      ['nothingToDo', 'There is no tool result in the context, so there is nothing that could be shortened.'],
    );
  });

  it('are asked for by a handle and an ordinal alone', () => {
    assert.ok(isEngineParams('boundary/report', { handle: 'h', index: 0 }) && isEngineParams('projection/preview', { handle: 'h' }));
    assert.ok(
      !isEngineParams('boundary/report', { handle: 'h', index: -1 }) &&
        !isEngineParams('boundary/report', { handle: 'h', index: 0, path: '/' }),
    );
  });
});
