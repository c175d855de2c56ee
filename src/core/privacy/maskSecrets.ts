// Finds likely secrets in text and puts a mark in their place, before anything leaves the machine.
import { SECRET_SHAPES, type SecretKind } from './secretShapes';

export type { SecretKind } from './secretShapes';

export interface FoundSecret {
  readonly kind: SecretKind;
  /** Place in the text as it was, in UTF-16 units. */
  readonly start: number;
  readonly length: number;
}

export interface MaskedText {
  readonly text: string;
  /** In order of their places; never more than one over a place. */
  readonly secrets: readonly FoundSecret[];
}

/** What stands in the place of a secret. */
export const SECRET_MARK = '[secret]';

/** Masks the secrets of a text; a text without any comes back as it is. Linear. Masking twice is masking once. */
export function maskSecrets(text: string): MaskedText {
  const secrets = withoutOverlaps(secretsIn(text));
  if (secrets.length === 0) return { text, secrets };
  let masked = '';
  let from = 0;
  for (const { start, length } of secrets) {
    masked += text.slice(from, start) + SECRET_MARK;
    from = start + length;
  }
  return { text: masked + text.slice(from), secrets };
}

function secretsIn(text: string): FoundSecret[] {
  if (text.length < SHORTEST) return [];
  const small = text.toLowerCase();
  const found: FoundSecret[] = [];
  for (const { kind, hints, pattern, isSecret } of SECRET_SHAPES) {
    if (!hints.some((hint) => small.includes(hint))) continue;
    for (const match of text.matchAll(pattern)) {
      const secret = match.groups?.['s'] ?? match[0];
      if (isSecret?.(secret, match[0], text.slice(Math.max(0, match.index - BEFORE), match.index)) === false) continue;
      // The group is the last part of its match, or the part in front of one closing sign.
      const start = match.index + match[0].lastIndexOf(secret);
      found.push({ kind, start, length: secret.length });
    }
  }
  return found;
}

/** In order; of secrets over the same place the one that begins first, joined with what overlaps it. */
function withoutOverlaps(found: readonly FoundSecret[]): readonly FoundSecret[] {
  const ordered = found.toSorted((a, b) => a.start - b.start || b.length - a.length);
  const kept: FoundSecret[] = [];
  for (const secret of ordered) {
    const last = kept.at(-1);
    const end = last === undefined ? 0 : last.start + last.length;
    if (last === undefined || secret.start >= end) kept.push(secret);
    else if (secret.start + secret.length > end) kept[kept.length - 1] = { ...last, length: secret.start + secret.length - last.start };
  }
  return kept;
}

/** Longest beginning of a name that is looked at. */
const BEFORE = 60;
/** Nothing shorter is a secret with its sign. */
const SHORTEST = 8;
