// The messages behind the summaries of a session. Those of the agent's own compactions stand in the same file, before the boundary; those of
// our copies stand in the original.
import type { Message } from '../model/message';
import type { Transcript } from '../model/transcript';
import { boundaryContexts } from './boundaryReportContexts';
import type { HistoryRecord } from './historyRecord';

/** Originals of more text than this are not summarized anew, in UTF-16 units: about two million tokens. */
export const LARGEST_ORIGINALS = 8_000_000;

/** Id of a summary → the messages that it stands for. */
export type Originals = ReadonlyMap<string, readonly Message[]>;

/**
 * Finds the originals of some summaries that a session's own boundaries tell of. An earlier summary among them is replaced by its own originals, of
 * which `known` may hold some already. A boundary with nothing before it gives nothing, nor does one with more text than is summarized anew.
 */
export function originalsInChain(transcript: Transcript, wanted: ReadonlySet<string>, known: Originals = new Map()): Originals {
  const ordinals = new Map<string, number>();
  transcript.boundaries.forEach(({ summaryId, valid }, ordinal) => {
    if (summaryId !== undefined && valid) ordinals.set(summaryId, ordinal);
  });
  const found = new Map(known);
  for (const id of wanted) {
    const ordinal = known.has(id) ? undefined : ordinals.get(id);
    const messages = ordinal === undefined ? [] : behind(transcript, { ordinal, ordinals, known });
    if (messages.length > 0) found.set(id, messages);
  }
  return found;
}

interface Chain {
  readonly ordinal: number;
  /** Id of a summary → ordinal of its boundary. */
  readonly ordinals: ReadonlyMap<string, number>;
  readonly known: Originals;
}

/** What stood before a boundary and did not stay, in order; empty where it is too much. */
function behind(transcript: Transcript, { ordinal, ordinals, known }: Chain): readonly Message[] {
  const list: Message[] = [];
  let room = LARGEST_ORIGINALS;
  const collect = (at: number): void => {
    for (const index of boundaryContexts(transcript, at)?.left ?? []) {
      if (room < 0) return;
      const message = transcript.messages[index];
      if (message === undefined) continue;
      const earlier = message.kind === 'summary' ? ordinals.get(message.id) : undefined;
      const originals = known.get(message.id);
      if (originals === undefined && earlier !== undefined && earlier < at) collect(earlier);
      else {
        const own = originals ?? [message];
        room -= textUnits(own, room);
        list.push(...own);
      }
    }
  };
  collect(ordinal);
  return room < 0 ? [] : [...new Set(list)];
}

/**
 * The messages that a record's summary stands for, out of the original's transcript, with earlier summaries replaced by what is `known` of them;
 * undefined when one of them is not there.
 */
export function originalsOfRecord(
  { summarizedIds }: HistoryRecord,
  { messages }: Transcript,
  known: Originals,
): readonly Message[] | undefined {
  const wanted = new Set(summarizedIds);
  const byId = new Map<string, Message>();
  for (const message of messages) if (wanted.has(message.id) && !byId.has(message.id)) byId.set(message.id, message);
  if (summarizedIds.length === 0 || byId.size !== wanted.size) return undefined;
  return expanded(
    summarizedIds.flatMap((id) => byId.get(id) ?? []),
    known,
  ).map(elsewhere);
}

/** Ids such as `line:7` name another message in another file, so those of the original are told apart. */
function elsewhere(message: Message): Message {
  return message.id.startsWith(ELSEWHERE) ? message : { ...message, id: `${ELSEWHERE}${message.id}` };
}

const ELSEWHERE = 'original:';

/** True when a message is the one in which a record's summary stands, word for word. */
export function carriesSummary({ summaryId, summary }: HistoryRecord, message: Message): boolean {
  return summaryId !== null && summary !== '' && message.id === summaryId && textsOf(message).includes(summary);
}

/** Units of text of some messages; the count stops soon after `most`. */
export function textUnits(messages: readonly Message[], most: number): number {
  let units = 0;
  for (const { content } of messages) {
    for (const block of content) {
      if (block.type === 'text' || block.type === 'thinking') units += block.text.length;
      else if (block.type === 'toolUse') units += block.rawInput?.length ?? JSON.stringify(block.input ?? null).length;
      else if (block.type === 'toolResult')
        units += typeof block.content === 'string' ? block.content.length : JSON.stringify(block.content).length;
    }
    if (units > most) return units;
  }
  return units;
}

/** Messages with the originals in the place of summaries, each message once. */
function expanded(messages: readonly Message[], known: Originals): readonly Message[] {
  const seen = new Set<Message>();
  return messages
    .flatMap((message) => (message.kind === 'summary' ? (known.get(message.id) ?? message) : message))
    .filter((message) => !seen.has(message) && seen.add(message));
}

function textsOf({ content }: Message): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}
