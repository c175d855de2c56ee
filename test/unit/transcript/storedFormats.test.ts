// Every format that leaves its long texts in the file: what is in memory afterwards, and that nothing is read again before somebody asks.
import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isToolUse, type Message } from '../../../src/core/model/message';
import { StoredBlock } from '../../../src/core/model/storedBlock';
import type { FormatId, Transcript } from '../../../src/core/model/transcript';
import { FORMATS } from '../../../src/core/transcript/formats';
import type { TranscriptFormat } from '../../../src/core/transcript/formats/format';
import { TranscriptReader } from '../../../src/core/transcript/incrementalReader';
import { readTranscript } from '../../../src/core/transcript/readTranscript';

const LONG = 'A line of "text" with a \\ and a tab\t, für alle 😀.\n'.repeat(60);
const TEXTS = new Set([
  'text',
  'content',
  'thinking',
  'arguments',
  'output',
  'encrypted_content',
  'transformedContent',
  'summary',
  'message',
]);
/** Texts that tell the structure of a record stay in memory at any length. */
const KEPT_BYTES = 4 * 1024;

const formats: readonly TranscriptFormat[] = FORMATS;

describe('formats that leave long texts in the file', () => {
  const stored = formats.filter((format) => format.stored !== undefined).map(({ id }) => id);

  it('are those whose lines are records of their own', () => {
    assert.deepEqual(stored, ['claude-code', 'codex', 'gemini', 'qwen', 'copilot-cli', 'pi', 'openhands']);
  });

  for (const format of stored) {
    it(`${format}: keeps no long text in memory and reads none before it is asked for`, () => {
      const bytes = inflated(format);
      let reads = 0;
      const disk = {
        read: (from: number, to: number) => {
          reads++;
          return bytes.subarray(from, to);
        },
        isUtf8,
      };
      const reader = new TranscriptReader({ format, stored: disk });
      reader.snapshot();
      reader.push(bytes);
      const transcript = reader.snapshot();
      const kept = allMessages(transcript).reduce((sum, message) => sum + longInMemory(message), 0);
      const before = reads;
      const inMemory = readTranscript(bytes, { format });
      const texts = allMessages(inMemory).reduce((sum, message) => sum + longInMemory(message), 0);
      assert.ok(texts > 5 * LONG.length, `${texts} bytes of long texts`);
      assert.ok(kept <= KEPT_BYTES, `${kept} of ${texts} bytes are in memory`);
      const most = COMPARED.has(format) ? bytes.filter((byte) => byte === 0x0a).length : 0;
      assert.ok(before <= most, `${before} lines were read again`);
      assert.deepEqual(structuredClone(transcript), structuredClone(inMemory));
    });
  }

  it('take in what is appended to a Codex rollout without reading the rest again', () => {
    const bytes = inflated('codex');
    let reads = 0;
    const disk = {
      read: (from: number, to: number) => {
        reads++;
        return bytes.subarray(from, to);
      },
      isUtf8,
    };
    const reader = new TranscriptReader({ format: 'codex', stored: disk });
    reader.push(bytes);
    const before = reader.snapshot();
    const known = reads;
    const timestamp = '2026-02-01T08:00:00Z';
    const payload = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: LONG }] };
    reader.push(new TextEncoder().encode(`${JSON.stringify({ timestamp, type: 'response_item', payload })}\n`));
    const after = reader.snapshot();
    assert.equal(reads, known);
    assert.equal(after.messages.length, before.messages.length + 1);
    assert.ok(before.messages.every((message, index) => after.messages[index] === message));
  });

  it('give calls without an id one, and leave their arguments in the file', () => {
    const line = (value: object): string => `${JSON.stringify({ sessionId: 's', ...value })}\n`;
    const parts = [{ functionCall: { name: 'write', args: { text: LONG } } }];
    const result = [{ functionResponse: { name: 'write', response: { output: LONG } } }];
    const bytes = new TextEncoder().encode(
      line({ uuid: 'a', parentUuid: null, type: 'user', message: { role: 'user', parts: [{ text: 'go' }] } }) +
        line({ uuid: 'b', parentUuid: 'a', type: 'assistant', message: { role: 'model', parts } }) +
        line({ uuid: 'c', parentUuid: 'b', type: 'tool_result', message: { role: 'user', parts: result } }),
    );
    const reader = new TranscriptReader({ format: 'qwen', stored: { read: (from, to) => bytes.subarray(from, to), isUtf8 } });
    reader.snapshot();
    reader.push(bytes);
    const { messages } = reader.snapshot();
    const call = messages[1]?.content.find(isToolUse);
    assert.ok(call !== undefined && StoredBlock.isStored(call, 'input'));
    assert.deepEqual(structuredClone(messages), structuredClone(readTranscript(bytes, { format: 'qwen' }).messages));
  });
});

/** Formats whose compactions state the whole new history, which is compared with what was in the context; each line once at most. */
const COMPARED = new Set<FormatId>(['codex', 'gemini', 'qwen']);

function inflated(format: FormatId): Uint8Array {
  const text = readFileSync(join(process.cwd(), 'test', 'fixtures', format, 'ok.jsonl'), 'utf8');
  const lines = text.split('\n').map((line) => {
    return line === ''
      ? line
      : JSON.stringify(JSON.parse(line), (key, value: unknown) =>
          TEXTS.has(key) && typeof value === 'string' && value.length > 4 ? `${value}${LONG}` : value,
        );
  });
  return new TextEncoder().encode(lines.join('\n'));
}

function allMessages({ messages, sidechains }: Transcript): readonly Message[] {
  return [...messages, ...sidechains.flatMap((chain) => chain.messages)];
}

/** Units of long strings that a message holds without reading its file. */
function longInMemory(message: Message): number {
  let units = 0;
  const values: unknown[] = [message.content];
  while (values.length > 0) {
    const value = values.pop();
    if (typeof value === 'string' && value.length > 1000) units += value.length;
    else if (typeof value === 'object' && value !== null) {
      for (const property of Object.values(Object.getOwnPropertyDescriptors(value))) values.push(property.value);
    }
  }
  return units;
}
