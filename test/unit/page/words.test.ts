import assert from 'node:assert/strict';
import { UI_STRINGS } from '../../../src/core/protocol/uiStrings';
import { createFormat } from '../../../webview-ui/format';
import { segmentCells } from '../../../webview-ui/segmentCells';
import { createWords } from '../../../webview-ui/words';

const SETTINGS = { locale: 'en', summarizer: 'offline', openaiLabel: '', vscodeLabel: '', keepMessages: 10, canAct: true } as const;

describe('numbers of the page', () => {
  const format = createFormat('en');
  const tokens: readonly (readonly [number, string])[] = [
    [0, '0'],
    [999, '999'],
    [1000, '1K'],
    [152_304, '152.3K'],
    [200_000, '200K'],
    [999_949, '999.9K'],
    [999_950, '1M'],
    [1_048_576, '1.05M'],
  ];
  for (const [count, expected] of tokens) it(`${count} tokens are ${expected}`, () => assert.equal(format.tokens(count), expected));

  it('follows the language', () => {
    assert.equal(createFormat('de').tokens(152_304), '152,3K');
    assert.equal(createFormat('no such locale!').tokens(152_304), '152.3K');
  });

  it('shows durations and times', () => {
    assert.deepEqual([350, 48_200, 200_400, 59_999].map(format.duration), ['350 ms', '48.2 s', '3 min 20 s', '1 min 0 s']);
    assert.equal(format.time('no time'), 'no time');
    assert.match(format.time('2026-11-30T10:11:00.000Z'), /2026/);
  });
});

describe('texts of the page', () => {
  it('fills places once, so that a value cannot fill another', () => {
    const { t } = createWords(SETTINGS);
    assert.equal(t('header.window', { model: '{window}', window: '200K' }), '{window} · 200K window');
  });

  it('takes a translation, and English where there is none', () => {
    const { t, plural } = createWords({ ...SETTINGS, strings: { 'header.live': 'Läuft', __proto__: 'x' } });
    assert.equal(t('header.live'), 'Läuft');
    assert.equal(t('header.sessions'), 'Sessions…');
    assert.equal(plural('count.turns', 1), '1 turn');
    assert.equal(plural('count.turns', 1200), '1,200 turns');
  });

  it('has both forms of every plural', () => {
    const keys = Object.keys(UI_STRINGS);
    for (const key of keys.filter((one) => one.endsWith('.one'))) assert.ok(keys.includes(key.replace(/one$/, 'other')), key);
    for (const key of keys.filter((one) => one.endsWith('.other')))
      assert.ok(keys.includes(key.replace(/other$/, 'one')) || key === 'gauge.other', key);
  });
});

describe('cells of a preserved segment', () => {
  const kept = (cells: readonly boolean[]): number => cells.filter(Boolean).length;
  const cases: readonly (readonly [summarized: number, preserved: number, cells: number, kept: number])[] = [
    [0, 0, 0, 0],
    [28, 6, 34, 6],
    [0, 5, 5, 5],
    [5, 0, 5, 0],
    [9999, 1, 44, 1],
    [1, 9999, 44, 43],
    // 440 messages in 44 cells of 10.
    [330, 110, 44, 11],
  ];
  for (const [summarized, preserved, cells, filled] of cases) {
    it(`${summarized} summarized and ${preserved} preserved make ${cells} cells, ${filled} of them filled`, () => {
      const tail = segmentCells(summarized, preserved, 'tail');
      assert.equal(tail.length, cells);
      assert.equal(kept(tail), filled);
      assert.deepEqual(segmentCells(summarized, preserved, 'head'), [...tail].reverse());
    });
  }
});
