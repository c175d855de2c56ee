import type { Message } from '../model/message';
import type { Transcript } from '../model/transcript';
import { isPause, type Steps } from '../util/steps';

/** What a transcript of a growing session shares with those before and after it. */
export interface Lineage {
  /** The same for all transcripts of one session that only grew: of two of them the shorter one's messages are the first of the longer one. */
  readonly of: object;
  readonly count: number;
  at(index: number): Message | undefined;
}

const lineages = new WeakMap<Transcript, Lineage>();

/** Notes what a transcript is one of; answers the transcript. */
export function withLineage(transcript: Transcript, lineage: Lineage): Transcript {
  lineages.set(transcript, lineage);
  return transcript;
}

/** Number of messages; of a session that grew without making the list of them. */
export function messageCount(transcript: Transcript): number {
  return lineages.get(transcript)?.count ?? transcript.messages.length;
}

/** One message; of a session that grew without making the list of all. */
export function messageAt(transcript: Transcript, index: number): Message | undefined {
  const lineage = lineages.get(transcript);
  return lineage === undefined ? transcript.messages[index] : lineage.at(index);
}

/** How many messages at the beginning of two transcripts are known to be the same objects without looking at them; undefined when not known. */
export function knownShared(a: Transcript, b: Transcript): number | undefined {
  if (a === b) return messageCount(a);
  const [one, two] = [lineages.get(a), lineages.get(b)];
  return one !== undefined && one.of === two?.of ? Math.min(one.count, two.count) : undefined;
}

/** How many messages at the beginning of two transcripts are the same objects. */
export function* sharedMessages(a: Transcript, b: Transcript): Steps<number> {
  const known = knownShared(a, b);
  if (known !== undefined) return known;
  const [one, two] = [a.messages, b.messages];
  const shorter = Math.min(one.length, two.length);
  for (let index = 0; index < shorter; index++) {
    if (isPause(index)) yield;
    if (one[index] !== two[index]) return index;
  }
  return shorter;
}
