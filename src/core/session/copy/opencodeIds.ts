import type { CopyInput } from './copyInput';

/** What fits into the twelve hex digits of an id. */
const WRAP = 2 ** 48;
const PER_MS = 4096;

/**
 * Ids and times of the messages of an opencode copy. The agent makes ids of the time in twelve hex digits and of random digits, and takes a
 * larger id for a later message; so ours are those of the last moments before the copy is made.
 */
export class OpencodeIds {
  readonly #now: number;
  readonly #count: number;
  readonly #random: string;

  constructor({ now, ids }: Pick<CopyInput, 'now' | 'ids'>, count: number) {
    this.#now = Date.parse(now);
    this.#count = count;
    this.#random = ids.uuid().replaceAll('-', '').slice(-14);
  }

  /** Id of the message at a place. */
  message(at: number): string {
    return `msg_${this.#digits(at, 0)}`;
  }

  /** Id of the n-th part of the message at a place. */
  part(at: number, nth: number): string {
    return `prt_${this.#digits(at, nth + 1)}`;
  }

  /** Times in ms that ascend by 1 at least and end before the copy is made, as near to the given ones as that allows. */
  times(created: readonly (number | undefined)[]): readonly number[] {
    let last = 0;
    const ascending = created.map((time) => (last = Math.max(Math.trunc(time ?? 0), last + 1)));
    return ascending.map((time, at) => Math.min(time, this.#now - this.#count + at));
  }

  #digits(at: number, nth: number): string {
    const moment = ((this.#now - this.#count + at) * PER_MS + nth) % WRAP;
    return moment.toString(16).padStart(12, '0') + this.#random;
  }
}
