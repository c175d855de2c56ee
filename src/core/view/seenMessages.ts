import { isTurnStart } from '../cut/turns';
import { textOf, type Message } from '../model/message';
import type { Transcript } from '../model/transcript';
import { messagesFrom } from '../transcript/laterMessages';
import { messageCount, sharedMessages } from '../transcript/lineage';
import { isPause, type Steps } from '../util/steps';
import { oneLine } from '../util/text';

const TITLE_UNITS = 80;

/**
 * What the view of a session needs of all its messages: counted once, and of a session that has grown only what is new. Look at one transcript
 * after the other; each look is in short pieces.
 */
export class SeenMessages {
  #of: Transcript | undefined;
  #count = 0;
  #turns = 0;
  #firstRequest = '';
  /** Ids that were asked for, and their rows where they were seen. */
  #rows = new Map<string, number | undefined>();

  /** Turns of the user so far. */
  get turns(): number {
    return this.#turns;
  }

  /** Beginning of the first request of the user that has text, on one line; '' when there is none. */
  get firstRequest(): string {
    return this.#firstRequest;
  }

  /** Row of a message that was asked for. */
  rowOf(id: string): number | undefined {
    return this.#rows.get(id);
  }

  /** Takes in a transcript, and finds the rows of the messages with these ids. */
  *look(transcript: Transcript, ids: readonly string[]): Steps<void> {
    yield* this.#forgetIfOther(transcript);
    const asked = new Set(ids.filter((id) => !this.#rows.has(id)));
    const found = new Map<string, number>();
    // New names may be those of messages that were seen before.
    const from = asked.size > 0 ? 0 : this.#count;
    for (const [offset, message] of messagesFrom(transcript, from).entries()) {
      if (isPause(offset)) yield;
      if (asked.has(message.id)) found.set(message.id, from + offset);
      if (from + offset !== this.#count) continue;
      if (this.#rows.has(message.id)) this.#rows.set(message.id, this.#count);
      this.#take(message);
    }
    for (const id of asked) this.#rows.set(id, found.get(id));
  }

  #take(message: Message): void {
    this.#count++;
    if (!isTurnStart(message)) return;
    this.#turns++;
    if (this.#firstRequest === '') this.#firstRequest = oneLine(textOf(message), TITLE_UNITS);
  }

  *#forgetIfOther(transcript: Transcript): Steps<void> {
    const before = this.#of;
    this.#of = transcript;
    if (before === undefined || (messageCount(transcript) >= this.#count && (yield* sharedMessages(before, transcript)) >= this.#count))
      return;
    this.#count = 0;
    this.#turns = 0;
    this.#firstRequest = '';
    this.#rows = new Map();
  }
}
