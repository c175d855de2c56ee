// Damage of files, as crashes, tools and attackers make it. One place for the properties of the reader and for `npm run fuzz`.
import fc from 'fast-check';

export type Mutation = (bytes: Uint8Array) => Uint8Array;

/** Somewhere in a file: 0 is its beginning; 1 is never reached. */
export const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });

/** A change of the bytes of a file, as crashes, tools and attackers make them. */
export const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  place.map((at) => (bytes: Uint8Array) => bytes.slice(0, Math.floor(at * bytes.length))),
  fc.tuple(place, fc.integer({ min: 0, max: 255 })).map(([at, value]) => (bytes: Uint8Array) => {
    const copy = bytes.slice();
    copy[Math.floor(at * copy.length)] = value;
    return copy;
  }),
  fc
    .tuple(place, fc.constantFrom('\0\0\0', '\n', '\r\n', '\u2028', '{"', '}', '[[[[', '\\', '"uuid":"x"'))
    .map(([at, text]) => insert(at, text)),
  place.map((at) => onLines((lines) => lines.filter((_, index) => index !== Math.floor(at * lines.length)))),
  place.map((at) => onLines((lines) => lines.flatMap((line, index) => (index === Math.floor(at * lines.length) ? [line, line] : [line])))),
  place.map((at) =>
    onLines((lines) => lines.map((line, index) => (index === Math.floor(at * lines.length) ? `${line}${lines[index + 1] ?? ''}` : line))),
  ),
  fc.tuple(place, place).map(([at, from]) =>
    onLines((lines) => {
      const other = /"uuid":"([^"]*)"/.exec(lines[Math.floor(from * lines.length)] ?? '')?.[1] ?? 'none';
      return lines.map((line, index) =>
        index === Math.floor(at * lines.length) ? line.replace(/"(parentUuid|uuid)":"[^"]*"/, `"$1":"${other}"`) : line,
      );
    }),
  ),
  fc.constant(onLines((lines) => lines.map((line) => `${line}\r`))),
  fc.constant((bytes: Uint8Array) => Uint8Array.of(0xef, 0xbb, 0xbf, ...bytes)),
);

/** A few changes, one after the other. */
export const mutations: fc.Arbitrary<readonly Mutation[]> = fc.array(mutation, { minLength: 1, maxLength: 5 });

function insert(at: number, text: string): Mutation {
  return (bytes) => {
    const cut = Math.floor(at * bytes.length);
    return Uint8Array.of(...bytes.subarray(0, cut), ...new TextEncoder().encode(text), ...bytes.subarray(cut));
  };
}

/** Changes whole lines; bytes that are no text stay as they are. */
function onLines(change: (lines: readonly string[]) => readonly string[]): Mutation {
  return (bytes) => new Uint8Array(Buffer.from(change(Buffer.from(bytes).toString('latin1').split('\n')).join('\n'), 'latin1'));
}
