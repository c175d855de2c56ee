// The only place that measures and cuts text. Bytes are UTF-8, units are UTF-16; every cut falls between two code points (R38).

/** Length in UTF-8 bytes. A lone surrogate counts 3, as the replacement character that is written for it. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  // Most text of a transcript is ASCII, and a regular expression finds the end of that ten times faster than a loop.
  const start = text.search(NOT_ASCII);
  if (start < 0) return bytes;
  for (let i = start; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if (isPairAt(text, i)) {
      bytes += 2;
      i++;
    } else bytes += 2;
  }
  return bytes;
}

const NOT_ASCII = /[^\u0000-\u007f]/;

const LONE_SURROGATE = /\p{Cs}/u;
const LONE_SURROGATES = /\p{Cs}/gu;

/** True when no surrogate stands alone. */
export function isWellFormed(text: string): boolean {
  return !LONE_SURROGATE.test(text);
}

/** Replaces every lone surrogate by U+FFFD. */
export function toWellFormed(text: string): string {
  return text.replace(LONE_SURROGATES, '\uFFFD');
}

/** Longest prefix of whole code points that takes at most `maxBytes` UTF-8 bytes; '' for a limit of 0 or less. */
export function cutToBytes(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  let bytes = 0;
  let i = 0;
  while (i < text.length) {
    const unit = text.charCodeAt(i);
    const units = isPairAt(text, i) ? 2 : 1;
    const size = units === 2 ? 4 : unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
    if (!(bytes + size <= maxBytes)) return text.slice(0, i);
    bytes += size;
    i += units;
  }
  return text;
}

/** Longest prefix of whole code points that takes at most `maxUnits` UTF-16 units; '' for a limit of 0 or less. */
export function cutToUnits(text: string, maxUnits: number): string {
  if (text.length <= maxUnits) return text;
  if (!(maxUnits >= 1)) return '';
  const end = Math.trunc(maxUnits);
  return text.slice(0, isPairAt(text, end - 1) ? end - 1 : end);
}

/**
 * Makes text harmless for terminals, tooltips and output channels (R56): what controls a terminal (C0 but newline and tab, DEL, C1) or the
 * reading direction is replaced by a visible sign, so an escape sequence is seen and not obeyed. CRLF becomes a newline.
 */
export function plainText(text: string): string {
  if (!ACTIVE.test(text)) return text;
  return text.replace(CRLF, '\n').replace(ACTIVES, visibleSign);
}

/** One line of at most `maxUnits` UTF-16 units, for lists: runs of white space become one space, and '…' marks a cut. */
export function oneLine(text: string, maxUnits: number): string {
  // Control signs may take eight units for one, so a bounded piece of the text is enough; the rest of a megabyte is never looked at.
  const start = text.trimStart();
  const piece = cutToUnits(start, maxUnits * 4 + 16);
  const line = plainText(piece.replace(SPACES, ' ').trimEnd());
  if (line.length <= maxUnits && piece.length === start.length) return line;
  return `${cutToUnits(line, maxUnits - 1).trimEnd()}…`;
}

const SPACES = /\s+/gu;
const CRLF = /\r\n/g;
// C0 without \t and \n, DEL, C1, and the direction controls of Unicode (Bidi_Control and the deprecated format characters).
const ACTIVE = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u206F]/;
const ACTIVES = new RegExp(ACTIVE, 'g');
const CONTROL_PICTURES = 0x2400;
const DELETE = 0x7f;

function visibleSign(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(CONTROL_PICTURES + code);
  if (code === DELETE) return '\u2421';
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}

/** True when the units at `i` and `i + 1` form one code point. */
function isPairAt(text: string, i: number): boolean {
  const high = text.charCodeAt(i);
  if (high < 0xd800 || high > 0xdbff) return false;
  const low = text.charCodeAt(i + 1);
  return low >= 0xdc00 && low <= 0xdfff;
}
