import assert from 'node:assert/strict';
import { gravest, limitMarks, placeLabels, segmentsOf } from '../../../webview-ui/gaugeLayout';

describe('layout of the gauge', () => {
  it('keeps the order of the categories whatever order they come in', () => {
    const segments = segmentsOf(
      [
        { category: 'toolResults', tokens: 500 },
        { category: 'user', tokens: 300 },
        { category: 'systemPrompt', tokens: 200 },
      ],
      1000,
      2000,
      1000,
    );
    // 200 + 300 + 500 of 2000 tokens.
    assert.deepEqual(
      segments.map(({ kind, start, length }) => ({ kind, start, length })),
      [
        { kind: 'systemPrompt', start: 0, length: 200 },
        { kind: 'user', start: 200, length: 300 },
        { kind: 'toolResults', start: 500, length: 500 },
      ],
    );
  });

  it('joins what is narrower than 2 px at the end', () => {
    const segments = segmentsOf(
      [
        { category: 'systemPrompt', tokens: 3 },
        { category: 'user', tokens: 500 },
        { category: 'images', tokens: 1 },
      ],
      504,
      1000,
      500,
    );
    // 2 px of 500 are 4 tokens of 1000.
    assert.deepEqual(
      segments.map(({ kind, tokens }) => [kind, tokens]),
      [
        ['user', 500],
        ['other', 4],
      ],
    );
    assert.deepEqual(
      segments.at(-1)?.parts.map((part) => part.category),
      ['systemPrompt', 'images'],
    );
  });

  it('shortens parts that add up to more than the reported total', () => {
    const segments = segmentsOf(
      [
        { category: 'user', tokens: 600 },
        { category: 'assistant', tokens: 600 },
      ],
      1000,
      2000,
      1000,
    );
    assert.deepEqual(
      segments.map(({ length }) => length),
      [500, 500],
    );
    assert.deepEqual(
      segments.map(({ tokens }) => tokens),
      [600, 600],
    );
  });

  it('draws nothing for nothing', () => {
    assert.deepEqual(segmentsOf([{ category: 'user', tokens: 0 }], 0, 1000, 500), []);
    assert.deepEqual(segmentsOf([], 0, 0, 500), []);
  });

  it('joins limits that begin at the same number and names the gravest', () => {
    const marks = limitMarks([
      { kind: 'blocked', at: 177 },
      { kind: 'error', at: 147 },
      { kind: 'autoCompact', at: 167 },
      { kind: 'warning', at: 147 },
    ]);
    assert.deepEqual(
      marks.map(({ at, kinds }) => [at, ...kinds]),
      [
        [147, 'warning', 'error'],
        [167, 'autoCompact'],
        [177, 'blocked'],
      ],
    );
    assert.deepEqual(marks.map(gravest), ['error', 'autoCompact', 'blocked']);
  });

  it('places labels inside the bar and on lines where they do not touch', () => {
    const labels = [
      { centre: 10, width: 100 },
      { centre: 400, width: 100 },
      { centre: 440, width: 100 },
      { centre: 480, width: 100 },
    ];
    const places = placeLabels(labels, 500);
    assert.equal(places[0]?.left, 0);
    places.forEach((place, index) => {
      const width = labels[index]?.width ?? 0;
      assert.ok(place.left >= 0 && place.left + width <= 500);
      for (const [other, earlier] of places.slice(0, index).entries()) {
        const apart = earlier.left + (labels[other]?.width ?? 0) <= place.left;
        assert.ok(apart || earlier.line !== place.line);
      }
    });
  });
});
