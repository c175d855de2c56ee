import assert from 'node:assert/strict';
import type { SessionEntry } from '../../../src/node/engine/contract';
import { CurrentSession } from '../../../src/extension/sessions/currentSession';
import { SessionHub } from '../../../src/extension/sessions/sessionHub';
import { SessionList, type ListScope } from '../../../src/extension/sessions/sessionList';
import { FakeEngine, settled } from './fakeEngine';
import { entry, session } from './sessionFixture';

const SCOPE: ListScope = { folders: ['/work'], all: false, extraPaths: {}, formats: ['claude-code', 'codex'] };

function setUp(scope: ListScope = SCOPE): { engine: FakeEngine; list: SessionList; found: SessionEntry[] } {
  const engine = new FakeEngine();
  const found: SessionEntry[] = [];
  engine.answers['sessions/list'] = () => Promise.resolve({ sessions: [...found], lookedIn: ['/sessions'] });
  engine.answers['session/open'] = ({ path }) => Promise.resolve(session({ handle: path, title: path }));
  engine.answers['session/close'] = () => Promise.resolve(null);
  return { engine, found, list: new SessionList(engine, () => scope) };
}

describe('SessionList', () => {
  it('looks once for all who ask first', async () => {
    const { engine, list } = setUp();
    await Promise.all([list.first(), list.first()]);
    await list.first();
    assert.equal(engine.count('sessions/list'), 1);
  });

  it('lists the newest first, of the enabled agents', async () => {
    const { list, found } = setUp({ ...SCOPE, formats: ['claude-code'] });
    found.push(
      entry({ path: '/old', lastActivityMs: 1 }),
      entry({ path: '/live', lastActivityMs: 3 }),
      entry({ path: '/other', format: 'codex', lastActivityMs: 9 }),
    );
    const { shown, workspace, lookedIn } = await list.refresh();
    assert.deepEqual(
      shown.map(({ path }) => path),
      ['/live', '/old'],
    );
    assert.deepEqual(workspace, shown);
    assert.deepEqual(lookedIn, ['/sessions']);
  });

  it('keeps the workspace’s own apart when it lists all', async () => {
    const { engine, list } = setUp({ ...SCOPE, all: true });
    engine.answers['sessions/list'] = ({ all }) =>
      Promise.resolve({
        sessions: all ? [entry({ path: '/elsewhere' }), entry({ path: '/own' })] : [entry({ path: '/own' })],
        lookedIn: [],
      });
    const found = await list.refresh();
    assert.deepEqual([found.workspace.length, found.shown.length], [1, 2]);
  });

  it('without a folder finds no session of the workspace', async () => {
    const { engine, list } = setUp({ ...SCOPE, folders: [] });
    assert.deepEqual((await list.refresh()).workspace, []);
    assert.equal(engine.count('sessions/list'), 0);
  });

  it('joins looks that overlap into one more, and tells only of changes', async () => {
    const { engine, list, found } = setUp();
    let changes = 0;
    list.onDidChange(() => (changes += 1));
    await Promise.all([list.refresh(), list.refresh(), list.refresh()]);
    assert.equal(engine.count('sessions/list'), 2);
    assert.equal(changes, 1);
    found.push(entry());
    await list.refresh();
    assert.equal(changes, 2);
  });

  it('is asked again after a first look that failed', async () => {
    const { engine, list } = setUp();
    engine.answers['sessions/list'] = () => Promise.reject(new Error('down'));
    await assert.rejects(list.first(), /down/);
    engine.answers['sessions/list'] = () => Promise.resolve({ sessions: [], lookedIn: [] });
    await list.first();
    assert.ok(list.hasLooked);
  });
});

describe('CurrentSession', () => {
  const titleOf = ({ view }: CurrentSession): string | undefined => view?.title;

  function follow(): ReturnType<typeof setUp> & { current: CurrentSession; pins: (string | undefined)[]; failures: unknown[] } {
    const parts = setUp();
    const failures: unknown[] = [];
    const pins: (string | undefined)[] = [];
    const pin = {
      get: () => pins.at(-1),
      set: (path: string | undefined) => {
        pins.push(path);
        return Promise.resolve();
      },
    };
    const report = (error: unknown): void => void failures.push(error);
    const hub = new SessionHub(
      parts.engine,
      () => ({ options: {}, watch: true, pollMs: 2000 }),
      report,
      () => 'lost',
    );
    return { ...parts, failures, pins, current: new CurrentSession(hub, parts.list, pin, report) };
  }

  it('follows the newest, whichever that is', async () => {
    const { list, found, current, engine } = follow();
    found.push(entry({ path: '/a', lastActivityMs: 1 }));
    await list.refresh();
    await settled();
    assert.equal(titleOf(current), '/a');
    found.push(entry({ path: '/b', lastActivityMs: 2 }));
    await list.refresh();
    await settled();
    assert.equal(titleOf(current), '/b');
    assert.deepEqual(engine.asked.at(-1), { name: 'session/close', params: { handle: '/a' } });
  });

  it('keeps to the chosen one until told otherwise', async () => {
    const { list, found, current } = follow();
    found.push(entry({ path: '/a', lastActivityMs: 1 }), entry({ path: '/b', lastActivityMs: 2 }));
    await list.refresh();
    await current.setPinned('/a');
    await settled();
    assert.equal(titleOf(current), '/a');
    found.push(entry({ path: '/c', lastActivityMs: 3 }));
    await list.refresh();
    await settled();
    assert.equal(titleOf(current), '/a');
    await current.setPinned(undefined);
    await settled();
    assert.equal(titleOf(current), '/c');
  });

  it('lets a chosen one go that can’t be opened any more', async () => {
    const { engine, list, found, current, pins, failures } = follow();
    found.push(entry({ path: '/a', lastActivityMs: 1 }));
    engine.answers['session/open'] = ({ path }) =>
      path === '/gone' ? Promise.reject(new Error('gone')) : Promise.resolve(session({ handle: path, title: path }));
    await list.refresh();
    await current.setPinned('/gone');
    await settled();
    assert.equal(pins.at(-1), undefined);
    assert.equal(titleOf(current), '/a');
    assert.equal(failures.length, 1);
  });

  it('has none when there is none', async () => {
    const { list, found, current } = follow();
    found.push(entry({ path: '/a' }));
    await list.refresh();
    await settled();
    found.length = 0;
    await list.refresh();
    await settled();
    assert.equal(current.view, undefined);
  });
});
