// The fixtures of each format, found by the format's id: `ok.*`, `damaged.*` and others beside them. What a file gives stands in NAME.expected.json;
// UPDATE_GOLDEN=1 writes it anew and says so. A format whose sessions are folders or databases has those rules tested beside its source.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { textOf, type ContentBlock, type Message } from '../../../src/core/model/message';
import type { FormatId, Transcript } from '../../../src/core/model/transcript';
import { FORMATS } from '../../../src/core/transcript/formats';
import { TranscriptReader } from '../../../src/core/transcript/incrementalReader';
import { readTranscript } from '../../../src/core/transcript/readTranscript';
import { contextUsage } from '../../../src/core/window/contextUsage';

const FOLDER = join(process.cwd(), 'test', 'fixtures');
const FILES = new Set(['.json', '.jsonl', '.traj']);
const EXPECTED = '.expected.json';
/** A file of that many lines is not read anew for each of them. */
const MANY_LINES = 60;

describe('fixtures', () => {
  for (const { id } of FORMATS) {
    it(`${id}: there is a whole and a damaged one`, () => {
      const folder = join(FOLDER, id);
      const names = existsSync(folder) ? readdirSync(folder).map((name) => name.split('.')[0]) : [];
      for (const name of ['ok', 'damaged']) assert.ok(names.includes(name), `test/fixtures/${id}/${name}.*`);
    });
    for (const file of filesOf(id)) describe(`${id}/${file}`, () => checkFile(id, file));
  }
});

function filesOf(id: FormatId): readonly string[] {
  const folder = join(FOLDER, id);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => FILES.has(extname(name)) && !name.endsWith(EXPECTED) && statSync(join(folder, name)).isFile())
    .sort();
}

function checkFile(id: FormatId, file: string): void {
  const path = join(FOLDER, id, file);
  const bytes = new Uint8Array(readFileSync(path));
  const whole = readTranscript(bytes);
  const lines = linesOf(bytes);

  it('gives what stands beside it', () => {
    const beside = join(FOLDER, id, `${file.slice(0, -extname(file).length)}${EXPECTED}`);
    const given = `${JSON.stringify(told(whole), undefined, 2)}\n`;
    if (process.env['UPDATE_GOLDEN'] === '1' && (!existsSync(beside) || readFileSync(beside, 'utf8') !== given)) {
      writeFileSync(beside, given);
      console.log(`      wrote ${beside}`);
    }
    assert.deepEqual(JSON.parse(given), JSON.parse(readFileSync(beside, 'utf8')));
    assert.equal(whole.format, id);
    assert.equal(file.startsWith('damaged') ? whole.diagnostics.length > 0 : true, true, 'nothing is said about the damage');
  });

  it('has names that are unique, a context inside the messages, and results behind their calls', () => assertSound(whole));

  it('is the same read in pieces, and what did not change stays the same object', () => {
    const reader = new TranscriptReader();
    let before: Transcript | undefined;
    const isDocument = lines.length < 2;
    for (const line of lines.length > MANY_LINES ? thinned(lines) : lines) {
      // Cut in the middle of each line, once with a look at what is there.
      const cut = line.length >> 1;
      reader.push(line.subarray(0, cut));
      before = keepsObjects(before, look(reader), isDocument);
      reader.push(line.subarray(cut));
      before = keepsObjects(before, look(reader), isDocument);
    }
    assert.deepEqual(reader.snapshot(), whole);
  });

  if (lines.length < 2 || lines.length > MANY_LINES) return;
  it('a damaged line costs its own messages alone, or it is said which branch is given up', () => {
    const all = lineNumbers(whole);
    lines.forEach((_, at) => {
      const broken = Buffer.concat(lines.map((line, index) => (index === at ? Buffer.from('{"broken\n') : Buffer.from(line))));
      const rest = readTranscript(broken, { format: id });
      const left = lineNumbers(rest);
      const lost = [...all].filter((number) => number !== at + 1 && !left.has(number));
      if (!rest.diagnostics.some(({ code }) => code === 'abandoned_branch')) assert.deepEqual(lost, [], `damage on line ${at + 1}`);
    });
  });
}

/** Lines with their line ends; one piece for a document over many lines. */
function linesOf(bytes: Uint8Array): readonly Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let from = 0; from < bytes.length;) {
    const end = bytes.indexOf(0x0a, from);
    const next = end < 0 ? bytes.length : end + 1;
    lines.push(bytes.subarray(from, next));
    from = next;
  }
  const isJsonl = lines.some((line) => isJson(line));
  return isJsonl ? lines : [bytes];
}

function isJson(line: Uint8Array): boolean {
  try {
    const value: unknown = JSON.parse(Buffer.from(line).toString());
    return typeof value === 'object';
  } catch {
    return false;
  }
}

/** The same bytes in fewer pieces. */
function thinned(lines: readonly Uint8Array[]): readonly Uint8Array[] {
  const every = Math.ceil(lines.length / MANY_LINES);
  const pieces: Uint8Array[] = [];
  for (let from = 0; from < lines.length; from += every) pieces.push(Buffer.concat(lines.slice(from, from + every)));
  return pieces;
}

/** Undefined while nothing is recognised. */
function look(reader: TranscriptReader): Transcript | undefined {
  try {
    return reader.snapshot();
  } catch {
    return undefined;
  }
}

function keepsObjects(before: Transcript | undefined, after: Transcript | undefined, isDocument: boolean): Transcript | undefined {
  if (before === undefined || after === undefined || before.format !== after.format || isDocument) return after;
  const old = new Map(before.messages.map((message) => [message.id, message]));
  for (const message of after.messages) {
    const earlier = old.get(message.id);
    if (earlier === undefined || earlier === message) continue;
    assert.notDeepEqual(message, earlier, `${message.id} did not change, but is another object`);
  }
  return after;
}

function lineNumbers({ messages, sidechains }: Transcript): ReadonlySet<number> {
  return new Set([...messages, ...sidechains.flatMap((chain) => chain.messages)].map((message) => message.line));
}

function assertSound({ messages, context, boundaries, sidechains, diagnostics }: Transcript): void {
  const all = [...messages, ...sidechains.flatMap((chain) => chain.messages)];
  assert.equal(new Set(all.map((message) => message.id)).size, all.length);
  assert.equal(new Set(context).size, context.length);
  assert.ok(context.every((index) => messages[index] !== undefined));
  assert.ok(boundaries.every(({ index }) => messages[index]?.kind === 'boundary'));
  assert.ok(diagnostics.every(({ line }, at) => at === 0 || line === 0 || line >= (diagnostics[at - 1]?.line ?? 0)));
  const places = new Map<string, number>();
  messages.forEach((message, index) => {
    for (const block of message.content) if (block.type === 'toolUse' && !places.has(block.id)) places.set(block.id, index);
  });
  messages.forEach((message, index) => {
    for (const block of message.content) {
      const call = block.type === 'toolResult' ? places.get(block.toolUseId) : undefined;
      if (call !== undefined) assert.ok(call < index || message.role === 'assistant', `${message.id} answers before the call`);
    }
  });
}

/** A transcript in few words, so that a person can check it. */
function told(transcript: Transcript): unknown {
  const { messages, context, boundaries, sidechains, diagnostics, totals, reports } = transcript;
  const usage = contextUsage(
    transcript,
    messages.map(() => 0),
  );
  const { format, agentVersion, sessionId, cwd, title, model, windowTokens } = transcript;
  return {
    session: { format, agentVersion, sessionId, cwd, title, model, windowTokens },
    messages: messages.map((message, index) => `${index} ${toldMessage(message)}`),
    context: context.join(' '),
    boundaries: boundaries.map(({ index, trigger, preTokens, postTokens, summaryId, preservedSegment, valid }) => {
      const kept = preservedSegment === undefined ? undefined : { count: preservedSegment.count, direction: preservedSegment.direction };
      const summary = messages.findIndex((message) => message.id === summaryId);
      return { index, trigger, preTokens, postTokens, summary, kept, valid };
    }),
    sidechains: sidechains.map(({ id, messages: chain }) => ({ id, messages: chain.map(toldMessage) })),
    reports: reports?.map(({ afterIndex, contextTokens, isAgentEstimate }) => ({ afterIndex, contextTokens, isAgentEstimate })),
    reported: usage.reportedTokens,
    totals: Object.values(totals).join(' '),
    diagnostics: diagnostics.map(({ code, line, detail }) => `${code}@${line}${detail === undefined ? '' : ` ${detail}`}`),
  };
}

function toldMessage(message: Message): string {
  const words = textOf(message).slice(0, 32).split('\n')[0] ?? '';
  const blocks = message.content.filter((block) => block.type !== 'text').map(toldBlock);
  const { usage } = message;
  const numbers = usage === undefined ? [] : [`(${Object.values(usage).join(' ')})`];
  return [`${message.role} ${message.kind}`, words, ...blocks, ...numbers].filter((part) => part !== '').join(' | ');
}

function toldBlock(block: ContentBlock): string {
  if (block.type === 'toolUse') return `call ${block.name} ${block.id}`;
  if (block.type === 'toolResult') return `result ${block.toolUseId}${block.isError === true ? ' failed' : ''}`;
  if (block.type === 'thinking') return `thinks ${block.text.slice(0, 12)}`;
  return block.type === 'unknown' ? `unknown ${block.originalType}` : block.type;
}
