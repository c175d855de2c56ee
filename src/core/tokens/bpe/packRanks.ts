import { HEADER_NUMBERS, MAGIC, NO_TOKEN, PAIRS, PLACE_BITS } from './rankTable';
import { hashOf, TAIL_BYTES } from './textBytes';

/** Share of the slots that may be taken. */
const FILL = 0.8;
const LONGEST_TOKEN = 2 ** (32 - PLACE_BITS) - 1;

/** Makes the file that `openRanks` takes out of an encoding's tokens in the order of their ranks. Runs when the product is built. */
export function packRanks(tokens: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const slotBits = Math.max(1, Math.ceil(Math.log2(tokens.length / FILL)));
  const slotCount = 1 << slotBits;
  const tokensFrom = 4 * (HEADER_NUMBERS + slotCount + PAIRS);
  const size = tokens.reduce((sum, token) => sum + token.length, 0);
  if (size >= 1 << PLACE_BITS) throw new RangeError(`Tokens of ${size} bytes are more than a place can say.`);
  const file = new Uint8Array(tokensFrom + size + TAIL_BYTES);
  new Int32Array(file.buffer, 0, HEADER_NUMBERS).set([MAGIC, file.length, slotBits]);
  const slots = new Int32Array(file.buffer, 4 * HEADER_NUMBERS, slotCount);
  const pairs = new Int32Array(file.buffer, 4 * (HEADER_NUMBERS + slotCount), PAIRS).fill(NO_TOKEN);
  const view = new DataView(file.buffer, tokensFrom);
  let place = 0;
  for (const token of tokens) {
    if (token.length === 0 || token.length > LONGEST_TOKEN)
      throw new RangeError(`A slot cannot say that a token has ${token.length} bytes.`);
    file.set(token, tokensFrom + place);
    if (token.length === 2) pairs[((token[0] ?? 0) << 8) | (token[1] ?? 0)] = place;
    else if (token.length > 2) {
      let slot = hashOf(view, place, place + token.length) & (slotCount - 1);
      while (slots[slot] !== 0) slot = (slot + 1) & (slotCount - 1);
      slots[slot] = (token.length << PLACE_BITS) | place;
    }
    place += token.length;
  }
  return file;
}
