import type { ContentBlock, Message } from '../../core/model/message';
import { StoredBlock } from '../../core/model/storedBlock';
import type { TokenCounter } from '../../core/ports/tokenCounter';
import { visitBlock } from '../../core/tokens/blockText';
import type { Disposable } from '../../core/util/disposable';

/** Work between two moments in which requests are answered, in milliseconds. */
const SLICE_MS = 8;
/** New counts are told at this distance, so that the numbers settle while a long context is counted. */
const TELL_MS = 1000;

/** A counter that can be interrupted within one text. */
interface SlicingCounter extends TokenCounter {
  countSlices(text: string): Generator<number, number, void>;
}

/**
 * The exact counts of a large session's messages, made in the background: first those that are in the context, the newest of them first. Until
 * a message is counted its size is estimated by its length.
 */
export class MessageCounts implements Disposable {
  readonly #counter: TokenCounter;
  readonly #tell: () => void;
  readonly #counted = new WeakSet<Message>();
  #waiting: Message[] = [];
  #isRunning = false;
  #isGone = false;

  /** `tell` is called when messages were counted: now and then, and at the end. */
  constructor(counter: TokenCounter, tell: () => void) {
    this.#counter = counter;
    this.#tell = tell;
  }

  readonly isCounted = (message: Message): boolean => this.#counted.has(message);

  /** Counts these messages before all others, the last one first. Those that are counted already cost nothing. */
  want(messages: readonly Message[]): void {
    this.#waiting = messages.filter((message) => !this.#counted.has(message));
    if (this.#waiting.length === 0 || this.#isRunning || this.#isGone) return;
    this.#isRunning = true;
    void this.#run().finally(() => (this.#isRunning = false));
  }

  dispose(): void {
    this.#isGone = true;
    this.#waiting = [];
  }

  async #run(): Promise<void> {
    let told = performance.now();
    let since = performance.now();
    let isNew = false;
    const rest = async (): Promise<void> => {
      if (performance.now() - since < SLICE_MS) return;
      await new Promise((resolve) => setImmediate(resolve));
      since = performance.now();
    };
    for (let message = this.#waiting.pop(); message !== undefined; message = this.#waiting.pop()) {
      for (const block of message.content) {
        // A file that was changed meanwhile is read anew, and its messages are others.
        if (!(await this.#count(block, rest).catch(() => false))) return;
      }
      this.#counted.add(message);
      isNew = true;
      await rest();
      if (performance.now() - told < TELL_MS) continue;
      told = performance.now();
      isNew = false;
      if (!this.#isGone) this.#tell();
    }
    if (isNew && !this.#isGone) this.#tell();
  }

  /** Notes the count of a block whose text stays in the file; texts in memory are short. False when the session was closed. */
  async #count(block: ContentBlock, rest: () => Promise<void>): Promise<boolean> {
    if (StoredBlock.sizeOf(block) === undefined || StoredBlock.countOf(block)?.counter === this.#counter.id) return !this.#isGone;
    const texts: string[] = [];
    visitBlock(
      block,
      (text) => texts.push(text),
      () => undefined,
    );
    let tokens = 0;
    let chars = 0;
    for (const text of texts) {
      chars += text.length;
      if (isSlicing(this.#counter)) {
        const slices = this.#counter.countSlices(text);
        let slice = slices.next();
        for (; slice.done !== true; slice = slices.next()) {
          await rest();
          if (this.#isGone) return false;
        }
        tokens += slice.value;
      } else if (text !== '') tokens += this.#counter.count(text);
    }
    StoredBlock.note(block, { counter: this.#counter.id, tokens, chars });
    return !this.#isGone;
  }
}

function isSlicing(counter: TokenCounter): counter is SlicingCounter {
  return 'countSlices' in counter;
}
