// The engine's own way from an open session to its written copy, on a disk in memory.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { CompactionPlan } from '../../src/core/compaction/plan';
import type { PlanInput } from '../../src/core/compaction/planInput';
import { continuationFor } from '../../src/core/compaction/result';
import { partitionFor } from '../../src/core/compaction/strategies';
import { planOf } from '../../src/core/compaction/strategies/partition';
import type { FileSystem } from '../../src/core/ports/fileSystem';
import type { Summarizer } from '../../src/core/ports/summarizer';
import { checkCopy } from '../../src/core/session/checkCopy';
import { parseHistory } from '../../src/core/session/historyParse';
import { inspectTranscript, type Inspection } from '../../src/core/session/inspection';
import { inspectionSettings } from '../../src/node/engine/inspectionSettings';
import { writeCompactedCopy, type WrittenCopy } from '../../src/node/engine/writeCompactedCopy';
import type { FileIo } from '../../src/node/fs/fileIo';
import { createNodeFileSystem } from '../../src/node/fs/nodeFileSystem';
import { openTranscript, type TranscriptFile } from '../../src/node/sources/transcriptFiles';
import { faultyIo, type Call, type FaultKind } from './faultyFileSystem';
import { MemoryDisk } from './memoryFileSystem';
import { putSession, SESSION_FOLDER, type WritableSession } from './writableSessions';

const SUMMARY = 'Two things were said, and one was done.';
const SCRATCH = /\/\.context-inspector-[^/]*\.(?:tmp|claim)$/;
/** What the history says of a copy lies beside it. */
const NOTE = /\/\.context-inspector-[^/]*\.history$/;

/** A session that was opened once, and what is needed to compact it on many disks. */
export interface Opened {
  readonly session: WritableSession;
  readonly file: TranscriptFile;
  readonly inspection: Inspection;
  readonly input: PlanInput;
  readonly plan: CompactionPlan;
}

/** A new disk on which the session lies as it was read, to the inode and the time. */
function freshDisk(session: WritableSession): MemoryDisk {
  const disk = new MemoryDisk([SESSION_FOLDER]);
  putSession(disk, session);
  return disk;
}

export async function openWritable(session: WritableSession): Promise<Opened> {
  const file = await openTranscript(session.path, { watch: false, pollMs: 0, fs: memoryPort(freshDisk(session).io) });
  const { transcript } = file;
  const inspection = inspectTranscript(transcript, await inspectionSettings({ tokenizer: 'chars' }));
  const { messages, context } = transcript;
  const input: PlanInput = { messages, context, tokens: messages.map(() => 1000), unattributedTokens: 0, revision: 1 };
  const plan = context
    .map((index) => partitionFor({ kind: 'partialUpTo', pivotId: messages[index]?.id ?? '' }, input))
    .flatMap((partition) => (partition.outcome === 'partition' ? [planOf(input, partition)] : []))
    .at(-1);
  assert.ok(plan, `${session.name} can be compacted`);
  return { session, file, inspection, input, plan };
}

/** What came of one compaction on a disk of its own. */
export interface Outcome {
  readonly disk: MemoryDisk;
  readonly calls: readonly { readonly call: Call; readonly path: string }[];
  readonly error: unknown;
}

/** What happens while it runs. */
export interface Scene {
  readonly links?: boolean;
  /** What another program does right before the call with this number. */
  readonly before?: (disk: MemoryDisk, number: number) => void;
  readonly strike?: (number: number) => FaultKind | undefined;
}

/** Writes a compacted copy on a new disk. Never rejects. */
export async function compactIn(opened: Opened, scene: Scene = {}): Promise<Outcome> {
  const disk = freshDisk(opened.session);
  disk.links = scene.links ?? true;
  const calls: { call: Call; path: string }[] = [];
  const { io } = faultyIo(disk.io, (call, number, path) => {
    calls.push({ call, path });
    scene.before?.(disk, number);
    return scene.strike?.(number);
  });
  const error = await compactOn(opened, memoryPort(io)).then(
    () => undefined,
    (reason: unknown) => reason ?? new Error('rejected with nothing'),
  );
  return { disk, calls, error };
}

/** Paths of the files beside those of the session: copies, what is noted of them, and what is only there for the time of a run. */
export function addedTo(
  disk: MemoryDisk,
  { files }: WritableSession,
): { readonly copies: readonly string[]; readonly notes: readonly string[]; readonly scratch: readonly string[] } {
  const added = disk.paths.filter((path) => !files.has(path));
  const scratch = added.filter((path) => SCRATCH.test(path));
  const notes = added.filter((path) => NOTE.test(path));
  return { copies: added.filter((path) => !scratch.includes(path) && !notes.includes(path)), notes, scratch };
}

/**
 * P70 and P73: the copy is absent or whole, for the user alone, and nothing else was made; a run that succeeded has its copy, and a run that
 * failed none, unless the program died.
 */
export function assertOldOrNew(
  opened: Opened,
  { disk, error }: Outcome,
  fault: { readonly links: boolean; readonly isCrash: boolean },
  at: string,
): void {
  const { copies, notes } = addedTo(disk, opened.session);
  assertNoted(disk, copies, notes, fault, at);
  if (error === undefined) assert.equal(copies.length, 1, `${at}: a run that succeeds has its copy`);
  else if (!fault.isCrash) assert.deepEqual(copies, [], `${at}: a run that fails leaves none`);
  for (const path of copies) {
    assert.match(path, /^\/s\/[^/]+$/, `${at}: it lies in the folder that was chosen`);
    // A disk without hard links reserves the name by an empty file, which a crash may leave: never a part of a session.
    if (fault.isCrash && !fault.links && disk.bytes(path)?.length === 0) continue;
    assert.deepEqual(faultsOf(opened, disk.bytes(path) ?? new Uint8Array()), [], `${at}: ${path} is a whole copy`);
    assert.equal(disk.mode(path), 0o600);
  }
}

/** Every note of the history is whole, and no copy ever stands without one that tells of exactly its bytes. */
function assertNoted(
  disk: MemoryDisk,
  copies: readonly string[],
  notes: readonly string[],
  fault: { readonly links: boolean; readonly isCrash: boolean },
  at: string,
): void {
  const isReserved = (path: string): boolean => fault.isCrash && !fault.links && disk.bytes(path)?.length === 0;
  const records = notes
    .filter((path) => !isReserved(path))
    .map((path) => {
      const record = parseHistory(disk.text(path) ?? '');
      assert.ok(record, `${at}: ${path} is a whole note`);
      assert.equal(disk.mode(path), 0o600);
      return record;
    });
  for (const path of copies.filter((copy) => !isReserved(copy))) {
    const bytes = disk.bytes(path) ?? new Uint8Array();
    const record = records.find(({ copy }) => `${SESSION_FOLDER}/${copy.name}` === path);
    assert.equal(record?.copy.sha256, createHash('sha256').update(bytes).digest('hex'), `${at}: ${path} is noted`);
    assert.equal(record.copy.bytes, bytes.length);
  }
}

/** Writes a compacted copy with a port; what it was made of has to be what was opened. */
function compactOn(opened: Opened, fs: FileSystem): Promise<WrittenCopy> {
  const summarizer: Summarizer = {
    capabilities: { label: 'fake', host: undefined },
    summarize: () => Promise.resolve({ text: SUMMARY, usage: undefined }),
  };
  const { file, inspection, input, plan } = opened;
  return writeCompactedCopy(
    { file, inspection, input, plan, summarizer, options: { instructions: '', onProgress: () => undefined, fs } },
    undefined,
  );
}

/** What is wrong with a file as a whole copy of an opened session. */
function faultsOf({ file, plan }: Opened, bytes: Uint8Array): readonly string[] {
  const text = new TextDecoder().decode(bytes);
  if (!text.endsWith('\n')) return ['it has no end'];
  const summary = continuationFor(plan, SUMMARY, file.path);
  return checkCopy({ transcript: file.transcript, plan, summary }, text.slice(0, -1).split('\n')).faults;
}

/** The real port on the calls of a disk in memory, on which nothing has to be waited for. */
function memoryPort(io: FileIo): FileSystem {
  return { ...createNodeFileSystem(io), join: (directory, name) => `${directory}/${name}`, pause: () => Promise.resolve() };
}
