// The engine's own way from an open session to its written copy, on a disk in memory.
import assert from 'node:assert/strict';
import type { CompactionPlan } from '../../src/core/compaction/plan';
import type { PlanInput } from '../../src/core/compaction/planInput';
import { continuationFor } from '../../src/core/compaction/result';
import { partitionFor } from '../../src/core/compaction/strategies';
import { planOf } from '../../src/core/compaction/strategies/partition';
import type { FileSystem } from '../../src/core/ports/fileSystem';
import type { Summarizer } from '../../src/core/ports/summarizer';
import { checkCopy } from '../../src/core/session/checkCopy';
import { inspectTranscript, type Inspection } from '../../src/core/session/inspection';
import { inspectionSettings } from '../../src/node/engine/inspectionSettings';
import { writeCompactedCopy, type WrittenCopy } from '../../src/node/engine/writeCompactedCopy';
import type { FileIo } from '../../src/node/fs/fileIo';
import { createNodeFileSystem } from '../../src/node/fs/nodeFileSystem';
import { openTranscript, type TranscriptFile } from '../../src/node/sources/transcriptFiles';
import { MemoryDisk } from './memoryFileSystem';
import { putSession, SESSION_FOLDER, type WritableSession } from './writableSessions';

const SUMMARY = 'Two things were said, and one was done.';

/** A session that was opened once, and what is needed to compact it on many disks. */
export interface Opened {
  readonly session: WritableSession;
  readonly file: TranscriptFile;
  readonly inspection: Inspection;
  readonly input: PlanInput;
  readonly plan: CompactionPlan;
}

/** A new disk on which the session lies as it was read, to the inode and the time. */
export function freshDisk(session: WritableSession): MemoryDisk {
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

/** Writes a compacted copy with a port; what it was made of has to be what was opened. */
export function compactOn(opened: Opened, fs: FileSystem): Promise<WrittenCopy> {
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
export function faultsOf({ file, plan }: Opened, bytes: Uint8Array): readonly string[] {
  const text = new TextDecoder().decode(bytes);
  if (!text.endsWith('\n')) return ['it has no end'];
  const summary = continuationFor(plan, SUMMARY, file.path);
  return checkCopy({ transcript: file.transcript, plan, summary }, text.slice(0, -1).split('\n')).faults;
}

/** The real port on the calls of a disk in memory, on which nothing has to be waited for. */
export function memoryPort(io: FileIo): FileSystem {
  return { ...createNodeFileSystem(io), join: (directory, name) => `${directory}/${name}`, pause: () => Promise.resolve() };
}
