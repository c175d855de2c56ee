import assert from 'node:assert/strict';
import type { Transcript } from '../../../src/core/model/transcript';
import { TranscriptReader } from '../../../src/core/transcript/incrementalReader';
import { readTranscript } from '../../../src/core/transcript/readTranscript';
import { answers, boundary, bytes, calls, says, summary, user } from './claudeLines';
import { item, message, meta, record } from './codexLines';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

const CLAUDE = [
  user({ uuid: 'u', parent: null }, 'go'),
  calls('a1', 'u', 'm1', 't1'),
  calls('a2', 'a1', 'm1', 't2'),
  answers('r1', 'a1', 't1'),
  answers('r2', 'a2', 't2'),
  says('b', 'r2', 'm2', 'done'),
  boundary('B', { preservedMessages: { anchorUuid: 's', allUuids: ['b'] } }, { logicalParentUuid: 'b' }),
  summary('s', 'B'),
  user({ uuid: 'n', parent: 's' }, 'next'),
];
const CODEX = [
  meta(),
  item(message('user', 'one')),
  item(message('assistant', 'two')),
  record('compacted', { message: 'S', replacement_history: [message('user', 'one'), message('user', 'S')] }),
  item(message('user', 'three')),
  record('compacted', { message: 'S alone' }),
  item(message('user', 'four')),
];

describe('TranscriptReader', () => {
  for (const [name, lines] of [['claude-code', CLAUDE] as const, ['codex', CODEX] as const]) {
    it(`keeps the messages of unchanged records the same objects while a ${name} file grows`, () => {
      const reader = new TranscriptReader();
      const seen = new Map<string, object>();
      const snapshots: Transcript[] = [];
      for (const one of lines) {
        // A line comes first without its end, then with it.
        for (const piece of [one, '\n']) {
          reader.push(encode(piece));
          const snapshot = reader.snapshot();
          snapshots.push(snapshot);
          for (const entry of snapshot.messages) {
            const before = seen.get(entry.id);
            assert.ok(before === undefined || before === entry, `${entry.id} is another object`);
            seen.set(entry.id, entry);
          }
        }
      }
      assert.deepEqual(snapshots.at(-1), readTranscript(bytes(...lines)));
      assert.equal(seen.size, snapshots.at(-1)?.messages.length);
    });
  }

  it('answers the same snapshot while nothing is pushed', () => {
    const reader = new TranscriptReader();
    reader.push(bytes(...CLAUDE));
    assert.equal(reader.snapshot(), reader.snapshot());
    const before = reader.snapshot();
    reader.push(new Uint8Array());
    assert.equal(reader.snapshot(), before);
  });

  it('does not change a snapshot that it gave', () => {
    const reader = new TranscriptReader();
    reader.push(bytes(...CODEX.slice(0, 3)));
    const before = reader.snapshot();
    const copy = structuredClone(before);
    reader.push(bytes(...CODEX.slice(3)));
    reader.snapshot();
    assert.deepEqual(before, copy);
  });

  it('recognises a file as soon as its lines show what it is', () => {
    const reader = new TranscriptReader();
    reader.push(encode('{"type":"queue-operation","operation":"enqueue"}\n'));
    assert.equal(reader.snapshot().format, 'claude-code');
    const late = new TranscriptReader();
    late.push(encode('{"level":"info"}\n{oops\n'));
    assert.throws(() => late.snapshot(), { code: 'unknownFormat' });
    assert.equal(late.isRecognised, false);
    late.push(bytes(...CODEX));
    assert.deepEqual([late.snapshot().format, late.isRecognised], ['codex', true]);
  });

  it('reads a session whose first line is damaged', () => {
    const { format, messages, diagnostics } = readTranscript(bytes('{"type":"user","uuid":', ...CLAUDE));
    assert.deepEqual([format, messages.length, diagnostics[0]?.code], ['claude-code', 9, 'bad_json']);
  });

  it('reads a document on many lines in pieces', () => {
    const text = JSON.stringify({ system: 's', messages: [{ role: 'user', content: 'x' }] }, null, 2);
    const reader = new TranscriptReader();
    for (const character of text) reader.push(encode(character));
    assert.equal(reader.snapshot().messages.length, 2);
  });

  it('starts again after a reset', () => {
    const reader = new TranscriptReader();
    reader.push(bytes(...CLAUDE));
    reader.snapshot();
    reader.reset();
    reader.push(bytes(...CODEX));
    assert.deepEqual(reader.snapshot(), readTranscript(bytes(...CODEX)));
  });

  it('does not keep a file that no format knows', () => {
    const reader = new TranscriptReader();
    const lines = encode('{"level":"info","msg":"a line of a log that goes on and on"}\n'.repeat(1000));
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < 200; i++) reader.push(lines);
    assert.ok(process.memoryUsage().heapUsed - before < 100 * 1024 * 1024);
    assert.throws(() => reader.snapshot(), { code: 'unknownFormat' });
  });

  it('leaves no trace on prototypes', () => {
    const keys = [Reflect.ownKeys(Object.prototype), Reflect.ownKeys(Array.prototype)];
    const line =
      '{"type":"user","uuid":"__proto__","parentUuid":"constructor","__proto__":{"polluted":1},"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"__proto__","content":"x","__proto__":{"y":1}}]}}';
    const { messages } = readTranscript(bytes(line, line.replace('user', 'assistant')));
    assert.equal(messages.length, 2);
    assert.deepEqual([Reflect.ownKeys(Object.prototype), Reflect.ownKeys(Array.prototype)], keys);
  });
});
