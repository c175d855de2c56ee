import { HEADER_NUMBERS, MAGIC, NO_TOKEN, PAIRS, PLACE_MASK } from './rankTable';
import { hashOf, TAIL_BYTES } from './textBytes';

/** Share of the slots that may be taken: a look-up then meets two or three of them, side by side. */
const FILL = 0.8;

/** Makes the file that `openRanks` takes out of an encoding's tokens in the order of their ranks. Runs when the product is built. */
export function packRanks(tokens: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const slotBits = Math.max(1, Math.ceil(Math.log2(tokens.length / FILL)));
  const slotCount = 1 << slotBits;
  const tokensFrom = 4 * (HEADER_NUMBERS + slotCount + PAIRS);
  const size = tokens.reduce((sum, token) => sum + 1 + token.length, 0);
  if (size > PLACE_MASK) throw new RangeError(`Tokens of ${size} bytes are more than a place can say.`);
  const file = new Uint8Array(tokensFrom + size + TAIL_BYTES);
  new Int32Array(file.buffer, 0, HEADER_NUMBERS).set([MAGIC, file.length, slotBits]);
  const slots = new Int32Array(file.buffer, 4 * HEADER_NUMBERS, slotCount);
  const pairs = new Int32Array(file.buffer, 4 * (HEADER_NUMBERS + slotCount), PAIRS).fill(NO_TOKEN);
  const bytes = file.subarray(tokensFrom);
  const view = new DataView(file.buffer, tokensFrom);
  let place = 1;
  for (const token of tokens) {
    if (token.length === 0 || token.length > 255) throw new RangeError(`A token of ${token.length} bytes has no place in the file.`);
    bytes[place - 1] = token.length;
    bytes.set(token, place);
    if (token.length === 2) pairs[((token[0] ?? 0) << 8) | (token[1] ?? 0)] = place;
    else if (token.length > 2) {
      const hash = hashOf(view, place, place + token.length);
      let slot = hash & (slotCount - 1);
      while (slots[slot] !== 0) slot = (slot + 1) & (slotCount - 1);
      slots[slot] = (hash & ~PLACE_MASK) | place;
    }
    place += token.length + 1;
  }
  return file;
}
