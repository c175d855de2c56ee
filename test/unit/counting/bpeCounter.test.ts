import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { get_encoding } from 'tiktoken';
import type { Encoding } from '../../../src/core/tokens/bpe/bpeCounter';
import { CLASS_RUNS } from '../../../src/core/tokens/bpe/classRuns';
import { loadCounter } from '../../../src/node/counting/bpeCounter';
import { NASTY_ATOMS, nastyText, randomFrom, YOUNG_ATOMS } from '../../support/nastyTexts';

const ENCODINGS: readonly Encoding[] = ['o200k_base', 'cl100k_base'];
const GENERATED = 20_000;

for (const encoding of ENCODINGS) {
  describe(`exact token counter (${encoding}) beside the official tokenizer`, function () {
    this.timeout(120_000);
    const official = get_encoding(encoding);
    after(() => official.free());

    const compare = async (texts: Iterable<string>): Promise<number> => {
      const counter = await loadCounter(encoding);
      let compared = 0;
      for (const text of texts) {
        const expected = official.encode_ordinary(text).length;
        if (counter.count(text) !== expected)
          assert.equal(counter.count(text), expected, `${JSON.stringify(text.slice(0, 200))} of ${text.length} units`);
        compared += 1;
      }
      return compared;
    };

    it(`agrees on ${GENERATED} generated texts`, async () => {
      const random = randomFrom(20_261_130);
      const atoms = [...NASTY_ATOMS, ...YOUNG_ATOMS];
      const text = (i: number): string =>
        i % 4 === 3 ? nastyText((below) => random(below), anything(random), 8) : nastyText(random, atoms, i % 50 === 0 ? 150 : 12);
      assert.equal(await compare(Array.from({ length: GENERATED }, (_, i) => text(i))), GENERATED);
    });

    it('agrees on the class of characters, wherever it changes from one code point to the next', async () => {
      const probes = classBorders().map((codePoint) => {
        const char = String.fromCodePoint(codePoint);
        return `a${char}'s ${char}'s\n  ${char}\n ${char}12${char}1234!${char}\nA${char}a${char}A`;
      });
      assert.ok((await compare(probes)) > 5000);
    });

    it('agrees on every fixture and on the sample', async () => {
      const files = ['test/fixtures', 'media/sample'].flatMap(filesIn);
      assert.ok((await compare(files.map((file) => readFileSync(file, 'utf8')))) > 10);
    });

    it('agrees on texts longer than a slice, with and without borders that show in ASCII', async () => {
      const random = randomFrom(3);
      const texts = ['word and 123 ', '\u6f22\u3002', '\u{1f600}\u00e9 ', '\n\t', "it's\u00a0", 'aB', '12/'].map((unit) => {
        let text = '';
        while (text.length < 150_000) text += unit.repeat(1 + random(20)) + nastyText(random, NASTY_ATOMS.slice(0, 13 + random(60)), 2);
        return text;
      });
      assert.equal(await compare(texts), texts.length);
    });
  });
}

describe('exact token counter', function () {
  this.timeout(60_000);

  it('counts known texts and takes special tokens as ordinary text', async () => {
    const counter = await loadCounter('o200k_base');
    assert.equal(counter.id, 'o200k_base');
    assert.equal(counter.count(''), 0);
    assert.equal(counter.count('hello world'), 2);
    assert.equal(counter.count('<|endoftext|>'), 7);
    assert.equal((await loadCounter('cl100k_base')).count('<|endoftext|>'), 7);
    assert.equal(await loadCounter('o200k_base'), counter);
  });

  it('counts in slices what it counts at once, while other texts are counted in between', async () => {
    const counter = await loadCounter('o200k_base');
    const random = randomFrom(5);
    const texts = [
      '',
      'short',
      nastyText(random, NASTY_ATOMS, 60_000),
      "it's".repeat(2000),
      ...['aB', "x'", '12', '\n/', '! '].map((unit) => nastyText(random, ["'s", ...unit.split(''), unit], 20_000)),
      'x'.repeat(40_000) + ' word'.repeat(5000),
      '\u6f22\u{1f600}'.repeat(20_000),
      '\ud83d'.repeat(5000),
    ];
    for (const text of texts) {
      const expected = counter.count(text);
      for (const units of [0, 1025, 4096, 1_000_000]) {
        const slices = counter.countSlices(text, units);
        let sofar = 0;
        let yields = 0;
        let step = slices.next();
        for (; step.done !== true; step = slices.next()) {
          assert.ok(step.value >= sofar);
          sofar = step.value;
          yields += 1;
          counter.count('Something else, which is longer than what is left over. \u6f22\u5b57');
        }
        assert.equal(step.value, expected, `${JSON.stringify(text.slice(0, 20))} by ${units}`);
        assert.ok(yields >= Math.floor(text.length / (2 * Math.max(units, 1024))), `${yields} slices of ${units} units`);
      }
    }
  });

  it('takes linear time for runs of one character, whatever it is', async () => {
    const counter = await loadCounter('o200k_base');
    for (const unit of ['a', ' ', '\n', '7', '\u6f22', '\u{1f600}', '!']) {
      const started = process.cpuUsage();
      assert.ok(counter.count(unit.repeat(200_000 / unit.length)) > 0);
      const { user, system } = process.cpuUsage(started);
      // About 0.1 s; merging by looking through the whole piece each time would take minutes.
      assert.ok((user + system) / 1000 < 5000, `${JSON.stringify(unit)} took too long`);
    }
  });
});

/** Any UTF-16 units, halves of pairs among them. */
function anything(random: (below: number) => number): readonly string[] {
  return Array.from({ length: 16 }, () => String.fromCharCode(random(0x10000)));
}

/** Code points at which a run of one class starts or ends. */
function classBorders(): readonly number[] {
  const borders: number[] = [];
  let codePoint = 0;
  for (const [, length = ''] of CLASS_RUNS.matchAll(/[A-Z]([0-9a-z]*)/g)) {
    const end = codePoint + (length === '' ? 1 : Number.parseInt(length, 36));
    borders.push(codePoint, end - 1);
    codePoint = end;
  }
  return borders;
}

function filesIn(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
