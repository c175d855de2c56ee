// Reads hostile lines in a process of its own and prints the largest memory it took, in MB, over what it had before: readBounded CASE [FORMAT].
import { isUtf8 } from 'node:buffer';
import { TranscriptReader } from '../../src/core/transcript/incrementalReader';

const MB = 1024 * 1024;
/** A prompt, and an answer around its text, as lines of one format. */
interface Lines {
  readonly first: string;
  readonly answer: (number: number) => readonly [string, string];
}

const time = '"timestamp":"2026-02-01T08:00:00Z"';
const before = (number: number): string => (number === 0 ? '"u"' : `"a${number - 1}"`);

const FORMATS: Readonly<Record<string, Lines>> = {
  'claude-code': {
    first: '{"type":"user","uuid":"u","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"go"}}',
    answer: (number) => [
      `{"type":"assistant","uuid":"a${number}","parentUuid":${before(number)},"message":{"role":"assistant","id":"m${number}","content":[{"type":"text","text":"`,
      '"}]}}',
    ],
  },
  codex: {
    first: `{${time},"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]}}`,
    answer: (number) => [
      `{${time},"type":"response_item","payload":{"type":"message","role":"${number % 2 === 0 ? 'user' : 'assistant'}","content":[{"type":"output_text","text":"`,
      '"}]}}',
    ],
  },
  gemini: {
    first: '{"sessionId":"s","projectHash":"p"}\n{"id":"u","type":"user","content":"go"}',
    answer: (number) => [`{"id":"a${number}","type":"gemini","content":"`, '"}'],
  },
  qwen: {
    first: '{"uuid":"u","parentUuid":null,"sessionId":"s","type":"user","message":{"role":"user","parts":[{"text":"go"}]}}',
    answer: (number) => [
      `{"uuid":"a${number}","parentUuid":${before(number)},"sessionId":"s","type":"assistant","message":{"role":"model","parts":[{"text":"`,
      '"}]}}',
    ],
  },
  pi: {
    first: `{"type":"session","version":3,"id":"s","cwd":"/x",${time}}\n{"type":"message","id":"u","parentId":null,${time},"message":{"role":"user","content":"go"}}`,
    answer: (number) => [
      `{"type":"message","id":"a${number}","parentId":${before(number)},${time},"message":{"role":"assistant","content":[{"type":"text","text":"`,
      '"}]}}',
    ],
  },
  'copilot-cli': {
    first: `{"type":"user.message","id":"u","parentId":null,${time},"data":{"content":"go"}}`,
    answer: (number) => [
      `{"type":"assistant.message","id":"a${number}","parentId":${before(number)},${time},"data":{"messageId":"m${number}","content":"`,
      '"}}',
    ],
  },
  openhands: {
    first: `{"kind":"MessageEvent","id":"u","source":"user",${time},"llm_message":{"role":"user","content":[{"type":"text","text":"go"}]}}`,
    answer: (number) => [
      `{"kind":"MessageEvent","id":"a${number}","source":"agent",${time},"llm_message":{"role":"assistant","content":[{"type":"text","text":"`,
      '"}]}}',
    ],
  },
};

const format = FORMATS[process.argv[3] ?? 'claude-code'];
if (format === undefined) throw new Error(`formats: ${Object.keys(FORMATS).join(', ')}`);
const { first, answer } = format;
const FIRST = Buffer.from(`${first}\n`);

/** The bytes of each case, piece by piece; every one is far longer than the limit of a line. */
const CASES: Readonly<Record<string, () => Iterable<Uint8Array>>> = {
  *endlessLine() {
    yield FIRST;
    for (let piece = 0; piece < 600; piece++) yield Buffer.alloc(MB, 'x');
  },
  *deepLine() {
    yield FIRST;
    for (let piece = 0; piece < 300; piece++) yield Buffer.alloc(MB, '[');
  },
  *manyLongLines() {
    yield FIRST;
    for (let line = 0; line < 40; line++) yield* longLine(line, 'a "quoted" text\\n', 8);
  },
  *manyDeepLines() {
    yield FIRST;
    for (let line = 0; line < 30; line++) yield Buffer.concat([Buffer.alloc(8 * MB, '[{"a":'), Buffer.from('\n')]);
  },
  *zeroBytes() {
    yield FIRST;
    for (let piece = 0; piece < 300; piece++) yield Buffer.alloc(MB, 0);
  },
};

/** A record whose text has so many megabytes. */
function* longLine(number: number, text: string, megabytes: number): Generator<Uint8Array> {
  const [head, tail] = answer(number);
  yield Buffer.from(head);
  const escaped = JSON.stringify(text).slice(1, -1);
  for (let piece = 0; piece < megabytes; piece++) yield Buffer.from(escaped.repeat(Math.floor(MB / escaped.length)));
  yield Buffer.from(`${tail}\n`);
}

const make = CASES[process.argv[2] ?? ''];
if (make === undefined) throw new Error(`cases: ${Object.keys(CASES).join(', ')}`);
const base = process.memoryUsage.rss();
const stored = { read: () => new Uint8Array(), isUtf8: (bytes: Uint8Array) => isUtf8(bytes) };
const reader = new TranscriptReader({ stored });
for (const bytes of make()) reader.push(bytes);
const { messages } = reader.snapshot();
const peak = process.resourceUsage().maxRSS / 1024 - base / MB;
process.stdout.write(JSON.stringify({ messages: messages.length, peakMb: Math.round(peak) }));
