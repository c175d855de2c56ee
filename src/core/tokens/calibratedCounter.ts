import type { TokenCounter } from '../ports/tokenCounter';
import { utf8Length } from '../util/text';

const DEFAULT_CHARS_PER_TOKEN = 4;

/** Counts text by a ratio of UTF-16 units to tokens that is learned from observed sums (seed 2 CalibratedCounter). */
export class CalibratedCounter implements TokenCounter {
  readonly id = 'calibrated';
  readonly #default: number;
  #chars = 0;
  #tokens = 0;

  /** A ratio that is not a positive number means 4. */
  constructor(charsPerToken: number = DEFAULT_CHARS_PER_TOKEN) {
    this.#default = charsPerToken > 0 && Number.isFinite(charsPerToken) ? charsPerToken : DEFAULT_CHARS_PER_TOKEN;
  }

  /** Takes in one observation; one without positive finite numbers is ignored. The starting ratio has no weight once there is one. */
  observe(chars: number, tokens: number): void {
    if (!(chars > 0 && tokens > 0 && Number.isFinite(chars) && Number.isFinite(tokens))) return;
    this.#chars += chars;
    this.#tokens += tokens;
  }

  get charsPerToken(): number {
    return this.#tokens > 0 ? this.#chars / this.#tokens : this.#default;
  }

  count(text: string): number {
    return Math.trunc(text.length / this.charsPerToken);
  }
}

/** Counts a token for every four UTF-8 bytes, where no tokenizer can be loaded (seed 2's fallback). */
export const BYTES_PER_FOUR: TokenCounter = { id: 'bytes/4', count: (text) => Math.floor(utf8Length(text) / 4) };
