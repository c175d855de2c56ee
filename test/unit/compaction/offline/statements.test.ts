import assert from 'node:assert/strict';
import { bearingOf, bindingSentences, isOrder } from '../../../../src/core/compaction/offline/statements';
import { sentencesOf } from '../../../../src/core/compaction/offline/sentences';

describe('sentences', () => {
  const table: readonly (readonly [string, readonly string[]])[] = [
    ['One. Two! Three? Four', ['One.', 'Two!', 'Three?', 'Four']],
    ['Use v1.2.3 of a.ts and go on.', ['Use v1.2.3 of a.ts and go on.']],
    ['Keep it small, e.g. Two lines.', ['Keep it small, e.g. Two lines.']],
    ['1. Do this', ['1. Do this']],
    ['**1. Reader** first', ['**1. Reader** first']],
    ['Run `git add ... && git commit` once. Then stop.', ['Run `git add ... && git commit` once.', 'Then stop.']],
    ['No. It never ran.', ['No. It never ran.']],
    ['漢字。次', ['漢字。', '次']],
    ['', []],
  ];
  for (const [line, expected] of table) it(JSON.stringify(line), () => assert.deepEqual(sentencesOf(line), expected));
});

describe('how a sentence binds the work', () => {
  const table: readonly (readonly [string, ReturnType<typeof bearingOf>])[] = [
    ['You must keep the old endpoint.', 'rule'],
    ['Never push to main.', 'rule'],
    ['Don’t touch the parser.', 'rule'],
    ['Do not rebuild the website on every run.', 'rule'],
    ['At most 3 retries.', 'rule'],
    ['No more than 200 lines, please.', 'rule'],
    ['I prefer tabs.', 'rule'],
    ['Use pnpm, not npm.', 'rule'],
    ['Keep the public names.', 'rule'],
    ['Add tests, but only for the reader.', 'rule'],
    ['Let’s go with Vite.', 'decision'],
    ['I want JSON first.', 'decision'],
    ['Do we always do this?', 'mention'],
    ["I don't think the reviewer did it.", 'mention'],
    ['It only runs on main.', 'mention'],
    ['What is in this file?', undefined],
    ['The button is red.', undefined],
  ];
  for (const [sentence, bearing] of table)
    it(`${JSON.stringify(sentence)} → ${bearing ?? 'nothing'}`, () => assert.equal(bearingOf(sentence), bearing));

  it('finds sentences where they stand', () => {
    const text = 'Hello.\nNever push. It is red. Always sign.';
    for (const { text: sentence, start } of bindingSentences(text)) assert.equal(text.slice(start, start + sentence.length), sentence);
    assert.deepEqual(
      bindingSentences(text).map(({ text: sentence }) => sentence),
      ['Never push.', 'Always sign.'],
    );
  });

  it('takes only orders from pasted text', () => {
    assert.equal(isOrder('- Do NOT print secrets.'), true);
    assert.equal(isOrder('2. Never retry twice.'), true);
    assert.equal(isOrder('The loop never closes its reader.'), false);
  });
});
