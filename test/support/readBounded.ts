// Reads hostile lines in a process of its own and prints the largest memory it took, in MB, over what it had before: readBounded CASE.
import { isUtf8 } from 'node:buffer';
import { TranscriptReader } from '../../src/core/transcript/incrementalReader';

const MB = 1024 * 1024;
const FIRST = Buffer.from('{"type":"user","uuid":"u","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"go"}}\n');

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
  const head = `{"type":"assistant","uuid":"a${number}","parentUuid":${number === 0 ? '"u"' : `"a${number - 1}"`},"message":{"role":"assistant","id":"m${number}","content":[{"type":"text","text":"`;
  yield Buffer.from(head);
  const escaped = JSON.stringify(text).slice(1, -1);
  for (let piece = 0; piece < megabytes; piece++) yield Buffer.from(escaped.repeat(Math.floor(MB / escaped.length)));
  yield Buffer.from('"}]}}\n');
}

const make = CASES[process.argv[2] ?? ''];
if (make === undefined) throw new Error(`cases: ${Object.keys(CASES).join(', ')}`);
const before = process.memoryUsage.rss();
const stored = { read: () => new Uint8Array(), isUtf8: (bytes: Uint8Array) => isUtf8(bytes) };
const reader = new TranscriptReader({ stored });
for (const bytes of make()) reader.push(bytes);
const { messages } = reader.snapshot();
const peak = process.resourceUsage().maxRSS / 1024 - before / MB;
process.stdout.write(JSON.stringify({ messages: messages.length, peakMb: Math.round(peak) }));
