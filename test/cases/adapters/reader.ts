import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isToolResult, textOf, type Message } from '../../../src/core/model/message';
import type { FormatId, Transcript } from '../../../src/core/model/transcript';
import { TranscriptReader, type ReaderOptions } from '../../../src/core/transcript/incrementalReader';
import { readTranscript } from '../../../src/core/transcript/readTranscript';
import { arrayOf, isRecord, numberOf, stringOf, type JsonRecord } from '../../../src/core/util/json';
import { isWellFormed } from '../../../src/core/util/text';
import { createNodeFileSystem } from '../../../src/node/fs/nodeFileSystem';
import { readTail } from '../../../src/node/sources/fileTail';
import { inFolder } from '../../support/folders';
import type { CaseAdapter, CaseCall } from '../caseTypes';

const FORMATS = new Map<string, FormatId>([
  ['claude-code-jsonl', 'claude-code'],
  ['codex-rollout-jsonl', 'codex'],
]);

const OBJECT_KEYS = Reflect.ownKeys(Object.prototype).length;
const ARRAY_KEYS = Reflect.ownKeys(Array.prototype).length;

export const reader: CaseAdapter = {
  functions: { read: (call) => read(call) },
  properties: {
    P01: ({ input, args }) => {
      const calls = new Set<string>();
      for (const message of readWhole(input, args).messages) {
        for (const block of message.content) {
          if (block.type === 'toolUse') calls.add(block.id);
          if (block.type === 'toolResult' && !calls.has(block.toolUseId)) return `the result of ${block.toolUseId} stands before its call`;
        }
      }
      return undefined;
    },
    P27: ({ input, args }) => {
      const { messages, sidechains } = readWhole(input, args);
      const side = new Set(sidechains.flatMap((chain) => chain.messages));
      return messages.some((message) => side.has(message)) ? 'a side chain stands in the main conversation' : undefined;
    },
    P40: ({ input, args }) => {
      const ids = readWhole(input, args).messages.map((message) => message.id);
      return new Set(ids).size === ids.length ? undefined : 'a record stands on the chain twice';
    },
    P41: (_, result) => (isRecord(result) ? undefined : 'reading gave nothing'),
    P42: ({ input, args }) => lostElsewhere(input, args),
    P43: ({ input, args }) => {
      readWhole(input, args);
      const isClean = Reflect.ownKeys(Object.prototype).length === OBJECT_KEYS && Reflect.ownKeys(Array.prototype).length === ARRAY_KEYS;
      return isClean ? undefined : 'a prototype was changed';
    },
    P45: ({ input, args }) => (isWellFormed(allText(readWhole(input, args))) ? undefined : 'text with half a character'),
    P46: ({ input, args }) => {
      const [whole, pieces] = [readWhole(input, args), readInPieces(input, args, 7)].map((transcript) => JSON.stringify(transcript));
      return whole === pieces ? undefined : 'reading in pieces gives another transcript';
    },
    P50: ({ input, args }) => {
      const { boundaries, messages } = readWhole(input, args);
      return boundaries.every(({ index }) => messages[index]?.kind === 'boundary') ? undefined : 'text was taken for a boundary';
    },
  },
};

/** Damages one line after the other: only the records of that line may go. */
function lostElsewhere(input: JsonRecord, args: JsonRecord): string | undefined {
  const lines = new TextDecoder().decode(bytesOf(input)).split('\n');
  const lineNumbers = (file: string): ReadonlySet<number> => {
    const { messages, sidechains } = readWhole({ ...input, file, fileBase64: undefined }, args);
    return new Set([...messages, ...sidechains.flatMap((chain) => chain.messages)].map((message) => message.line));
  };
  const whole = lineNumbers(lines.join('\n'));
  for (let at = 0; at < Math.min(lines.length, 100); at++) {
    const damaged = lineNumbers(lines.map((line, index) => (index === at ? `{"broken ${line.slice(0, 20)}` : line)).join('\n'));
    const lost = [...whole].filter((line) => line !== at + 1 && !damaged.has(line));
    if (lost.length > 0) return `damage on line ${at + 1} loses line ${lost.join()}`;
  }
  return undefined;
}

async function read(call: CaseCall): Promise<JsonRecord> {
  const steps = arrayOf(call.args, 'steps');
  if (steps !== undefined) return followed(call.input, steps.filter(isRecord));
  const sizes = arrayOf(call.args, 'chunkSizes')?.filter((size) => typeof size === 'number') ?? [];
  const whole = outcome(readWhole(call.input, call.args));
  for (const size of sizes) {
    const inPieces = outcome(readInPieces(call.input, call.args, size));
    if (JSON.stringify(inPieces) !== JSON.stringify(whole)) return { ...whole, differsInPiecesOf: size };
  }
  return whole;
}

/** Reads a real file, changes it as the steps say, and reads on. */
function followed(input: JsonRecord, steps: readonly JsonRecord[]): Promise<JsonRecord> {
  return inFolder(async (folder) => {
    const path = join(folder, 'session.jsonl');
    const fs = createNodeFileSystem();
    writeFileSync(path, bytesOf(input));
    let tail = await readTail(fs, path, undefined);
    const first = outcome(tail.transcript);
    const afterSteps: JsonRecord[] = [];
    for (const step of steps) {
      const replaced = stringOf(step, 'replaceWith');
      if (replaced === undefined) writeFileSync(path, stringOf(step, 'append') ?? '', { flag: 'a' });
      else writeFileSync(path, replaced);
      tail = await readTail(fs, path, tail);
      afterSteps.push(outcome(tail.transcript));
    }
    return { ...first, afterSteps };
  });
}

function readWhole(input: JsonRecord, args: JsonRecord): Transcript {
  return readTranscript(bytesOf(input), optionsOf(input, args));
}

function readInPieces(input: JsonRecord, args: JsonRecord, size: number): Transcript {
  const pieces = new TranscriptReader(optionsOf(input, args));
  const bytes = bytesOf(input);
  for (let from = 0; from < bytes.length; from += size) pieces.push(bytes.subarray(from, from + size));
  return pieces.snapshot();
}

function optionsOf(input: JsonRecord, args: JsonRecord): ReaderOptions {
  const format = FORMATS.get(stringOf(input, 'format') ?? '');
  const maxLineBytes = numberOf(args, 'maxLineBytes');
  return { ...(format === undefined ? {} : { format }), ...(maxLineBytes === undefined ? {} : { limits: { maxLineBytes } }) };
}

function bytesOf(input: JsonRecord): Uint8Array {
  const coded = stringOf(input, 'fileBase64');
  return coded === undefined ? new TextEncoder().encode(stringOf(input, 'file') ?? '') : new Uint8Array(Buffer.from(coded, 'base64'));
}

function outcome(transcript: Transcript): JsonRecord {
  const { messages, sidechains, boundaries, diagnostics } = transcript;
  return {
    terminates: true,
    messageCount: messages.length,
    texts: textsOf(messages),
    sideTexts: sidechains.flatMap((chain) => textsOf(chain.messages)),
    toolResults: messages.flatMap((message) => message.content.filter(isToolResult).map((block) => block.toolUseId)),
    boundaries: boundaries.length,
    diagnostics: diagnostics.map((diagnostic) => diagnostic.code),
    outputWellFormed: isWellFormed(allText(transcript)),
    objectPrototypeHas: { polluted: 'polluted' in {}, isAdmin: 'isAdmin' in {} },
  };
}

function textsOf(messages: readonly Message[]): readonly string[] {
  return messages.map(textOf).filter((text) => text !== '');
}

function allText(transcript: Transcript): string {
  const parts: string[] = [];
  const values: unknown[] = [transcript];
  while (values.length > 0) {
    const value = values.pop();
    if (typeof value === 'string') parts.push(value);
    else if (typeof value === 'object' && value !== null) values.push(...Object.values<unknown>({ ...value }));
  }
  return parts.join('\n');
}
