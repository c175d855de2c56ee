// A compacted session of pi: the header, what was chosen (model, thinking), and entries on one chain. A `compaction` always puts its summary
// first, so that a summary of the newer part is a message of its own behind the kept ones.
import { textOf } from '../../model/message';
import { filledOf } from '../../transcript/formats/fields';
import { piEntry } from '../../transcript/formats/piEntry';
import { numberOf, stringOf } from '../../util/json';
import { clearedBlocks } from './clearedResults';
import type { Copy, CopyInput } from './copyInput';
import { keptMessages } from './copyInput';
import { mapMember, withMembers, withoutMembers } from './jsonSpans';
import { messageFinder, type FoundText } from './messageFinder';
import { recordsOn, type SourceRecord } from './sourceRecords';
import { zeroCounts } from './zeroUsage';

interface PiText {
  readonly kind: 'entry' | 'compaction';
  readonly text: string;
  readonly id: string | undefined;
}

/** From this version on entries have ids and parents. The agent brings older forms of its messages up to date itself. */
const LEAST_VERSION = 2;
const VERSION = 3;
/** Where a compaction of version 1 says what it keeps. */
const KEPT_INDEX = new Set(['firstKeptEntryIndex']);
const CHOICES = ['model_change', 'thinking_level_change'] as const;

/**
 * Builds [kept…, compaction that keeps them] or [kept…, summary]. Where nothing is summarized, the earlier compaction of the source stays the
 * beginning.
 */
export function writePiCopy(input: CopyInput): Copy {
  const entryOf = messageFinder((line) => entriesOn(input, line));
  const blocksOf = clearedBlocks(input);
  const chain = new Chain(input);
  const header = headerOf(input);
  for (const type of CHOICES) for (const { text, value } of lastRecord(input, type)) chain.add(text, filledOf(value, 'id'));
  const kept = keptMessages(input);
  const keptFirst = input.plan.order === 'keptFirst';
  const ids = kept.map((message, at) => {
    const { kind, text, id } = entryOf(message);
    if (kind === 'compaction') {
      // What it kept follows it now.
      const bare = withMembers(withoutMembers(text, KEPT_INDEX), new Map([['firstKeptEntryId', '""']]));
      return at === 0 && keptFirst ? chain.add(bare, id) : chain.message(textOf(message));
    }
    const cleared = blocksOf(message)?.get(0);
    return chain.add(
      mapMember(text, 'message', (inner) => keptMessage(inner, cleared)),
      id,
    );
  });
  const { summary } = input;
  let summaryId: string | undefined;
  if (summary !== undefined) summaryId = keptFirst ? chain.message(summary) : chain.compaction(summary, ids[0] ?? '');
  return {
    records: [header, ...chain.records],
    boundary: {
      id: keptFirst ? undefined : summaryId,
      summaryId: keptFirst || summaryId === undefined ? summaryId : `${summaryId}#summary`,
      preservedIds: ids,
    },
  };
}

/** Entries of the copy, each the child of the one before. */
class Chain {
  readonly records: string[] = [];
  readonly #input: CopyInput;
  readonly #taken = new Set<string>();
  #last: string | null = null;

  constructor(input: CopyInput) {
    this.#input = input;
  }

  /** Adds an entry under its own id where that is free; answers the id. */
  add(text: string, own: string | undefined): string {
    const id = own === undefined || this.#taken.has(own) ? this.#freeId() : own;
    this.#taken.add(id);
    this.records.push(withMembers(text, new Map(Object.entries({ id: JSON.stringify(id), parentId: JSON.stringify(this.#last) }))));
    this.#last = id;
    return id;
  }

  /** A text that the model gets as the user's, and that is shown as what a program wrote. */
  message(content: string): string {
    const { now } = this.#input;
    return this.add(JSON.stringify({ type: 'custom_message', timestamp: now, customType: 'summary', content, display: true }), undefined);
  }

  compaction(summary: string, firstKeptEntryId: string): string {
    const { now, tokens } = this.#input;
    const entry = { type: 'compaction', timestamp: now, summary, firstKeptEntryId, tokensBefore: tokens.before };
    return this.add(JSON.stringify(entry), undefined);
  }

  /** The agent's ids have eight hex digits. The end of a UUID is random in every version of them. */
  #freeId(): string {
    let id = this.#input.ids.uuid().slice(-8);
    while (this.#taken.has(id)) id = this.#input.ids.uuid().slice(-8);
    return id;
  }
}

/** What an answer has cost tells the size of the old context; the agent compacts a copy at once that it believes to be as large. */
function keptMessage(message: string, cleared: string | undefined): string | undefined {
  if (!message.startsWith('{')) return undefined;
  const unused = mapMember(message, 'usage', zeroCounts);
  return cleared === undefined ? unused : withMembers(unused, new Map([['content', JSON.stringify([{ type: 'text', text: cleared }])]]));
}

function headerOf(input: CopyInput): string {
  const header = headerRecord(input);
  const version = Math.max(numberOf(header?.value ?? {}, 'version') ?? (header === undefined ? VERSION : LEAST_VERSION), LEAST_VERSION);
  const bare = JSON.stringify({ type: 'session', version, cwd: input.transcript.cwd ?? '.' });
  const identity = { version, id: input.newSessionId, timestamp: input.now };
  return withMembers(header?.text ?? bare, new Map(Object.entries(identity).map(([key, value]) => [key, JSON.stringify(value)])));
}

function headerRecord(input: CopyInput): SourceRecord | undefined {
  for (let line = 1; line <= input.lineCount; line++) {
    const found = recordsOn(input, line).find(({ value }) => stringOf(value, 'type') === 'session');
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The newest record of a type. */
function lastRecord(input: CopyInput, type: string): readonly SourceRecord[] {
  for (let line = input.lineCount; line > 0; line--) {
    // A cheap look first: most lines are large and of other types.
    if (input.lines(line)?.includes(type) !== true) continue;
    const found = recordsOn(input, line).findLast(({ value }) => stringOf(value, 'type') === type);
    if (found !== undefined) return [found];
  }
  return [];
}

/** The messages of a line, as they are read from it. */
function entriesOn(input: CopyInput, line: number): readonly FoundText<PiText>[] {
  return recordsOn(input, line).flatMap(({ text, value }: SourceRecord, part): FoundText<PiText>[] => {
    const { message, compaction } = piEntry({ value, line, part, bytes: 0 });
    const id = filledOf(value, 'id');
    if (message !== undefined) return [{ message, source: { kind: 'entry', text, id } }];
    return compaction?.summary === undefined ? [] : [{ message: compaction.summary, source: { kind: 'compaction', text, id } }];
  });
}
