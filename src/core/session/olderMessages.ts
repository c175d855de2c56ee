import type { Message } from '../model/message';
import type { Transcript } from '../model/transcript';
import { messageBytes } from '../tokens/charHeuristic';
import { MEDIA_TOKENS_PER_BLOCK } from '../tokens/messageTokens';
import { isUnseen } from '../tokens/sessionSteps';
import { messagesFrom } from '../transcript/laterMessages';
import { sharedMessages } from '../transcript/lineage';
import { isPause, type Steps } from '../util/steps';
import { largestPrompt } from './inspection';

/** About what a tokenizer makes of code and prose. */
const BYTES_PER_TOKEN = 4;

/** What is kept of the messages of a long session that are in no context any more: a size by their length, made once. */
export class OlderMessages {
  #sizes: number[] = [];
  #of: Transcript | undefined;
  #largestPrompt = 0;
  #prompted = 0;
  #largest = 0;

  /** Estimates of the messages so far, in tokens. The list grows, and what stands in it does not change. */
  get sizes(): readonly number[] {
    return this.#sizes;
  }

  /** Largest prompt that was reported before a message. */
  *largestPromptBefore(transcript: Transcript, from: number): Steps<number> {
    yield* this.#forgetIfOther(transcript);
    for (const [index, message] of messagesFrom(transcript, this.#prompted).entries()) {
      if (isPause(index)) yield;
      if (this.#prompted === from) break;
      this.#prompted++;
      this.#largestPrompt = Math.max(this.#largestPrompt, largestPrompt([message]));
    }
    return this.#largestPrompt;
  }

  /** Sizes the messages before one that have no size yet. */
  *size(transcript: Transcript, from: number, scale: number): Steps<void> {
    for (const [index, message] of messagesFrom(transcript, this.#sizes.length).entries()) {
      if (isPause(index)) yield;
      if (this.#sizes.length === from) break;
      const size = isUnseen(message) ? 0 : Math.trunc(roughTokens(message) * scale);
      this.#sizes.push(size);
      this.#largest = Math.max(this.#largest, size);
    }
  }

  /** Largest size of a message before one. */
  largestBefore(from: number): number {
    return from >= this.#sizes.length ? this.#largest : this.#sizes.slice(0, from).reduce((most, size) => Math.max(most, size), 0);
  }

  /** A file that was written anew has other messages, and so has a session that was rewound far. */
  *#forgetIfOther(transcript: Transcript): Steps<void> {
    const before = this.#of;
    this.#of = transcript;
    const taken = Math.max(this.#sizes.length, this.#prompted);
    if (before === undefined || (yield* sharedMessages(before, transcript)) >= taken) return;
    this.#sizes = [];
    this.#largest = 0;
    this.#largestPrompt = 0;
    this.#prompted = 0;
  }
}

/** By length alone, and without keeping anything for later. */
function roughTokens(message: Message): number {
  const { bytes, media } = messageBytes(message);
  return bytes / BYTES_PER_TOKEN + media * MEDIA_TOKENS_PER_BLOCK;
}
