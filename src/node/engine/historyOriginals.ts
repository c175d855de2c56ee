import { resolve } from 'node:path';
import type { Message } from '../../core/model/message';
import type { Transcript } from '../../core/model/transcript';
import type { FileSystem } from '../../core/ports/fileSystem';
import {
  carriesSummary,
  LARGEST_ORIGINALS,
  originalsInChain,
  originalsOfRecord,
  textUnits,
  type Originals,
} from '../../core/session/historyOriginals';
import { readTranscript } from '../../core/transcript/readTranscript';
import { createNodeFileSystem } from '../fs/nodeFileSystem';
import { openTranscript } from '../sources/transcriptFiles';
import { historyOf, type HistoryEntry } from './historyFiles';
import { sourceState } from './historyStates';

/** A copy of a copy of a copy …: no more generations than this are followed. */
const MAX_GENERATIONS = 20;
/** Originals larger than this are not read for the sake of a summary, in bytes. */
const LARGEST_SOURCE = 256 * 1024 * 1024;
/** Formats that mark no summaries put one at an end of the context. */
const MOST_IDS = 50;

/** The originals of one session, found once for each set of summaries in its context. */
export class KnownOriginals {
  #for = '';
  #found: Promise<Originals> = Promise.resolve(NONE);

  /** As `findOriginals`. */
  of(path: string, transcript: Transcript, fs: FileSystem = createNodeFileSystem()): Promise<Originals> {
    const ids = transcript.context.flatMap((index) => (mayBeSummary(transcript, index) ? (transcript.messages[index]?.id ?? '') : []));
    const key = JSON.stringify([transcript.boundaries.length, ids.slice(0, MOST_IDS)]);
    if (key !== this.#for) {
      this.#for = key;
      this.#found = findOriginals(fs, path, transcript);
    }
    return this.#found;
  }
}

/**
 * The messages behind the summaries in a session's context: of the agent's own compactions in the same file, of ours in the originals, as far
 * as these still begin as they did. What is too large is left out. Never rejects: what cannot be found is not there.
 */
export async function findOriginals(fs: FileSystem, path: string, transcript: Transcript): Promise<Originals> {
  const isNeeded = transcript.context.some((index) => mayBeSummary(transcript, index));
  if (!isNeeded) return NONE;
  const inContext = new Set(transcript.context.flatMap((index) => transcript.messages[index]?.id ?? []));
  const found = await originalsOf(fs, path, { transcript, wanted: inContext, generations: MAX_GENERATIONS }).catch(() => NONE);
  return new Map([...found].filter(([id, messages]) => inContext.has(id) && textUnits(messages, LARGEST_ORIGINALS) <= LARGEST_ORIGINALS));
}

const NONE: Originals = new Map();

/** Formats that mark no summaries have them all the same, as messages of the user. */
function mayBeSummary({ messages, boundaries }: Transcript, index: number): boolean {
  const message = messages[index];
  return message !== undefined && (message.kind === 'summary' || (boundaries.length === 0 && message.role === 'user'));
}

interface Asked {
  readonly transcript: Transcript;
  /** Ids of the summaries whose originals are wanted. */
  readonly wanted: ReadonlySet<string>;
  /** Originals of originals that are still to be followed. */
  readonly generations: number;
}

async function originalsOf(fs: FileSystem, path: string, { transcript, wanted, generations }: Asked): Promise<Originals> {
  const known = new Map<string, readonly Message[]>();
  if (generations > 0) {
    for (const entry of await historyOf(fs, path)) {
      const carrier =
        entry.copyPath === resolve(path) ? transcript.messages.find((message) => carriesSummary(entry.record, message)) : undefined;
      if (carrier === undefined) continue;
      const source = await sourceTranscript(fs, entry);
      if (source === undefined) continue;
      const asked = { transcript: source, wanted: new Set(entry.record.summarizedIds), generations: generations - 1 };
      const behind = await originalsOf(fs, entry.sourcePath, asked);
      const originals = originalsOfRecord(entry.record, source, behind);
      if (originals !== undefined) known.set(carrier.id, originals);
    }
  }
  return originalsInChain(transcript, wanted, known);
}

/**
 * The original as it was when the copy was made. Of a file that has grown only the first bytes are read, whose hash is the record's: whoever
 * could state it knew all of them, so no record can lead to the text of a session that its author had not.
 */
async function sourceTranscript(fs: FileSystem, entry: HistoryEntry): Promise<Transcript | undefined> {
  const { kind, bytes } = entry.record.source.state;
  if (bytes > LARGEST_SOURCE) return undefined;
  const state = await sourceState(fs, entry);
  if (state !== 'present' && state !== 'grown') return undefined;
  if (kind === 'file') return readTranscript(await fs.read(entry.sourcePath, 0, bytes), { format: entry.record.format });
  const file = await openTranscript(entry.sourcePath, { watch: false, pollMs: 0 });
  try {
    return file.transcript;
  } finally {
    file.dispose();
  }
}
