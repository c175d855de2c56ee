// Text of a transcript is data of strangers. It is only ever drawn as text; here what could deceive the eye is made visible, and web
// addresses are found, so that nothing else in it ever becomes a link.

export type TextPart = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'link'; readonly text: string };

const LINK_STARTS = ['https://', 'http://', 'mailto:'] as const;
/** Longer "addresses" stay text: nobody reads them before following. */
const MAX_LINK_UNITS = 2000;
/** Characters that end an address, and those that do not belong to it at its end ("see https://x.y/z."). */
const LINK_END = new Set([' ', '\n', '\t', '\r', '<', '>', '"', "'", '`', '(', ')', '[', ']', '{', '}', '|', '\\', '^']);
const LINK_TAIL = new Set(['.', ',', ';', ':', '!', '?']);

/**
 * Shows control characters in place of obeying them: C0 as their pictures (␛), C1, direction controls and invisible tag characters as
 * their code point ([U+202E]). Line ends and tabs stay. Text without such characters comes back unchanged.
 */
export function visibleText(text: string): string {
  let out: string[] | undefined;
  let from = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.codePointAt(index) ?? 0;
    const units = code > 0xffff ? 2 : 1;
    const shown = code === 0x0d && text.charCodeAt(index + 1) === 0x0a ? undefined : stands(code);
    if (shown !== undefined) {
      out ??= [];
      out.push(text.slice(from, index), shown);
      from = index + units;
    }
    index += units - 1;
  }
  if (out === undefined) return text;
  out.push(text.slice(from));
  return out.join('');
}

/** Splits a text at its http, https and mailto addresses. The parts joined are the text again. Linear in its length. */
export function textParts(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  let seen = 0;
  for (const start of linkStarts(text)) {
    if (start < seen) continue;
    const end = linkEnd(text, start);
    // What begins inside a piece that is no address is none either, and is not looked at again.
    seen = end;
    if (end - start > MAX_LINK_UNITS || !isAddress(text.slice(start, end))) continue;
    if (start > from) parts.push({ kind: 'text', text: text.slice(from, start) });
    parts.push({ kind: 'link', text: text.slice(start, end) });
    from = end;
  }
  if (from < text.length) parts.push({ kind: 'text', text: text.slice(from) });
  return parts;
}

function* linkStarts(text: string): Generator<number> {
  const next = new Map(LINK_STARTS.map((scheme) => [scheme, text.indexOf(scheme)]));
  for (;;) {
    let first: { scheme: (typeof LINK_STARTS)[number]; at: number } | undefined;
    for (const [scheme, at] of next) if (at >= 0 && (first === undefined || at < first.at)) first = { scheme, at };
    if (first === undefined) return;
    next.set(first.scheme, text.indexOf(first.scheme, first.at + first.scheme.length));
    // "xhttps://" and "command:https://" are no addresses: the scheme must begin a word.
    if (!isWordCharacter(text.charCodeAt(first.at - 1))) yield first.at;
  }
}

function linkEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && !LINK_END.has(text.charAt(end))) end++;
  while (end > start && LINK_TAIL.has(text.charAt(end - 1))) end--;
  return end;
}

function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, hostname } = new URL(text);
  if (protocol === 'mailto:') return text.includes('@');
  // "https://bank.example@evil.example" reads as another host than it is.
  return (protocol === 'https:' || protocol === 'http:') && hostname !== '' && username === '';
}

function isWordCharacter(unit: number): boolean {
  return (
    (unit >= 0x30 && unit <= 0x39) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a) || unit === 0x3a || unit === 0x5f
  );
}

function stands(code: number): string | undefined {
  if (code === 0x09 || code === 0x0a) return undefined;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return isC1(code) || isDirection(code) || isTag(code) ? `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]` : undefined;
}

function isC1(code: number): boolean {
  return code >= 0x80 && code <= 0x9f;
}

function isDirection(code: number): boolean {
  return code === 0x061c || code === 0x200e || code === 0x200f || (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

function isTag(code: number): boolean {
  return code >= 0xe0000 && code <= 0xe007f;
}
