import assert from 'node:assert/strict';
import { cutFacts } from '../../../src/core/transcript/cutText';
import { Skimmer } from '../../../src/core/transcript/skeleton';

const LONG = 'x'.repeat(500);
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Value of a line's skeleton; undefined where there is none. */
function outline(line: string, maxDepth = 200): unknown {
  const bytes = encode(`before"${line}"behind`);
  const skeleton = new Skimmer(maxDepth).skim(bytes, 7, 7 + encode(line).length);
  return skeleton === undefined ? undefined : JSON.parse(new TextDecoder().decode(skeleton));
}

describe('Skimmer', () => {
  it('leaves a line alone that has no long string', () => {
    assert.equal(outline('{"a":"short","b":[1,2,{"c":null}]}'), undefined);
    assert.equal(outline(`{"${LONG}":1}`), undefined, 'a key is no text');
  });

  it('cuts long strings anywhere, and keeps their beginning and length', () => {
    assert.deepEqual(outline(JSON.stringify({ a: LONG, b: 1, c: ['s', { d: `say "${LONG}"` }] })), {
      a: `${'x'.repeat(32)}\u007f500\u007f`,
      b: 1,
      c: ['s', { d: 'say \u007f508\u007f' }],
    });
  });

  const ends: readonly (readonly [string, string])[] = [
    ['an escaped quote', `${LONG}"`],
    ['a backslash', `${LONG}\\`],
    ['a backslash and a quote', `${LONG}\\"`],
    ['what looks like the rest of a record', `${LONG}"},{"b":"`],
    ['text of other scripts', 'ü漢😀'.repeat(80)],
  ];
  for (const [name, text] of ends) {
    it(`finds the end of a string with ${name} at its end`, () => {
      const cut = outline(JSON.stringify({ text, next: 'n' }));
      assert.deepEqual(Object.keys(cut ?? {}), ['text', 'next']);
      assert.deepEqual(cutFacts(cut).isCut, true);
    });
  }

  it('keeps strings that say what a record is', () => {
    const line = { uuid: LONG, parentUuid: LONG, tool_use_id: LONG, type: LONG, sessionId: LONG, aiTitle: LONG, text: LONG };
    assert.deepEqual(outline(JSON.stringify(line)), { ...line, text: `${'x'.repeat(32)}\u007f500\u007f` });
    assert.deepEqual(outline(JSON.stringify(line, undefined, 1).replaceAll('\n', ' ')), {
      ...line,
      text: `${'x'.repeat(32)}\u007f500\u007f`,
    });
  });

  it('gives up where a string does not end, and where a line nests too deep', () => {
    assert.equal(new Skimmer(200).skim(encode(`{"a":"${LONG}`), 0, LONG.length + 6), undefined);
    assert.equal(outline(`[[["${LONG}"]]]`, 2), undefined);
    assert.notEqual(outline(`[["${LONG}"]]`, 2), undefined);
  });
});

describe('cutFacts', () => {
  it('counts the bytes of cut and whole strings at any depth', () => {
    assert.deepEqual(cutFacts({ a: 'four', b: ['x\u007f100\u007f'] }), { isCut: true, bytes: 4 + 6 + 100 });
    assert.deepEqual(cutFacts('a text with \u007f in it'), { isCut: false, bytes: 19 });
    assert.deepEqual(cutFacts(12), { isCut: false, bytes: 0 });
  });
});
