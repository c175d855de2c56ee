import type { Message } from '../model/message';
import type { Transcript } from '../model/transcript';

/** Messages of transcripts from an index on, where the whole list was not asked for yet. */
const newest = new WeakMap<Transcript, (from: number) => readonly Message[]>();

/**
 * A transcript whose list of messages is made when it is asked for: after each line that is appended to a session of hundreds of thousands of
 * them, only the newest are. `from` gives the messages from an index on, the same ones at any later time.
 */
export function withLazyMessages(rest: Omit<Transcript, 'messages'>, from: (index: number) => readonly Message[]): Transcript {
  let all: readonly Message[] | undefined;
  const transcript: Transcript = {
    ...rest,
    get messages() {
      all ??= from(0);
      return all;
    },
  };
  newest.set(transcript, from);
  return transcript;
}

/** A transcript that is another one and some messages behind it. */
export function withLaterMessages(grown: Omit<Transcript, 'messages'>, before: readonly Message[], later: readonly Message[]): Transcript {
  return withLazyMessages(grown, (from) => {
    return from < before.length ? before.slice(from).concat(later) : later.slice(from - before.length);
  });
}

/** The messages of a transcript from an index on. */
export function messagesFrom(transcript: Transcript, from: number): readonly Message[] {
  return newest.get(transcript)?.(from) ?? transcript.messages.slice(from);
}
