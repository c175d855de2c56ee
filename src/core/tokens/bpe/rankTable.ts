import { hashOf, sameBytes, TAIL_BYTES, type TextBytes } from './textBytes';

/**
 * Place in the table of the token that stands in the text from `from` to `to`, two bytes or more apart; NO_TOKEN where none does. Tokens
 * stand there in the order of their ranks, so the lowest of several places is the lowest rank, which is all that merging asks for.
 */
export type PlaceOf = (text: TextBytes, from: number, to: number) => number;

/** Answer for bytes that are no token: above every place. */
export const NO_TOKEN = 0x7fffffff;

/**
 * The file of an encoding is its table, ready for use: building it would cost ten times what reading it costs. It holds 32-bit numbers in
 * the order of the processor: MAGIC, the file's bytes, the bits of a slot's number, the slots, and the places of the tokens of two bytes by
 * those bytes. Then come the bytes of all tokens by rank, and TAIL_BYTES of nothing.
 *
 * A slot is 0, or a token's place with its length above. A token stands in the first slot that was free from the one on that the lower bits
 * of its hash name. The length tells most others of a row of slots apart and takes little room in a packed file, unlike bits of the hash.
 */
export const MAGIC = 0x32455042;
export const HEADER_NUMBERS = 3;
export const PAIRS = 1 << 16;

/** Bits of a slot for the place; the others hold the length. */
export const PLACE_BITS = 24;
const PLACE_MASK = (1 << PLACE_BITS) - 1;

/** Takes a file of `packRanks` as a table, without copying it. Undefined when it is none, or was made for another kind of processor. */
export function openRanks(file: ArrayBuffer): PlaceOf | undefined {
  if (file.byteLength < 4 * HEADER_NUMBERS) return undefined;
  const [magic, size, slotBits = 0] = new Int32Array(file, 0, HEADER_NUMBERS);
  if (magic !== MAGIC || size !== file.byteLength || slotBits < 1 || slotBits > PLACE_BITS) return undefined;
  const slotCount = 1 << slotBits;
  const tokensFrom = 4 * (HEADER_NUMBERS + slotCount + PAIRS);
  if (file.byteLength < tokensFrom + TAIL_BYTES) return undefined;
  const slots = new Int32Array(file, 4 * HEADER_NUMBERS, slotCount);
  const pairs = new Int32Array(file, 4 * (HEADER_NUMBERS + slotCount), PAIRS);
  const tokens = new DataView(file, tokensFrom);
  const slotMask = slotCount - 1;

  return (text, from, to) => {
    const length = to - from;
    if (length === 2) return pairs[((text.bytes[from] ?? 0) << 8) | (text.bytes[from + 1] ?? 0)] ?? NO_TOKEN;
    for (let slot = hashOf(text.view, from, to) & slotMask; ; slot = (slot + 1) & slotMask) {
      const entry = slots[slot] ?? 0;
      if (entry === 0) return NO_TOKEN;
      if (entry >>> PLACE_BITS !== length) continue;
      const place = entry & PLACE_MASK;
      if (sameBytes(tokens, place, text.view, from, length)) return place;
    }
  };
}
