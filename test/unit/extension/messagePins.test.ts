import assert from 'node:assert/strict';
import { MessagePins } from '../../../src/extension/sessions/messagePins';

function memory(value?: unknown): { kept: unknown; get(): unknown; set(next: unknown): Promise<void> } {
  return {
    kept: value,
    get() {
      return this.kept;
    },
    set(next) {
      this.kept = next;
      return Promise.resolve();
    },
  };
}

describe('MessagePins', () => {
  it('pins and unpins by session, tells of it, and keeps it', async () => {
    const store = memory();
    const pins = new MessagePins(store);
    const heard: string[] = [];
    pins.onDidChange((path) => heard.push(path));
    assert.equal(await pins.toggle('/a', 'm1'), true);
    assert.equal(await pins.toggle('/a', 'm2'), true);
    assert.equal(await pins.toggle('__proto__', 'm9'), true);
    assert.deepEqual([pins.of('/a'), pins.of('__proto__'), pins.of('/b')], [['m1', 'm2'], ['m9'], []]);
    assert.equal(await pins.toggle('/a', 'm1'), false);
    assert.deepEqual(new MessagePins(memory(structuredClone(store.kept))).of('/a'), ['m2']);
    assert.deepEqual(heard, ['/a', '/a', '__proto__', '/a']);
  });

  it('keeps a bounded number, the newest', async () => {
    const store = memory();
    const pins = new MessagePins(store);
    for (let at = 0; at < 205; at++) await pins.toggle('/a', `m${at}`);
    assert.equal(pins.of('/a').length, 200);
    assert.equal(pins.of('/a').at(-1), 'm204');
    for (let at = 0; at < 105; at++) await pins.toggle(`/s${at}`, 'm');
    assert.deepEqual([pins.of('/a').length, pins.of('/s104').length], [0, 1]);
  });

  it('takes nothing from a memory of another form', () => {
    for (const value of [null, 7, 'x', {}, [null], [['/a']], [['/a', 'm']], [[1, ['m']]]])
      assert.deepEqual(new MessagePins(memory(value)).of('/a'), []);
    assert.deepEqual(new MessagePins(memory([['/a', ['m', 1, null]]])).of('/a'), ['m']);
  });
});
