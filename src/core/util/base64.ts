const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const SHAPE = /^[A-Za-z0-9+/]*={0,2}$/;

/** Writes bytes as standard base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(i, i + 3);
    const group = (a << 16) | (b << 8) | c;
    const have = bytes.length - i;
    text += sign(group >> 18) + sign(group >> 12) + (have > 1 ? sign(group >> 6) : '=') + (have > 2 ? sign(group) : '=');
  }
  return text;
}

/** Reads standard base64; undefined unless it is exactly what `toBase64` writes for the same bytes. */
export function fromBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0 || !SHAPE.test(text)) return undefined;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  for (let i = 0, at = 0; i < text.length; i += 4) {
    let group = 0;
    for (let k = 0; k < 4; k += 1) group = (group << 6) | Math.max(0, ALPHABET.indexOf(text.charAt(i + k)));
    for (let shift = 16; shift >= 0 && at < bytes.length; shift -= 8, at += 1) bytes[at] = (group >> shift) & 0xff;
  }
  // Bits beside the last byte must be 0, so that one value has one spelling.
  return toBase64(bytes) === text ? bytes : undefined;
}

function sign(bits: number): string {
  return ALPHABET.charAt(bits & 63);
}
