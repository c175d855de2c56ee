// What came back after a compaction: each cause by itself, with the row that held the same before.
import assert from 'node:assert/strict';
import type { ContentBlock, Message } from '../../../src/core/model/message';
import { refillOf, type Refill, type RefillInput } from '../../../src/core/session/refill';
import { assistant, user } from '../../support/messages';

let ids = 0;

/** A call and its result. */
function uses(name: string, input: unknown, output: string, isError = false): readonly Message[] {
  const id = `t${ids++}`;
  const result: ContentBlock = { type: 'toolResult', toolUseId: id, content: output, ...(isError ? { isError } : {}) };
  return [assistant([{ type: 'toolUse', id, name, input }]), user('', { content: [result] })];
}

const read = (path: string, output = 'text', more: object = {}): readonly Message[] => uses('Read', { file_path: path, ...more }, output);
const runs = (command: string, output = 'text'): readonly Message[] => uses('exec_command', { cmd: command }, output);

/** Every message costs 100 tokens but those of `large`, by their place in the later part. */
function refill(
  before: readonly Message[],
  later: readonly Message[],
  {
    added = [],
    room = 1e6,
    large = new Map<number, number>(),
  }: { added?: readonly Message[]; room?: number; large?: ReadonlyMap<number, number> } = {},
): Refill | undefined {
  const messages = [...before, ...added, ...later];
  const rows = (from: number, list: readonly Message[]): readonly number[] => list.map((_, at) => from + at);
  const input: RefillInput = {
    messages,
    tokens: messages.map((_, at) => large.get(at - before.length - added.length) ?? 100),
    before: rows(0, before),
    added: rows(before.length, added),
    later: rows(before.length + added.length, later),
    room,
  };
  return refillOf(input);
}

function told(found: Refill | undefined): readonly unknown[] {
  return (found?.items ?? [])
    .filter(({ cause }) => cause !== 'newWork')
    .map(({ cause, about, tokens, index, sameAs }) => [cause, about, tokens, index, sameAs]);
}

describe('what filled a context again', () => {
  it('is nothing where nothing came', () => assert.equal(refill([user('q')], []), undefined));

  it('names the same call again, with the row of its earlier answer', () => {
    const before = [user('q'), ...read('/a.ts'), ...read('/b.ts')];
    assert.deepEqual(told(refill(before, read('/a.ts'))), [['repeatedCall', '/a.ts', 100, 6, 2]]);
    assert.deepEqual(told(refill([user('q'), ...runs('npm test')], runs('npm test'))), [['repeatedCall', 'npm test', 100, 4, 2]]);
  });

  it('names another reading of the same file, by whatever tool', () => {
    assert.deepEqual(told(refill(read('/a.ts'), read('/a.ts', 'x', { offset: 5 }))), [['reread', '/a.ts', 100, 3, 1]]);
    assert.deepEqual(told(refill(read('/a.ts'), runs('sed -n 1,20p /a.ts'))), [['reread', 'sed -n 1,20p /a.ts', 100, 3, 1]]);
    assert.deepEqual(told(refill(runs('cat /a.ts'), read('/a.ts'))), [['reread', '/a.ts', 100, 3, 1]]);
  });

  it('does not take a change of a file, a failed reading or a look at a running program for the same', () => {
    assert.deepEqual(told(refill(uses('Edit', { file_path: '/a.ts' }, 'ok'), read('/a.ts'))), []);
    assert.deepEqual(told(refill(read('/a.ts'), uses('Edit', { file_path: '/a.ts' }, 'ok'))), []);
    const polls = uses('write_stdin', { session_id: 4, chars: '' }, 'still running');
    assert.deepEqual(told(refill(polls, uses('write_stdin', { session_id: 4, chars: '' }, 'still running'))), []);
  });

  it('names large results that are new', () =>
    assert.deepEqual(told(refill([user('q')], read('/new.ts'), { large: new Map([[1, 5000]]) })), [
      ['largeResult', '/new.ts', 5000, 2, undefined],
    ]));

  it('names what the program put back, with the row that held the file or the same text', () => {
    const attachment = (text: string): Message => user(text, { kind: 'attachment' });
    const before = [...read('/repo/a.ts'), attachment('The rules of this project.')];
    const added = [attachment('/repo/a.ts\nthe text'), attachment('The rules of this project.'), attachment('Something new.')];
    assert.deepEqual(told(refill(before, [], { added })), [
      ['reinjected', '/repo/a.ts', 100, 3, 1],
      ['reinjected', 'The rules of this project.', 100, 4, 2],
      ['reinjected', 'Something new.', 100, 5, undefined],
    ]);
  });

  it('does not count what the compaction itself wrote', () =>
    assert.equal(
      refill([user('q')], [], { added: [user('KEPT'), assistant('kept'), user('<command-name>/compact</command-name>')] }),
      undefined,
    ));

  it('adds up the rest of each turn as new work', () => {
    const later = [assistant('goes on'), user('Do this.'), assistant('Done.'), ...read('/new.ts')];
    const found = refill([user('q')], later);
    assert.deepEqual(
      found?.items.map(({ cause, about, tokens, index }) => [cause, about, tokens, index]),
      [
        ['newWork', 'Do this.', 400, 2],
        ['newWork', '', 100, 1],
      ],
    );
    assert.deepEqual([found.turns, found.tokens], [2, 500]);
  });

  it('ends where the context is as large as it was', () => {
    const later = [user('one'), assistant('a'), user('two'), assistant('b')];
    assert.deepEqual(
      refill([], later, { room: 200 })?.items.map(({ about }) => about),
      ['one'],
    );
    assert.equal(refill([], later, { room: 250 })?.tokens, 300);
    assert.equal(refill([], later, { room: 200, added: [user('r', { kind: 'meta' })] })?.tokens, 300);
  });

  it('shares a message with several results among them by length', () => {
    const blocks: readonly ContentBlock[] = [
      { type: 'toolUse', id: 'x', name: 'Read', input: { file_path: '/a.ts' } },
      { type: 'toolUse', id: 'y', name: 'Read', input: { file_path: '/b.ts' } },
    ];
    const both = user('', {
      content: [
        { type: 'toolResult', toolUseId: 'x', content: 'a'.repeat(300) },
        { type: 'toolResult', toolUseId: 'y', content: 'b'.repeat(100) },
      ],
    });
    const found = refill([...read('/a.ts'), ...read('/b.ts')], [assistant(blocks), both], { large: new Map([[1, 4000]]) });
    assert.deepEqual(
      found?.items.map(({ cause, about, tokens }) => [cause, about, tokens]),
      [
        ['repeatedCall', '/a.ts', 3000],
        ['repeatedCall', '/b.ts', 1000],
        ['newWork', '', 100],
      ],
    );
  });

  it('takes linear time', () => {
    const time = (count: number): number => {
      const messages = Array.from({ length: count }, (_, at) => read(`/f${at}.ts`)).flat();
      const start = process.cpuUsage();
      refill(messages, messages.slice(0, count));
      const { user: spent } = process.cpuUsage(start);
      return spent;
    };
    time(500);
    const small = Math.min(time(1000), time(1000));
    assert.ok(time(8000) < Math.max(small * 24, 20_000));
  });
});
