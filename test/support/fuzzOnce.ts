// One run of the fuzzer: a damaged transcript through the reader and the planner, and what must hold of the outcome.
import { isToolResult, isToolUse, type Message } from '../../src/core/model/message';
import { planCompaction } from '../../src/core/compaction/strategies';
import type { PlanRequest } from '../../src/core/compaction/plan';
import { findViolations } from '../../src/core/cut/invariants';
import { ReadError } from '../../src/core/errors/readError';
import type { FormatId, Transcript } from '../../src/core/model/transcript';
import { inspectTranscript } from '../../src/core/session/inspection';
import { readTranscript } from '../../src/core/transcript/readTranscript';
import { isWellFormed } from '../../src/core/util/text';

export interface FuzzFile {
  readonly name: string;
  readonly format: FormatId;
  readonly bytes: Uint8Array;
  /** The bytes are pages, which are damaged in their places. */
  readonly isPaged?: boolean;
  /** Reads the session of which the damaged bytes are one file; absent for sessions that are one file. Undefined: the reader has refused it. */
  readonly read?: (damaged: Uint8Array) => Promise<Transcript | undefined>;
}

/** Why a run failed; undefined when all holds. Never throws. */
export async function fuzzOnce(file: FuzzFile, damaged: Uint8Array, choice: number): Promise<string | undefined> {
  try {
    if (file.read !== undefined) {
      const parts = await file.read(damaged);
      return parts === undefined ? undefined : (unsoundness(parts) ?? planProblem(parts, choice));
    }
    const read = readAs(damaged, choice % 2 === 0 ? file.format : undefined);
    if (read === undefined) return undefined;
    return lossOf(file, damaged, read) ?? unsoundness(read) ?? planProblem(read, choice);
  } catch (error) {
    return `threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  }
}

/** Undefined where the reader says that it knows no format in these bytes, which is an answer and no silent loss. */
function readAs(bytes: Uint8Array, format: FormatId | undefined): Transcript | undefined {
  try {
    return readTranscript(bytes, format === undefined ? {} : { format });
  } catch (error) {
    if (error instanceof ReadError) return undefined;
    throw error;
  }
}

/** A line that is no JSON must be reported, and a message whose line nobody touched must be there or be accounted for. */
function lossOf(file: FuzzFile, damaged: Uint8Array, read: Transcript): string | undefined {
  if (read.format !== file.format) return undefined;
  const before = knownReading(file);
  const reported = new Set(read.diagnostics.map((diagnostic) => diagnostic.line));
  const lines = linesOf(damaged);
  const isLines = before.lines.length > 1 && before.lines.slice(0, 2).every(isJson);
  // Lines that are no JSON each may be one document together, behind a byte order mark too.
  if (isLines && !isJson(lines.join('\n').replace(/^\u00ef\u00bb\u00bf/, ''))) {
    const silent = lines.findIndex((line, index) => line.trim() !== '' && !isJson(clean(line, index)) && !reported.has(index + 1));
    if (silent >= 0) return `line ${silent + 1} is no JSON and is not reported`;
  }
  const isNews = read.diagnostics.some((diagnostic) => !before.diagnostics.has(`${diagnostic.code} ${diagnostic.detail ?? ''}`));
  if (isNews) return undefined;
  const present = givingLines(read);
  // A line that was doubled may count once, at either of its places.
  const places = new Map<string, number[]>();
  lines.forEach((line, index) => places.set(line, [...(places.get(line) ?? []), index + 1]));
  for (const number of isLines ? before.giving : []) {
    const now = places.get(before.lines[number - 1] ?? '');
    if (now !== undefined && !now.some((line) => present.has(line)) && !isSaidElsewhere(before.read, number, read)) {
      return `the message of the untouched line ${now.join()} is gone and nothing says so`;
    }
  }
  return undefined;
}

/** True when what the line said stands in the damaged file too, under another line that repeats it. */
function isSaidElsewhere(before: Transcript, line: number, read: Transcript): boolean {
  const said = new Set(messagesOf(read).map(wordsOf));
  return messagesOf(before).every((message) => message.line !== line || said.has(wordsOf(message)));
}

function messagesOf({ messages, sidechains }: Transcript): readonly Message[] {
  return [...messages, ...sidechains.flatMap((chain) => chain.messages)];
}

function wordsOf({ role, content }: Message): string {
  return `${role} ${JSON.stringify(content)}`;
}

interface Reading {
  readonly read: Transcript;
  readonly lines: readonly string[];
  readonly giving: ReadonlySet<number>;
  readonly diagnostics: ReadonlySet<string>;
}

const readings = new Map<string, Reading>();

/** The reading of the file as it was before the damage. */
function knownReading(file: FuzzFile): Reading {
  const known = readings.get(file.name);
  if (known !== undefined) return known;
  const read = readTranscript(file.bytes, { format: file.format });
  const reading = {
    read,
    lines: linesOf(file.bytes),
    giving: givingLines(read),
    diagnostics: new Set(read.diagnostics.map(({ code, detail }) => `${code} ${detail ?? ''}`)),
  };
  readings.set(file.name, reading);
  return reading;
}

function givingLines(read: Transcript): ReadonlySet<number> {
  return new Set(messagesOf(read).map((message) => message.line));
}

function linesOf(bytes: Uint8Array): readonly string[] {
  return Buffer.from(bytes).toString('latin1').split('\n');
}

/** What the reader repairs by itself: the mark at the beginning, a carriage return at the end, zero bytes that a crash left. */
function clean(line: string, index: number): string {
  const text = line.replaceAll('\0', '').replace(/\r$/, '');
  return index === 0 ? text.replace(/^ï»¿/, '') : text;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return text.trim() === '';
  }
}

function unsoundness(read: Transcript): string | undefined {
  const indexes = new Set(read.context);
  if (indexes.size !== read.context.length) return 'an index stands twice in the context';
  if (read.context.some((index) => read.messages[index] === undefined)) return 'the context names a message that is not there';
  if (new Set(read.messages.map(({ id }) => id)).size !== read.messages.length) return 'two messages have one id';
  return isWellFormed(JSON.stringify(read.messages)) ? undefined : 'a text is not well formed';
}

function planProblem(read: Transcript, choice: number): string | undefined {
  const inspection = inspectTranscript(read, {});
  if (Object.values(inspection.usage).some((value) => typeof value === 'number' && !Number.isSafeInteger(value))) return 'a number is none';
  const pivot = read.context[choice % Math.max(1, read.context.length)] ?? 0;
  const requests: readonly PlanRequest[] = [
    { kind: 'full', keepMessages: choice % 12 },
    { kind: 'partialUpTo', pivotId: String(pivot) },
    { kind: 'partialFrom', pivotId: String(pivot) },
  ];
  const { messages, context } = read;
  for (const request of requests) {
    const plan = planCompaction(request, { messages, context, tokens: inspection.sizes.tokens, unattributedTokens: 0, revision: 1 });
    if (plan.outcome === 'refusal') continue;
    const all = [...plan.summarized, ...plan.kept].toSorted((a, b) => a - b);
    if (String(all) !== String(context.toSorted((a, b) => a - b))) return `${request.kind} loses or doubles messages`;
    const kept = plan.kept.flatMap((index) => messages[index] ?? []);
    const whole = context.flatMap((index) => messages[index] ?? []);
    const has = new Set(findViolations(whole).map(({ kind, id }) => `${kind} ${id}`));
    const broken = findViolations(kept, whole).find(
      ({ kind, id }) => kind === 'orphanResult' && !has.has(`${kind} ${id}`) && isCalled(whole, id),
    );
    if (broken !== undefined) return `${request.kind} tears the call ${JSON.stringify(broken.id)} from its result`;
  }
  return undefined;
}

function isCalled(messages: Transcript['messages'], id: string): boolean {
  const call = messages.findIndex(({ content }) => content.some((block) => isToolUse(block) && block.id === id));
  const result = messages.findIndex(({ content }) => content.some((block) => isToolResult(block) && block.toolUseId === id));
  return call >= 0 && call < result;
}
