// Damage of files, as crashes, tools and attackers make it. One place for the properties of the reader and for `npm run fuzz`.
import fc from 'fast-check';

export type Mutation = (bytes: Uint8Array) => Uint8Array;

const PLACES = 2 ** 24;

/** Somewhere in a file, anywhere as likely: 0 is its beginning; 1 is never reached. An arbitrary double would nearly always be next to nothing. */
export const place = fc.noBias(fc.nat(PLACES - 1)).map((at) => at / PLACES);

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
  fc.constant((bytes: Uint8Array) => joined(Uint8Array.of(0xef, 0xbb, 0xbf), bytes)),
);

/** A few changes, one after the other. */
export const mutations: fc.Arbitrary<readonly Mutation[]> = fc.array(mutation, { minLength: 1, maxLength: 5 });

const PAGE_BYTES = 512;

/** A change inside of a file of pages that leaves the others where they are; most others make a database unreadable as a whole. */
const pageMutation: fc.Arbitrary<Mutation> = fc.oneof(
  { arbitrary: fc.tuple(place, fc.uint8Array({ minLength: 1, maxLength: 40 })).map(([at, value]) => onPages(at, () => value)), weight: 4 },
  { arbitrary: fc.tuple(place, place).map(([to, from]) => onPages(to, (bytes) => pageOf(bytes, from))), weight: 1 },
  { arbitrary: place.map((at) => onPages(at, () => new Uint8Array(PAGE_BYTES))), weight: 1 },
  {
    arbitrary: place.map((at) => (bytes: Uint8Array) => bytes.slice(0, Math.floor((at * bytes.length) / PAGE_BYTES) * PAGE_BYTES)),
    weight: 1,
  },
);

/** A few changes of a file of pages, one after the other. */
export const pageMutations: fc.Arbitrary<readonly Mutation[]> = fc.array(pageMutation, { minLength: 1, maxLength: 5 });

function pageOf(bytes: Uint8Array, at: number): Uint8Array {
  const from = Math.floor((at * bytes.length) / PAGE_BYTES) * PAGE_BYTES;
  return bytes.slice(from, from + PAGE_BYTES);
}

/** Writes over what stands at a place; the file keeps its length. */
function onPages(at: number, make: (bytes: Uint8Array) => Uint8Array): Mutation {
  return (bytes) => {
    const copy = bytes.slice();
    const value = make(bytes);
    const from = value.length === PAGE_BYTES ? Math.floor((at * bytes.length) / PAGE_BYTES) * PAGE_BYTES : Math.floor(at * bytes.length);
    copy.set(value.subarray(0, copy.length - from), from);
    return copy;
  };
}

function insert(at: number, text: string): Mutation {
  return (bytes) => {
    const cut = Math.floor(at * bytes.length);
    return joined(bytes.subarray(0, cut), new TextEncoder().encode(text), bytes.subarray(cut));
  };
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

/** Changes whole lines; bytes that are no text stay as they are. */
function onLines(change: (lines: readonly string[]) => readonly string[]): Mutation {
  return (bytes) => new Uint8Array(Buffer.from(change(Buffer.from(bytes).toString('latin1').split('\n')).join('\n'), 'latin1'));
}
