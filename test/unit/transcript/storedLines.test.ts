import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { StoredBlock } from '../../../src/core/model/storedBlock';
import { textOf, toolResultText, isToolResult, type ContentBlock } from '../../../src/core/model/message';
import type { StoredBytes } from '../../../src/core/ports/storedBytes';
import { TranscriptReader } from '../../../src/core/transcript/incrementalReader';
import { readTranscript } from '../../../src/core/transcript/readTranscript';
import { assistant, bytes, calls, says, user } from './claudeLines';

const LONG = 'A line of "text" with a \\ and a tab\t, für alle 😀.\n'.repeat(40);

interface Disk extends StoredBytes {
  bytes: Uint8Array;
  reads: number;
}

function diskOf(content: Uint8Array): Disk {
  return {
    bytes: content,
    reads: 0,
    read(from, to) {
      this.reads++;
      return this.bytes.subarray(from, to);
    },
    isUtf8: (part) => isUtf8(part),
  };
}

function read(disk: Disk): ReturnType<typeof readTranscript> {
  const reader = new TranscriptReader({ stored: disk });
  // The format is known for good with the first line that is complete; what comes behind it is skimmed.
  const first = disk.bytes.indexOf(0x0a) + 1;
  reader.push(disk.bytes.subarray(0, first));
  reader.snapshot();
  reader.push(disk.bytes.subarray(first));
  return reader.snapshot();
}

const LINES = bytes(
  user({ uuid: 'u', parent: null }, 'go'),
  says('a0', 'u', 'm0', LONG),
  calls('a1', 'a0', 'm1', 't1'),
  user({ uuid: 'r1', parent: 'a1' }, [{ type: 'tool_result', tool_use_id: 't1', content: LONG }]),
  user({ uuid: 'u2', parent: 'r1' }, LONG),
);

describe('stored lines', () => {
  it('give the same messages as lines in memory, read when they are asked for', () => {
    const disk = diskOf(LINES);
    const stored = read(disk);
    assert.equal(disk.reads, 0, 'nothing is read again before somebody asks');
    assert.deepEqual(
      stored.messages.map(({ id, kind, content }) => [id, kind, content.map((block) => block.type)]),
      readTranscript(LINES).messages.map(({ id, kind, content }) => [id, kind, content.map((block) => block.type)]),
    );
    assert.equal(disk.reads, 0, 'ids, kinds and types of blocks are no texts');
    assert.deepEqual(structuredClone(stored), structuredClone(readTranscript(LINES)));
    assert.equal(disk.reads, 3);
  });

  it('read a line once while it is among the newest', () => {
    const disk = diskOf(LINES);
    const [, answer] = read(disk).messages;
    assert.equal(answer === undefined ? '' : textOf(answer), LONG);
    assert.equal(JSON.stringify(answer?.content), JSON.stringify([{ type: 'text', text: LONG }]));
    assert.equal(disk.reads, 1);
  });

  it('can be spread and changed as any block', () => {
    const { messages } = read(diskOf(LINES));
    const result = messages[3]?.content.find(isToolResult);
    assert.ok(result !== undefined);
    assert.equal(toolResultText({ ...result, isError: true }), LONG);
    assert.equal(toolResultText(result), LONG);
  });

  it('know about how long they are without being read', () => {
    const disk = diskOf(LINES);
    const { messages } = read(disk);
    const length = Buffer.byteLength(LONG);
    const stored = (index: number): number =>
      messages[index]?.content.reduce((sum, block) => sum + (StoredBlock.sizeOf(block)?.bytes ?? 0), 0) ?? 0;
    for (const index of [1, 3, 4]) assert.ok(Math.abs(stored(index) - length) < length * 0.2, `${stored(index)} for ${length}`);
    assert.equal(stored(2), 0);
    assert.equal(disk.reads, 0);
  });

  it('refuse with a reason when another file stands there by now', () => {
    const changes: readonly ((content: Uint8Array) => Uint8Array)[] = [
      (content) => content.subarray(0, 300),
      (content) => content.map(() => 0x20),
      (content) => new TextEncoder().encode(new TextDecoder().decode(content).replaceAll('"type":"text"', '"type":"clip"')),
    ];
    for (const change of changes) {
      const disk = diskOf(LINES);
      const { messages } = read(disk);
      disk.bytes = change(LINES);
      assert.throws(() => messages.map((message) => JSON.stringify(message.content)), { name: 'ReadError', code: 'changedWhileReading' });
    }
  });

  it('hold what only whole strings show to be no JSON', () => {
    const line = says('a0', 'u', 'm0', `${'x'.repeat(600)}?`);
    const odd = bytes(user({ uuid: 'u', parent: null }, 'go'), line.replace('?', '\\q\u0001 \\\\" \\u0041').replace('\\\\"', '\\\\\\"'));
    const [, answer] = read(diskOf(odd)).messages;
    assert.equal(answer === undefined ? '' : textOf(answer), `${'x'.repeat(600)}\\q  \\" A`);
  });

  it('are as well formed as lines in memory', () => {
    const torn = says('a0', 'u', 'm0', `${'x'.repeat(600)}?`).replace('?', '\\ud800');
    const [, answer] = read(diskOf(bytes(user({ uuid: 'u', parent: null }, 'go'), torn))).messages;
    assert.equal(answer === undefined ? '' : textOf(answer), `${'x'.repeat(600)}\ufffd`);
  });

  it('keep the structure of a call with long arguments', () => {
    const input = { file_path: '/a', content: LONG };
    const block: ContentBlock = { type: 'toolUse', id: 't', name: 'Write', input };
    const line = assistant({ uuid: 'a0', parent: 'u' }, 'm0', { type: 'tool_use', id: 't', name: 'Write', input });
    const disk = diskOf(bytes(user({ uuid: 'u', parent: null }, 'go'), line));
    const [, call] = read(disk).messages;
    const [first] = call?.content ?? [];
    assert.ok(first?.type === 'toolUse');
    assert.deepEqual([first.id, first.name, disk.reads], ['t', 'Write', 0]);
    assert.deepEqual({ ...first }, block);
  });
});
