import assert from 'node:assert/strict';
import { condensedForms } from '../../../../src/core/compaction/offline/condense';
import { keywordsIn } from '../../../../src/core/compaction/offline/terms';
import { shortenSections } from '../../../../src/core/compaction/offline/earlierSummary';

describe('a shortened answer', () => {
  const answer = [
    'Great! I moved the parser into its own file.',
    '',
    '## Changes',
    '- `parser.ts` holds the grammar. It is small.',
    '- `reader.ts` calls it.',
    '',
    '```ts',
    'const secret = 1;',
    '```',
    'All 42 tests pass. Shall I commit?',
  ].join('\n');

  it('opens with a sentence that says something and closes with the last one', () => {
    assert.equal(condensedForms(answer)[1], 'Great! I moved the parser into its own file. … Shall I commit?');
  });

  it('grows form by form and leaves code out', () => {
    const forms = condensedForms(answer);
    forms.forEach((form, i) => assert.ok(i === 0 || form.length >= (forms[i - 1]?.length ?? 0) || i === 1, `form ${i}`));
    const longest = forms.at(-1) ?? '';
    assert.ok(longest.includes('- `parser.ts` holds the grammar. It is small.'));
    assert.ok(longest.includes('All 42 tests pass.'));
    assert.ok(!longest.includes('secret'));
  });

  it('holds only stretches of the text', () => {
    for (const form of condensedForms(answer)) {
      for (const piece of form.split(/\n| … /)) assert.ok(answer.includes(piece.replace(/^- | …$/g, '')), piece);
    }
  });

  it('prefers what says more', () => {
    const long = `Start of the report here, for all to read.\n${'The same words again and again here. '.repeat(40)}\n- Port 5173 of localhost, commit 1a2b3c4.\nThat is all of it.`;
    assert.ok(condensedForms(long)[2]?.includes('1a2b3c4'));
  });

  it('of nothing is nothing', () => {
    assert.deepEqual(condensedForms(''), []);
    assert.deepEqual(condensedForms('━━━━\n\n---'), []);
  });

  it('counts words that carry meaning', () => {
    assert.deepEqual(keywordsIn('Use a parser, v1.2 of src/a.ts; the parser.').sort(), ['parser', 'src/a.ts', 'v1.2']);
  });
});

describe('a shortened earlier summary', () => {
  const section = (title: string, words: number): string => `## ${title}\n${`${title.toLowerCase()} words. `.repeat(words)}`;
  const summary = [
    section('Analysis', 40),
    '## Summary',
    section('Files', 40),
    section('Pending Tasks', 20),
    section('Current Work', 20),
  ].join('\n');

  it('stays as it is when it fits', () => assert.equal(shortenSections(summary, summary.length), summary));

  it('keeps most of what is pending and states what is missing', () => {
    const short = shortenSections(summary, 1_100);
    const count = (word: string): number => short.split(`${word} words.`).length - 1;
    assert.ok(short.length < 1_400, `${short.length} characters`);
    assert.ok(count('pending tasks') / 20 > count('files') / 40, short);
    assert.ok(count('files') / 40 > count('analysis') / 40, short);
    assert.match(short, /\[… \d+ characters left out …\]/);
  });

  it('states every character that is missing', () => {
    for (const max of [200, 500, 900, 1_500]) {
      const short = shortenSections(summary, max);
      const missing = [...short.matchAll(/\[… (\d+) characters left out …\]/g)].reduce((sum, [, n]) => sum + Number(n), 0);
      const kept = short.replace(/ ?\[… \d+ characters left out …\]\n?/g, '').length;
      assert.ok(Math.abs(kept + missing - summary.length) < 25, `${max}: ${kept} + ${missing} of ${summary.length}`);
    }
  });
});
