// P40-P46 on generated and damaged transcripts.
import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { Message } from '../../src/core/model/message';
import type { FormatId, Transcript } from '../../src/core/model/transcript';
import type { StoredBytes } from '../../src/core/ports/storedBytes';
import type { TokenCounter } from '../../src/core/ports/tokenCounter';
import { inspectTranscript } from '../../src/core/session/inspection';
import { liveChain, type ChainNode } from '../../src/core/transcript/chain';
import { FORMATS as REGISTRY } from '../../src/core/transcript/formats';
import type { TranscriptFormat } from '../../src/core/transcript/formats/format';
import { TranscriptReader } from '../../src/core/transcript/incrementalReader';
import { readTranscript } from '../../src/core/transcript/readTranscript';
import { isWellFormed } from '../../src/core/util/text';
import { mutations, place } from '../support/mutations';
import { property } from '../support/property';

const FORMATS: readonly TranscriptFormat[] = REGISTRY;

type Fixture = readonly [FormatId, Uint8Array];

/** Formats of one record a line. */
const OF_LINES: readonly FormatId[] = [
  'claude-code',
  'codex',
  'gemini',
  'qwen',
  'copilot-cli',
  'pi',
  'openhands',
  'goose',
  'anthropic-messages',
  'openai-chat',
  'openai-responses',
  'gemini-contents',
];
const WHOLE = OF_LINES.flatMap((format) => fixtures(format, 'ok.jsonl'));
const FIXTURES: readonly Fixture[] = [
  ...WHOLE,
  ...OF_LINES.flatMap((format) => fixtures(format, 'damaged.jsonl')),
  ...fixtures('gemini', 'compressed.jsonl'),
];

function fixtures(format: FormatId, name: string): readonly Fixture[] {
  const path = join(process.cwd(), 'test', 'fixtures', format, name);
  return existsSync(path) ? [[format, new Uint8Array(readFileSync(path))]] : [];
}

const file = fc.constantFrom(...FIXTURES);
const wholeFile = fc.constantFrom(...WHOLE);
/** Without sessions in which a line takes back others: requests that state the whole history each, and rewinds by the names or numbers of messages. */
const fileOfTurns = fc.constantFrom(
  ...WHOLE.filter(([format]) => !['openai-responses', 'gemini', 'codex'].includes(format)),
  ...fixtures('codex', '../agents/codex-0.171.0/before-compact.jsonl'),
);
/** Files of the formats that leave long texts in the file. */
const storedFile = fc.constantFrom(
  ...FIXTURES.filter(([format]) => FORMATS.some(({ id, stored }) => id === format && stored !== undefined)),
  ...fixtures('codex', '../agents/codex-0.171.0/after-compact.jsonl'),
  ...fixtures('claude-code', '../agents/claude-code-2.1.332/after-compact.jsonl'),
);

const damaged = fc
  .tuple(file, mutations)
  .map(([[format, bytes], changes]) => [format, changes.reduce((changed, mutate) => mutate(changed), bytes)] as const);

/** Makes the texts of some lines long, so that they are cut where they may stay in the file. */
const inflated: fc.Arbitrary<(bytes: Uint8Array) => Uint8Array> = fc
  .tuple(
    fc.array(place, { maxLength: 8 }),
    fc.constantFrom('x', 'é', '漢', '😀', '"', '\\', '\n\t', '\ud800', '\u007f12\u007f'),
    fc.integer({ min: 60, max: 400 }),
  )
  .map(([places, piece, times]) =>
    onTextLines((lines) => {
      const chosen = new Set(places.map((at) => Math.floor(at * lines.length)));
      return lines.map((line, index) => (chosen.has(index) ? withLongTexts(line, piece.repeat(times)) : line));
    }),
  );

function withLongTexts(line: string, text: string): string {
  try {
    return JSON.stringify(JSON.parse(line), (key, value: unknown) =>
      TEXT_KEYS.has(key) && typeof value === 'string' ? `${value}${text}` : value,
    );
  } catch {
    return line;
  }
}

const TEXT_KEYS = new Set([
  'text',
  'content',
  'thinking',
  'signature',
  'command',
  'file_path',
  'arguments',
  'output',
  'stdout',
  'prompt',
  'data',
  'error',
  'summary',
  'message',
  'encrypted_content',
  'image_url',
  'thought',
  'description',
  'reasoning_content',
  'reasoningText',
  'reasoningOpaque',
  'transformedContent',
  'summaryContent',
  'thinkingSignature',
  'mimeType',
  'model',
  'version',
  'cwd',
  'title',
  'customTitle',
  'thread_name',
  'cli_version',
]);

function onTextLines(change: (lines: readonly string[]) => readonly string[]): (bytes: Uint8Array) => Uint8Array {
  return (bytes) => new TextEncoder().encode(change(new TextDecoder().decode(bytes).split('\n')).join('\n'));
}

function disk(bytes: Uint8Array): StoredBytes {
  return { read: (from, to) => bytes.subarray(from, to), isUtf8: (part) => isUtf8(part) };
}

/** Reads with texts left in the file, in pieces. */
function readStored(format: FormatId, bytes: Uint8Array, piece = bytes.length): Transcript {
  const reader = new TranscriptReader({ format, stored: disk(bytes), limits: { skimBytes: 0 } });
  // With the format given, the choice is final with the first look.
  reader.snapshot();
  for (let from = 0; from < bytes.length; from += piece) reader.push(bytes.subarray(from, from + piece));
  return reader.snapshot();
}

type RenderNode = (id: string, parent: string | null, place: number) => object;

/** A prompt as a node of the tree, in the formats whose records form one. */
const TREES: readonly (readonly [FormatId, RenderNode])[] = [
  [
    'claude-code',
    (uuid, parentUuid, place) => ({ type: 'user', uuid, parentUuid, sessionId: 's', message: { role: 'user', content: `text ${place}` } }),
  ],
  [
    'qwen',
    (uuid, parentUuid, place) => ({
      type: 'user',
      uuid,
      parentUuid,
      sessionId: 's',
      message: { role: 'user', parts: [{ text: `text ${place}` }] },
    }),
  ],
  ['pi', (id, parentId, place) => ({ type: 'message', id, parentId, timestamp: 't', message: { role: 'user', content: `text ${place}` } })],
];

/** Everything that an inspection tells and that is counted, in contrast to what is told by the length of a text. */
function told(transcript: Transcript): string {
  const { sizes, window, usage, warning, agentLimit, counters, unattributedTokens } = inspectTranscript(transcript, { counter });
  return JSON.stringify({ sizes, window, usage, warning, agentLimit, counters, unattributedTokens });
}

const counter: TokenCounter = { id: 'words', count: (text) => Math.ceil(text.length / 3) };

describe('reader', () => {
  const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e', '__proto__', '');
  const chainNode: fc.Arbitrary<ChainNode> = fc.record({
    id: fc.option(ids, { nil: undefined }),
    parentId: fc.option(fc.option(ids, { nil: undefined }), { nil: null }),
    isSidechain: fc.boolean(),
    canBeLeaf: fc.boolean(),
    line: fc.nat(),
    messageId: fc.option(ids, { nil: undefined }),
    toolUseIds: fc.array(ids, { maxLength: 2 }),
    toolResultIds: fc.array(ids, { maxLength: 2 }),
    continues: fc.record({ id: fc.option(ids, { nil: undefined }) }),
  });
  property(
    'P40: any graph gives a chain without repeats that holds its leaf',
    fc.tuple(fc.array(chainNode, { maxLength: 40 }), ids),
    ([nodes, leaf]) => {
      const { chain, abandoned, copies } = liveChain(nodes, leaf, (later, earlier) => (later + earlier) % 2 === 0);
      assert.equal(new Set(chain).size, chain.length);
      assert.ok(chain.every((at) => nodes[at]?.isSidechain === false));
      assert.ok(!chain.some((at) => abandoned.includes(at) || copies.has(at)));
      const last = nodes.findLastIndex((node, at) => !node.isSidechain && node.canBeLeaf && !copies.has(at));
      if (last !== -1 && !nodes.some((node) => node.id === leaf)) assert.ok(chain.includes(last));
    },
  );

  property(
    'P40: sessions of any tree are read as one branch without repeats, in each format that has one',
    fc.tuple(fc.constantFrom(...TREES), fc.array(fc.tuple(ids, fc.option(ids, { nil: null })), { minLength: 1, maxLength: 20 })),
    ([[format, render], nodes]) => {
      const text = nodes.map(([id, parent], place) => `${JSON.stringify(render(id, parent, place))}\n`).join('');
      const { messages } = readTranscript(new TextEncoder().encode(text), { format });
      const lines = messages.map(({ line }) => line);
      assert.equal(new Set(lines).size, lines.length);
      assert.ok(lines.length <= nodes.length);
      assert.ok(lines.length > 0);
    },
  );

  property(
    'P40: a session in which each record follows the one before it is the same chain without a list of ids',
    fc.array(fc.record({ follows: fc.constantFrom('id', 'none', 'continues', 'other'), canBeLeaf: fc.boolean() }), { maxLength: 12 }),
    (links) => {
      const nodes = links.map(({ follows, canBeLeaf }, position): ChainNode => {
        const before = position === 0 ? undefined : `n${position - 1}`;
        const parentId =
          follows === 'id' ? (before ?? null) : follows === 'none' ? undefined : follows === 'continues' ? null : `n${position - 2}`;
        return {
          id: `n${position}`,
          parentId,
          ...(follows === 'continues' ? { continues: { id: before } } : {}),
          isSidechain: false,
          canBeLeaf,
          line: position,
        };
      });
      for (const leaf of [undefined, 'n3', `n${nodes.length - 1}`]) {
        assert.deepEqual(
          liveChain(nodes, leaf, () => false, true),
          liveChain(nodes, leaf),
        );
      }
    },
  );

  property('P41, P45: damaged bytes are read without a throw, and their text is well formed', damaged, ([format, bytes]) => {
    const transcript = readTranscript(bytes, { format });
    assert.ok(isWellFormed(textsOf(transcript)));
    assertSound(transcript);
    try {
      readTranscript(bytes);
    } catch (error) {
      assert.equal(error instanceof Error && 'code' in error ? error.code : error, 'unknownFormat');
    }
  });

  property('P41: random bytes are read without a throw', fc.tuple(fc.uint8Array({ maxLength: 300 }), file), ([bytes, [format]]) => {
    assertSound(readTranscript(bytes, { format }));
  });

  property(
    'P42: damage on one line loses the records of that line alone, and is reported',
    fc.tuple(fileOfTurns, place, fc.nat()),
    ([[format, bytes], at, seed]) => {
      const lines = Buffer.from(bytes).toString('utf8').split('\n');
      const victim = Math.floor(at * (lines.length - 1));
      const line = lines[victim] ?? '';
      const broken = [line.slice(0, 1 + (seed % Math.max(1, line.length - 2))), `x${line}`, line.replace('{', '{{')][seed % 3] ?? '';
      const after = readTranscript(Buffer.from(lines.map((one, index) => (index === victim ? broken : one)).join('\n')), { format });
      const lost = [...linesOf(readTranscript(bytes, { format }))].filter((number) => !linesOf(after).has(number));
      assert.deepEqual(
        lost.filter((number) => number !== victim + 1),
        [],
      );
      assert.ok(after.diagnostics.some((diagnostic) => diagnostic.line === victim + 1));
    },
  );

  property('P43: prototypes stay as they are', damaged, ([format, bytes]) => {
    const keys = (): number => Reflect.ownKeys(Object.prototype).length + Reflect.ownKeys(Array.prototype).length;
    const before = keys();
    readTranscript(bytes, { format });
    assert.equal(keys(), before);
  });

  property(
    'P46: any way to cut the bytes gives the same transcript, with looks in between',
    fc.tuple(damaged, fc.array(fc.tuple(place, fc.boolean()), { maxLength: 12 })),
    ([[format, bytes], cuts]) => {
      const reader = new TranscriptReader({ format });
      const ends = [...cuts, [1, false] as const]
        .map(([at, look]) => ({ at: Math.ceil(at * bytes.length), look }))
        .sort((a, b) => a.at - b.at);
      let from = 0;
      const seen = new Map<string, object>();
      for (const { at, look } of ends) {
        reader.push(bytes.subarray(from, at));
        from = at;
        if (look) for (const message of reader.snapshot().messages) seen.set(`${message.id} ${message.line}`, message);
      }
      assert.deepEqual(reader.snapshot(), readTranscript(bytes, { format }));
    },
  );

  property(
    'P46: texts that stay in the file are the same texts, sizes and inspection, however the bytes are cut',
    fc.tuple(storedFile, inflated, fc.integer({ min: 1, max: 5000 })),
    ([[format, bytes], inflate, piece]) => {
      const long = inflate(bytes);
      const [stored, inMemory] = [readStored(format, long, piece), readTranscript(long, { format })];
      assert.equal(told(stored), told(inMemory));
      assert.deepEqual(structuredClone(stored), structuredClone(inMemory));
    },
  );

  property(
    'P41, P45: damaged bytes whose texts stay in the file lose nothing that is read from memory',
    fc.tuple(storedFile, inflated, mutations),
    ([[format, bytes], inflate, changes]) => {
      const broken = changes.reduce((changed, mutate) => mutate(changed), inflate(bytes));
      const stored = readStored(format, broken);
      assert.ok(isWellFormed(textsOf(stored)));
      assertSound(stored);
      // A line that is mended may hold a newer version of a message.
      const [lines, ids] = [linesOf(stored), new Set(allMessages(stored).map(({ id }) => id))];
      for (const { id, line } of allMessages(readTranscript(broken, { format })))
        assert.ok(lines.has(line) || ids.has(id), `line ${line} is lost`);
    },
  );

  property(
    'P46: a look behind any lines gives what one reading of them gives',
    fc.tuple(damaged, fc.array(place, { minLength: 1, maxLength: 6 })),
    ([[format, bytes], looks]) => {
      const reader = new TranscriptReader({ format });
      const ends = looks.map((at) => bytes.lastIndexOf(0x0a, Math.floor(at * bytes.length)) + 1).sort((a, b) => a - b);
      let from = 0;
      for (const end of [...ends, bytes.length]) {
        reader.push(bytes.subarray(from, end));
        from = end;
        assert.deepEqual(reader.snapshot(), readTranscript(bytes.subarray(0, end), { format }));
      }
    },
  );

  property('P46: messages of complete lines keep their identity', fc.tuple(wholeFile, place), ([[format, bytes], at]) => {
    const reader = new TranscriptReader({ format });
    const cut = bytes.lastIndexOf(0x0a, Math.floor(at * bytes.length)) + 1;
    reader.push(bytes.subarray(0, cut));
    const before = new Set(reader.snapshot().messages);
    reader.push(bytes.subarray(cut));
    const after = reader.snapshot();
    const known = new Map(after.messages.map((message) => [message.id, message]));
    // A later record may say more of a message than the one before; then it is another.
    for (const message of before) {
      const now = known.get(message.id);
      assert.ok(now === undefined || now === message || !isDeepStrictEqual(now, message), message.id);
    }
  });
});

function allMessages({ messages, sidechains }: Transcript): readonly Message[] {
  return [...messages, ...sidechains.flatMap((chain) => chain.messages)];
}

function linesOf(transcript: Transcript): ReadonlySet<number> {
  return new Set(allMessages(transcript).map((message) => message.line));
}

function assertSound({ messages, context, boundaries }: Transcript): void {
  assert.equal(new Set(messages.map((message) => message.id)).size, messages.length, 'an id stands for two messages');
  assert.equal(new Set(context).size, context.length);
  assert.ok(context.every((index) => messages[index] !== undefined));
  assert.ok(boundaries.every(({ index }) => messages[index]?.kind === 'boundary'));
}

function textsOf(transcript: Transcript): string {
  const texts: string[] = [];
  for (const message of transcript.messages) {
    for (const block of message.content) {
      if (block.type === 'text' || block.type === 'thinking') texts.push(block.text);
      if (block.type === 'unknown') texts.push(block.raw);
      if (block.type === 'toolResult' && typeof block.content === 'string') texts.push(block.content);
    }
  }
  return texts.join('\n');
}
