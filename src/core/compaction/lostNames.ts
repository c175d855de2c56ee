// Names in running text: addresses, paths, identifiers and numbers that nobody could guess again.

import { lostTokens, measureOf, withoutEnd } from './lostTokens';

export type NameKind = 'url' | 'file' | 'identifier' | 'number';

export interface FoundName {
  readonly name: string;
  readonly kind: NameKind;
}

/** Names of a text in order. Linear. */
export function namesIn(text: string): readonly FoundName[] {
  const found: FoundName[] = [];
  const note = (name: string, kind: NameKind | undefined): void => {
    if (kind !== undefined) found.push({ name, kind });
  };
  for (const { kind, text: token } of lostTokens(text)) {
    if (token.length > MAX_NAME) continue;
    if (kind === 'url') note(token, 'url');
    else if (kind === 'number') note(token, isMeasured(token) || isTelling(token) ? 'number' : undefined);
    else {
      for (const piece of token.split(/[=,;|&]+|:(?=\s|$)/)) {
        const name = withoutEnd(piece.replace(/^[^\p{L}\p{N}_$~/.@#-]+/u, '')).replace(/^-+/, '');
        note(name, nameKind(name));
      }
    }
  }
  return found;
}

function isMeasured(number: string): boolean {
  const measure = measureOf(number);
  return measure !== undefined && !measure.endsWith('%');
}

/** A number that nobody could guess again: of two figures or more. */
function isTelling(number: string): boolean {
  return /\d{2}|\d[.,:]\d/.test(number);
}

/** What a token names; undefined for plain words, list numbers and signs. */
function nameKind(name: string): NameKind | undefined {
  if (name.length < 2) return undefined;
  if (/^https?:\/\//i.test(name)) return 'url';
  if (NUMBER.test(name)) return isTelling(name) ? 'number' : undefined;
  if (isPath(name)) return 'file';
  return isIdentifier(name) ? 'identifier' : undefined;
}

/** A path that is rooted or ends in a file's name with an ending; `and/or` is none. */
function isPath(name: string): boolean {
  if (!/^[\p{L}\p{M}\p{N}_$~./\\@:+()[\]-]+$/u.test(name)) return false;
  const parts = name.split(/[/\\]/);
  const last = parts.at(-1) ?? '';
  const hasEnding = ENDING.test(last);
  if (parts.length === 1) return hasEnding && KNOWN_ENDINGS.has(last.slice(last.lastIndexOf('.') + 1).toLowerCase());
  return hasEnding || (/^(?:~|\.{1,2})?[/\\]|^[A-Za-z]:[/\\]/.test(name) && parts.filter((part) => part !== '').length >= 2);
}

function isIdentifier(name: string): boolean {
  if (!/^[@#]?[\p{L}\p{N}_$][\p{L}\p{M}\p{N}_$.:/#@-]*$/u.test(name)) return false;
  if (name.includes('/') && !/[\d_$#@]|\p{Ll}\p{Lu}/u.test(name)) return false;
  // Snake case, camel case, a digit beside a letter, a member, or an issue's number.
  return /[\p{L}\p{M}\p{N}]_[\p{L}\p{N}]|\p{Ll}\p{Lu}|\p{L}[.:]\p{L}{2}|^#\d|\$\w/u.test(name) || isMixed(name);
}

/** Letters and digits in one name, but no ordinal, size or version-like word of prose. */
function isMixed(name: string): boolean {
  return /\p{L}/u.test(name) && /\d/.test(name) && !/^\d+(?:st|nd|rd|th|x|s|ms|k|kb|mb|gb|h|m|d|px|%)$/i.test(name);
}

const NUMBER = /^[+-]?\d+(?:[.,:]\d+)*%?$/;
const ENDING = /[^.]\.[A-Za-z][A-Za-z0-9]{0,7}$/;
const MAX_NAME = 400;
const KNOWN_ENDINGS: ReadonlySet<string> = new Set(
  'ts tsx js jsx mjs cjs py rb go rs java kt c h cc cpp hpp cs swift php sh bash zsh ps1 sql html htm css scss less json jsonl yaml yml toml ini cfg conf env lock md mdx txt rst csv tsv xml svg png jpg jpeg gif pdf db sqlite log proto graphql vue svelte ipynb tf'.split(
    ' ',
  ),
);
