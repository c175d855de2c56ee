/** Numbers from 0 up to, not including, `below`; the same in each run. */
export type Random = (below: number) => number;

/** A linear congruential generator, whose upper bits are random enough to pick texts. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** What tokenizers stumble over: white space of all kinds, contractions, case, marks, joiners, halves of pairs, special tokens, digits. */
export const NASTY_ATOMS: readonly string[] = [
  ...['a', 'b', 'B', 'Z', 'the', 'The', 'THE', 'hello', 'toString', '__proto__', 'getElementById', 'HTTPServer', 'iPhone'],
  ...[' ', '  ', '   ', '\t', '\n', '\r', '\r\n', '\n\n', '\v', '\f', '\u0085', '\u00a0', '\u2028', '\u3000'],
  ...['\ufeff', '\u0000', '\u001c', '\u180e', '\u200b', '\u200d', '\ufffd', '\u00ad'],
  ...["'", "'s", "'S", "'\u017f", "'re", "'RE", "'vE", "'ll", "'LL", "'d", "'m", "'t", "'l", "'r", '\u2019s', '\u017f', '\u212a'],
  ...['1', '12', '123', '9', '\u00bd', '\u2167', '\u0663', '\u00b2', '\u{1d7ce}'],
  ...['\u4e2d', '\u6587', '\u6f22\u5b57', '\u304b', '\ud55c', '\u0436', '\u0416', '\u00e9', 'e\u0301', '\u0301', '\u0300\u0300'],
  ...['\u0e01', '\u0e31', '\u01c5', '\u02b0', '\u00aa', '\u0488', '\u0903', '\u{1d49c}', '\u{1d4b7}', '\u{10400}', '\u{10428}'],
  ...['\ud83d', '\ude00', '\u{1f600}', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}', '\u{1f1e9}\u{1f1ea}', '\u{e0100}'],
  ...['!', '!!', '/', '//', '.', '_', '-', '--', '{', '}', '":"', '\\n', '\u20ac', '\u2026', '0x'],
  ...['<|endoftext|>', '<|endofprompt|>', '<|fim_prefix|>'],
];

/** Letters, numbers and marks that later versions of Unicode have and the encodings do not know, and one whose case changed. */
export const YOUNG_ATOMS: readonly string[] = ['\u088f', '\ua7ce', '\u{11de0}', '\u{10efa}', '\u{18d80}', '\u{10d50}', '\u0295'];

/** One to `most` of the atoms, one after the other. */
export function nastyText(random: Random, atoms: readonly string[], most: number): string {
  let text = '';
  for (let left = 1 + random(most); left > 0; left--) text += atoms[random(atoms.length)] ?? '';
  return text;
}
