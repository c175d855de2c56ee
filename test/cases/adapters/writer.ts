import { partitionFor } from '../../../src/core/compaction/strategies/index';
import { planOf } from '../../../src/core/compaction/strategies/partition';
import { isCompactError } from '../../../src/core/errors/compactError';
import { StoreError } from '../../../src/core/errors/storeError';
import { textOf, type Message } from '../../../src/core/model/message';
import type { Transcript } from '../../../src/core/model/transcript';
import type { FileSystem } from '../../../src/core/ports/fileSystem';
import type { Copy } from '../../../src/core/session/copy/copyInput';
import { buildCopy } from '../../../src/core/session/copy/copyWriter';
import { writeSession } from '../../../src/core/session/sessionWriter';
import { withSourceClaim } from '../../../src/core/session/sourceClaim';
import { sourceFingerprint } from '../../../src/core/session/sourceFingerprint';
import { scratchName } from '../../../src/core/session/leftovers';
import { readTranscript } from '../../../src/core/transcript/readTranscript';
import { arrayOf, field, isRecord, numberOf, stringOf, type JsonRecord } from '../../../src/core/util/json';
import type { FileIo } from '../../../src/node/fs/fileIo';
import { createNodeFileSystem } from '../../../src/node/fs/nodeFileSystem';
import { faultyIo, type Call, type FaultKind } from '../../support/faultyFileSystem';
import { MemoryDisk } from '../../support/memoryFileSystem';
import type { CaseAdapter, CaseCall } from '../caseTypes';

const SOURCE = '/s/source.jsonl';
const TARGET = '/s/copy.jsonl';
const VICTIM = '/victim';
const VICTIM_TEXT = 'precious';
const SUMMARY = 'Two things were said.';
const KINDS: readonly FaultKind[] = ['crash', 'crashAfter', 'short', 'EIO', 'ENOSPC', 'EACCES', 'EPERM'];
const OPS: ReadonlySet<string> = new Set(['open', 'write', 'fsync', 'close', 'rename', 'unlink', 'fsyncDir']);

/** One run of our writer on a disk in memory, as the case wants it disturbed. */
export const writer: CaseAdapter = {
  functions: { writeCompacted: (call) => writeCompacted(call) },
  properties: {
    P70: (_, result) => {
      if (!isRecord(result)) return 'the writer gave nothing';
      if (field(result, 'originalIsPrefix') !== true) return 'the original lost something';
      return field(result, 'target') === 'part' ? 'a part of a session has the final name' : undefined;
    },
    P71: (_, result) => {
      if (!isRecord(result)) return 'the writer gave nothing';
      return field(result, 'lateLine') === 'lost' ? 'an appended line is nowhere' : undefined;
    },
  },
};

interface Run {
  readonly copy: Copy | undefined;
  readonly kept: readonly Message[];
  readonly error: unknown;
}

async function writeCompacted({ input, args }: CaseCall): Promise<JsonRecord> {
  const original = stringOf(input, 'file') ?? '';
  const disk = new MemoryDisk(['/s', '/']);
  disk.write(SOURCE, original);
  disk.write(VICTIM, VICTIM_TEXT);
  plant(disk, args);
  const strike = faults(args);
  const { io, calls } = faultyIo(disk.io, (call, _number, path) => strike(call, path));
  const late: string[] = [];
  let other: Run | undefined;
  const at = async (moment: string): Promise<void> => {
    for (const event of (arrayOf(args, 'concurrent') ?? []).filter(isRecord)) {
      if (stringOf(event, 'when') !== moment) continue;
      const text = stringOf(event, 'append') ?? stringOf(event, 'appendThroughOldHandle');
      if (text !== undefined) {
        disk.append(SOURCE, text);
        late.push(text);
      }
      if (field(event, 'secondRun') === true) other = await compact(portOn(disk.io), '2', args, () => Promise.resolve());
    }
  };
  const run = await compact(portOn(io), '1', args, at);
  await at('afterRename');
  return outcomeOf(disk, original, args, run, other, late, calls);
}

/** What a host does for one compaction: claim, read, plan, build, write. */
async function compact(fs: FileSystem, name: string, args: JsonRecord, at: (moment: string) => Promise<void>): Promise<Run> {
  const ids = idsOf(name);
  const clock = { now: () => 1_700_000_000_000 };
  const made: { copy?: Copy; kept?: readonly Message[] } = {};
  try {
    const fingerprint = await sourceFingerprint(fs, SOURCE);
    if (fingerprint === undefined) throw new Error('there is no source');
    await withSourceClaim({ fs, ids, clock, directory: '/s', fingerprint }, async () => {
      const bytes = await fs.read(SOURCE, 0, fingerprint.size);
      const transcript = readTranscript(bytes);
      await at('afterRead');
      Object.assign(made, copyOf(transcript, new TextDecoder().decode(bytes), ids, numberOf(args, 'keepRecent') ?? 2));
      const records = made.copy?.records ?? [];
      const file = name === '1' ? 'copy.jsonl' : `copy-${name}.jsonl`;
      const signal = new AbortController().signal;
      await writeSession({ fs, ids, clock, source: { path: SOURCE, fingerprint }, directory: '/s', name: file, records, signal });
    });
    return { copy: made.copy, kept: made.kept ?? [], error: undefined };
  } catch (error) {
    return { copy: made.copy, kept: made.kept ?? [], error };
  }
}

function copyOf(transcript: Transcript, text: string, ids: { uuid(): string }, keep: number): { copy: Copy; kept: readonly Message[] } {
  const { messages, context } = transcript;
  const planInput = { messages, context, tokens: messages.map(() => 1000), unattributedTokens: 0, revision: 1 };
  const partition = partitionFor({ kind: 'full', keepMessages: keep }, planInput);
  if (partition.outcome === 'refusal') throw new Error(`the plan is refused: ${partition.code}`);
  const lines = text.split('\n');
  const copy = buildCopy({
    transcript,
    plan: planOf(planInput, partition),
    lines: (line) => lines[line - 1],
    lineCount: lines.length,
    summary: SUMMARY,
    newSessionId: ids.uuid(),
    ids,
    now: '2026-01-05T12:00:00.000Z',
    tokens: { before: 4000, after: 2010 },
  });
  return { copy, kept: partition.kept.flatMap((index) => messages[index] ?? []) };
}

function outcomeOf(
  disk: MemoryDisk,
  original: string,
  args: JsonRecord,
  run: Run,
  other: Run | undefined,
  late: readonly string[],
  calls: readonly Call[],
): JsonRecord {
  const now = disk.text(SOURCE) ?? '';
  const target = disk.text(TARGET);
  const whole = run.copy?.records.map((record) => `${record}\n`).join('');
  const isOurs = target !== undefined && target === whole;
  const existing = stringOf(args, 'existingTarget');
  const read = isOurs ? readTranscript(new TextEncoder().encode(target)) : undefined;
  return {
    originalSha256: now === original ? 'unchanged' : 'changed',
    originalIsPrefix: now === original + late.join(''),
    originalContains: late.filter((line) => now.includes(line)).flatMap(saidIn),
    target: isOurs ? 'complete' : target === undefined || target === existing ? 'absent' : 'part',
    outcome: run.error === undefined ? 'written' : isCompactError(run.error, 'staleSource') ? 'conflict_refused' : 'refused',
    lateLine: late.every((line) => now.includes(line))
      ? 'in_original'
      : late.every((line) => target?.includes(line))
        ? 'in_target'
        : 'lost',
    victimUnchanged: disk.text(VICTIM) === VICTIM_TEXT,
    existingTarget: existing !== undefined && target === existing ? 'unchanged' : 'changed',
    renameAttempts: calls.filter((call) => call === 'rename').length,
    published: disk.paths.filter((path) => /^\/s\/copy(?:-\d)?\.jsonl$/.test(path)).length,
    readBack: read === undefined ? 'as_before' : read.boundaries.every((one) => one.valid) ? 'boundary_with_summary' : 'boundary_alone',
    ...(other === undefined ? {} : { otherRun: other.error === undefined ? 'written' : 'refused' }),
    ...(read === undefined ? {} : readBack(read, run)),
    ...(run.error === undefined ? {} : { throws: codeOf(run.error) }),
  };
}

function readBack(read: Transcript, { copy, kept }: Run): JsonRecord {
  const view = read.context.flatMap((index) => read.messages[index] ?? []);
  const said = (message: Message): unknown => ({ role: message.role, content: message.content });
  const [summary, ...rest] = view;
  const isView = summary !== undefined && textOf(summary) === SUMMARY && JSON.stringify(rest.map(said)) === JSON.stringify(kept.map(said));
  return {
    danglingParents: read.diagnostics.filter(({ code }) => code === 'dangling_parent').length,
    reachableFromLeaf: read.messages.length === copy?.records.length ? 'all' : read.messages.length,
    readBackEqualsView: isView,
  };
}

function plant(disk: MemoryDisk, args: JsonRecord): void {
  const existing = stringOf(args, 'existingTarget');
  if (existing !== undefined) disk.write(TARGET, existing);
  const planted = field(args, 'plant');
  if (!isRecord(planted)) return;
  const to = stringOf(planted, 'to') ?? VICTIM;
  if (stringOf(planted, 'symlink') === 'target') disk.link(TARGET, to);
  // The name that somebody would guess who knows how ours are made but not the next random number.
  else disk.link(`/s/${scratchName('00000000-0000-4000-8000-000000000000', 'tmp')}`, to);
}

/** Faults hit the calls that write: not the looks at the source, nor the claim. */
function faults(args: JsonRecord): (call: Call, path: string) => FaultKind | undefined {
  const wanted = (arrayOf(args, 'faults') ?? []).filter(isRecord).map((fault) => {
    const op = stringOf(fault, 'op') ?? '';
    const kind = KINDS.find((known) => known === stringOf(fault, 'kind'));
    if (!OPS.has(op) || kind === undefined) throw new Error(`unknown fault ${JSON.stringify(fault)}`);
    return { op, kind, left: numberOf(fault, 'times') ?? 1 };
  });
  return (call, path) => {
    if (path === SOURCE || path.endsWith('.claim')) return undefined;
    const op = call === 'fsync' && path === '/s' ? 'fsyncDir' : call;
    const fault = wanted.find((one) => one.op === op && one.left > 0);
    if (fault) fault.left--;
    return fault?.kind;
  };
}

function portOn(io: FileIo): FileSystem {
  return { ...createNodeFileSystem(io), join: (directory, name) => `${directory}/${name}`, pause: () => Promise.resolve() };
}

function idsOf(run: string): { uuid(): string } {
  let last = 0;
  return { uuid: () => `0000000${run}-0000-4000-8000-${String(++last).padStart(12, '0')}` };
}

function saidIn(line: string): readonly string[] {
  return readTranscript(new TextEncoder().encode(line)).messages.map(textOf);
}

function codeOf(error: unknown): string {
  if (error instanceof StoreError || isCompactError(error)) return error.code;
  return error instanceof Error ? error.message : 'unknown';
}
