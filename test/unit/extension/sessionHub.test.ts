import assert from 'node:assert/strict';
import type { SessionPatch, SessionView } from '../../../src/core/protocol/viewModel';
import { SessionHub } from '../../../src/extension/sessions/sessionHub';
import { FakeEngine, settled } from './fakeEngine';
import { patch, plan, session } from './sessionFixture';

function setUp(): { engine: FakeEngine; hub: SessionHub; failures: unknown[] } {
  const engine = new FakeEngine();
  const failures: unknown[] = [];
  engine.answers['session/open'] = () => Promise.resolve(session());
  engine.answers['session/close'] = () => Promise.resolve(null);
  const params = (): { options: object; watch: boolean; pollMs: number } => ({ options: {}, watch: true, pollMs: 2000 });
  return {
    engine,
    failures,
    hub: new SessionHub(
      engine,
      params,
      (error) => void failures.push(error),
      () => 'lost',
    ),
  };
}

describe('SessionHub', () => {
  it('opens a file once for all, and closes it with the last', async () => {
    const { engine, hub } = setUp();
    const [first, second] = await Promise.all([hub.acquire('/a'), hub.acquire('/a')]);
    assert.equal(first.session, second.session);
    assert.equal(engine.count('session/open'), 1);
    first.dispose();
    first.dispose();
    assert.equal(engine.count('session/close'), 0);
    second.dispose();
    assert.deepEqual(engine.asked.at(-1), { name: 'session/close', params: { handle: 'h1' } });
    assert.deepEqual(hub.paths, []);
  });

  it('keeps nothing of a file that could not be opened', async () => {
    const { engine, hub } = setUp();
    engine.answers['session/open'] = () => Promise.reject(new Error('gone'));
    await assert.rejects(hub.acquire('/a'), /gone/);
    assert.deepEqual(hub.paths, []);
    engine.answers['session/open'] = () => Promise.resolve(session());
    assert.equal((await hub.acquire('/a')).session.view?.revision, 1);
  });

  it('passes every patch on, in order, and keeps the view in step', async () => {
    const { engine, hub } = setUp();
    const { session: shared } = await hub.acquire('/a');
    const seen: SessionPatch[] = [];
    shared.onDidPatch((one) => void seen.push(one));
    engine.emit('session/patched', patch(1, { title: 'b' }));
    engine.emit('session/patched', patch(2, { turns: 4 }));
    engine.emit('session/patched', patch(1, { title: 'late' }));
    engine.emit('session/patched', patch(3, { title: 'other' }, 'h2'));
    assert.deepEqual(
      seen.map(({ to }) => to),
      [2, 3],
    );
    assert.deepEqual([shared.view?.revision, shared.view?.title, shared.view?.turns], [3, 'b', 4]);
  });

  it('replaces the view by a snapshot when a revision is missing', async () => {
    const { engine, hub } = setUp();
    const { session: shared } = await hub.acquire('/a');
    engine.answers['session/snapshot'] = () => Promise.resolve(session({ revision: 5, title: 'five' }));
    const replaced: SessionView[] = [];
    shared.onDidReplace((view) => void replaced.push(view));
    engine.emit('session/patched', patch(4));
    await settled();
    assert.deepEqual(
      replaced.map(({ revision }) => revision),
      [5],
    );
    engine.emit('session/patched', patch(5, { title: 'six' }));
    assert.equal(shared.view?.title, 'six');
  });

  it('asks for a snapshot when a patch came while the file was being opened', async () => {
    const { engine, hub } = setUp();
    engine.answers['session/snapshot'] = () => Promise.resolve(session({ revision: 2, title: 'two' }));
    const acquiring = hub.acquire('/a');
    engine.emit('session/patched', patch(1, { title: 'two' }));
    const { session: shared } = await acquiring;
    await settled();
    assert.equal(shared.view?.title, 'two');
  });

  it('opens everything again after the engine was lost', async () => {
    const { engine, hub } = setUp();
    const { session: shared } = await hub.acquire('/a');
    const replaced: SessionView[] = [];
    shared.onDidReplace((view) => void replaced.push(view));
    engine.answers['session/open'] = () => Promise.resolve(session({ handle: 'h2' }));
    engine.stop();
    await settled();
    assert.deepEqual(
      replaced.map(({ handle, problem }) => [handle, problem]),
      [['h2', null]],
    );
  });

  it('says so when that fails, and tries again when it is opened', async () => {
    const { engine, hub, failures } = setUp();
    const { session: shared } = await hub.acquire('/a');
    engine.answers['session/open'] = () => Promise.reject(new Error('still down'));
    engine.stop();
    await settled();
    assert.equal(shared.view?.problem, 'lost');
    assert.equal(failures.length, 1);
    engine.answers['session/open'] = () => Promise.resolve(session({ handle: 'h3' }));
    assert.equal((await shared.open()).handle, 'h3');
  });

  it('closes a file whose last user left while it was being opened', async () => {
    const { engine, hub } = setUp();
    let open: (view: SessionView) => void = () => undefined;
    engine.answers['session/open'] = () => new Promise((resolve) => (open = resolve));
    const acquiring = hub.acquire('/a');
    hub.dispose();
    open(session());
    await assert.rejects(acquiring);
    assert.equal(engine.count('session/close'), 1);
  });

  it('shows a problem without losing the revision', async () => {
    const { engine, hub } = setUp();
    const { session: shared } = await hub.acquire('/a');
    engine.emit('session/problem', { handle: 'h1', code: 'denied', message: 'No more.' });
    assert.equal(shared.view?.problem, 'No more.');
    engine.emit('session/patched', patch(1, { problem: null }));
    assert.deepEqual([shared.view.problem, shared.view.revision], [null, 2]);
  });

  it('takes over settings: counts anew when counting changed, opens anew when watching changed, else does nothing', async () => {
    const engine = new FakeEngine();
    let opened = 0;
    engine.answers['session/open'] = () => Promise.resolve(session({ handle: `h${++opened}` }));
    engine.answers['session/close'] = () => Promise.resolve(null);
    engine.answers['session/options'] = ({ handle }) => Promise.resolve(session({ handle, revision: 2, title: 'counted anew' }));
    let params = { options: { imageTokens: 1 }, watch: true, pollMs: 2000 };
    const hub = new SessionHub(
      engine,
      () => params,
      () => undefined,
      () => 'lost',
    );
    const { session: shared } = await hub.acquire('/a');
    params = { ...params, options: { imageTokens: 1 } };
    hub.applySettings();
    assert.equal(engine.asked.length, 1);
    params = { ...params, options: { imageTokens: 2 } };
    hub.applySettings();
    await settled();
    assert.equal(shared.view?.title, 'counted anew');
    params = { ...params, watch: false };
    hub.applySettings();
    await settled();
    assert.equal(shared.view.handle, 'h2');
    assert.ok(engine.asked.some(({ name, params: asked }) => name === 'session/close' && JSON.stringify(asked) === '{"handle":"h1"}'));
  });

  it('remembers what previews of it would send, and what was only refused is not there', async () => {
    const { engine, hub } = setUp();
    const { session: shared } = await hub.acquire('/a');
    engine.answers['compaction/preview'] = () => Promise.resolve({ outcome: 'refusal', code: 'nothingToDo', message: 'x' });
    assert.equal((await shared.preview({ kind: 'full' })).outcome, 'refusal');
    assert.equal(shared.plannedTokens('p0'), undefined);
    // The oldest of twenty-one is let go.
    for (let number = 0; number <= 20; number++) {
      engine.answers['compaction/preview'] = () => Promise.resolve(plan(`p${number}`, number * 100));
      await shared.preview({ kind: 'full' });
    }
    assert.deepEqual([shared.plannedTokens('p0'), shared.plannedTokens('p1'), shared.plannedTokens('p20')], [undefined, 100, 2000]);
  });
});
