import type { Message } from '../model/message';
import { clamp } from '../util/clamp';
import { present } from '../util/present';
import { forEachAnswer } from './answers';
import { isRequestLayout } from './requestLayout';

export interface CutOptions {
  /**
   * Refuse to cut a list that breaks the form of an Anthropic request (seed 2): unknown roles, ids that are empty or used twice at once, calls
   * or results in the wrong role. Without it such lists are cut too, and what shares an id is kept together.
   */
  readonly strictLayout?: boolean;
}

/** Places where a list of messages may be cut, computed once in linear time; each question then costs one look-up. */
export interface CutMap {
  /** Number of messages. */
  readonly length: number;
  /** See `safeTailStart`. */
  readonly tailStart: (start: number) => number;
  /** See `safeHeadEnd`. */
  readonly headEnd: (end: number) => number;
  /** See `safePartialHeadEnd`. */
  readonly partialHeadEnd: (end: number) => number;
  /** True when the list may be cut before `index` and the part from there on does not open with a tool result. */
  readonly isTailStart: (index: number) => boolean;
}

/**
 * Moves the start of a kept tail to where nothing is torn (seed 2 AdjustIndexToPreserveAPIInvariants): back to the call whose result would
 * open the tail and to the first fragment of a response, until both hold, then forward over results whose call is nowhere. The index is
 * clamped to [0, n] first; 0 stays 0.
 */
export function safeTailStart(messages: readonly Message[], start: number, options?: CutOptions): number {
  return cutMap(messages, options).tailStart(start);
}

/**
 * Moves the end of a kept head forward to the last result of each call in it (seed 2 AdjustHeadEndToPreserveAPIInvariants). A call that was
 * never answered moves nothing. Clamped to [0, n] first.
 */
export function safeHeadEnd(messages: readonly Message[], end: number, options?: CutOptions): number {
  return cutMap(messages, options).headEnd(end);
}

/** Like `safeHeadEnd`, and fragments of one response stay together too (seed 2 AdjustHeadEndToPreservePartialInvariants). */
export function safePartialHeadEnd(messages: readonly Message[], end: number, options?: CutOptions): number {
  return cutMap(messages, options).partialHeadEnd(end);
}

/** Computes where a list may be cut; for many questions about one list (R01-R03). */
export function cutMap(messages: readonly Message[], options: CutOptions = {}): CutMap {
  const n = messages.length;
  const pairs = new Stretches(n);
  const all = new Stretches(n);
  const opensOnResult = new Array<boolean>(n).fill(false);
  forEachAnswer(messages, (block, index, call) => {
    if (call !== undefined) {
      pairs.add(call.index, index);
      all.add(call.index, index);
    }
    // A result of the provider's own tools stands in the assistant's message, after its call.
    if (block.server !== true || call?.index !== index) opensOnResult[index] = true;
  });
  const firstFragment = new Map<string, number>();
  messages.forEach(({ role, messageId }, index) => {
    if (role !== 'assistant' || messageId === undefined || messageId === '') return;
    const first = firstFragment.get(messageId);
    if (first === undefined) firstFragment.set(messageId, index);
    else all.add(first, index);
  });
  const isWhole = all.cuts();
  const unsupported = options.strictLayout === true && !isRequestLayout(messages);
  const starts = isWhole.map((is, index) => Number(is === 1 && opensOnResult[index] !== true));
  const back = scanBack(isWhole);
  const forward = scanForward(starts);
  const forwardPairs = scanForward(pairs.cuts());
  const forwardAll = scanForward(isWhole);
  const at = (index: number): number => clamp(Math.trunc(index), 0, n);
  return {
    length: n,
    tailStart: (start) => {
      const whole = unsupported ? 0 : present(back[at(start)]);
      return whole === 0 ? 0 : present(forward[whole]);
    },
    headEnd: (end) => (unsupported ? n : present(forwardPairs[at(end)])),
    partialHeadEnd: (end) => (unsupported && at(end) > 0 ? n : present(forwardAll[at(end)])),
    isTailStart: (index) => starts[index] === 1,
  };
}

/** Stretches [first, last] of a list that must not be cut inside. */
class Stretches {
  /** Change of the number of open stretches at each cut position. */
  readonly #changes: Int32Array;

  constructor(length: number) {
    this.#changes = new Int32Array(length + 2);
  }

  add(first: number, last: number): void {
    if (last <= first) return;
    this.#changes[first + 1] = present(this.#changes[first + 1]) + 1;
    this.#changes[last + 1] = present(this.#changes[last + 1]) - 1;
  }

  /** For each position 0 … n: 1 when no stretch is open there, else 0. */
  cuts(): Uint8Array {
    const cuts = new Uint8Array(this.#changes.length - 1);
    let open = 0;
    for (let position = 0; position < cuts.length; position++) {
      open += present(this.#changes[position]);
      if (open === 0) cuts[position] = 1;
    }
    return cuts;
  }
}

/** For each position the nearest allowed one at or before it; 0 when there is none. */
function scanBack(allowed: Uint8Array): Int32Array {
  const nearest = new Int32Array(allowed.length);
  let last = 0;
  for (let position = 0; position < allowed.length; position++) {
    if (allowed[position] === 1) last = position;
    nearest[position] = last;
  }
  return nearest;
}

/** For each position the nearest allowed one at or after it; the last position when there is none. */
function scanForward(allowed: Uint8Array): Int32Array {
  const nearest = new Int32Array(allowed.length);
  let next = allowed.length - 1;
  for (let position = next; position >= 0; position--) {
    if (allowed[position] === 1) next = position;
    nearest[position] = next;
  }
  return nearest;
}
