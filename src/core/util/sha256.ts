// SHA-256 (FIPS 180-4) for proofs of content. The core has no crypto of the platform; this is for names and comparisons, not for secrets.

/** Digest of bytes, or of the UTF-8 bytes of a text, as 64 lower-case hexadecimal digits. */
export function sha256Hex(content: string | Uint8Array): string {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const state = Uint32Array.from(fractions(8, 1 / 2));
  const schedule = new Uint32Array(64);
  const whole = bytes.length - (bytes.length % BLOCK);
  for (let at = 0; at < whole; at += BLOCK) digestBlock(state, schedule, bytes, at);
  const rest = padded(bytes.subarray(whole), bytes.length);
  for (let at = 0; at < rest.length; at += BLOCK) digestBlock(state, schedule, rest, at);
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('');
}

const BLOCK = 64;
const WORD = 2 ** 32;

/** The end of the content: a set bit, zeros, and the length in bits, up to a whole block. */
function padded(end: Uint8Array, length: number): Uint8Array {
  const bytes = new Uint8Array(end.length + 9 <= BLOCK ? BLOCK : BLOCK * 2);
  bytes.set(end);
  bytes[end.length] = 0x80;
  const bits = new DataView(bytes.buffer);
  bits.setUint32(bytes.length - 8, Math.floor(length / (WORD / 8)));
  bits.setUint32(bytes.length - 4, (length * 8) % WORD);
  return bytes;
}

function digestBlock(state: Uint32Array, schedule: Uint32Array, bytes: Uint8Array, start: number): void {
  const block = new DataView(bytes.buffer, bytes.byteOffset + start, BLOCK);
  for (let i = 0; i < 64; i++) schedule[i] = i < 16 ? block.getUint32(i * 4) : expanded(schedule, i);
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) {
    const choice = (e & f) ^ (~e & g);
    const first = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + choice + (CONSTANTS[i] ?? 0) + (schedule[i] ?? 0)) >>> 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + majority) >>> 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) >>> 0, c, b, a, (first + second) >>> 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] = (state[i] ?? 0) + word));
}

function expanded(schedule: Uint32Array, i: number): number {
  const early = schedule[i - 15] ?? 0;
  const late = schedule[i - 2] ?? 0;
  const mixedEarly = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
  const mixedLate = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
  return (schedule[i - 16] ?? 0) + mixedEarly + (schedule[i - 7] ?? 0) + mixedLate;
}

function turned(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

/** First 32 bits of the fractions of roots of the first primes: the standard's constants, computed instead of typed. */
function fractions(count: number, exponent: number): readonly number[] {
  const found: number[] = [];
  const primes: number[] = [];
  for (let candidate = 2; found.length < count; candidate++) {
    if (primes.some((prime) => candidate % prime === 0)) continue;
    primes.push(candidate);
    found.push(Math.floor((candidate ** exponent % 1) * WORD));
  }
  return found;
}

const CONSTANTS = Uint32Array.from(fractions(64, 1 / 3));
