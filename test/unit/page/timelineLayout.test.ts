import assert from 'node:assert/strict';
import { timelineShape } from '../../../webview-ui/timelineLayout';

describe('layout of the timeline', () => {
  const points = [
    { index: 1, tokens: 50, stretch: 0 },
    { index: 3, tokens: 100, stretch: 0 },
    { index: 7, tokens: 25, stretch: 1 },
    { index: 9, tokens: 0, stretch: 1 },
  ];

  it('is a step for each point, of equal width, below a little headroom', () => {
    const { line, area, x, y, boundaries } = timelineShape(points, 100, 400, 108);
    assert.deepEqual(x, [50, 150, 250, 350]);
    assert.deepEqual(y, [58, 8, 83, 108]);
    assert.equal(line, 'M0 58H100V8H200V83H300V108H400');
    assert.equal(area, `${line}V108H0Z`);
    assert.deepEqual(boundaries, [200]);
  });

  it('draws nothing for nothing', () => {
    assert.deepEqual(timelineShape([], 0, 400, 72), { line: '', area: '', x: [], y: [], boundaries: [] });
  });
});
