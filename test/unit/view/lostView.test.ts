import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { LostItem, LostKind } from '../../../src/core/compaction/lost';
import { lostView, MAX_LOST_ITEMS } from '../../../src/core/view/lostView';

const KINDS = ['constraint', 'request', 'file', 'command', 'error', 'url', 'identifier', 'number'] as const satisfies readonly LostKind[];

const many = (kind: LostKind, count: number): LostItem[] =>
  Array.from({ length: count }, (_, at) => ({ kind, value: `${kind} ${at}`, messageId: `m${at % 7}` }));
const rowOf = (id: string): number | undefined => (id === 'm3' ? undefined : Number(id.slice(1)) + 10);

describe('lostView', () => {
  it('groups by kind in the given order, with the row of each message', () => {
    const view = lostView([...many('request', 1), ...many('file', 5)], rowOf);
    assert.equal(view.count, 6);
    assert.deepEqual(
      view.groups.map(({ kind, count }) => [kind, count]),
      [
        ['request', 1],
        ['file', 5],
      ],
    );
    assert.deepEqual(view.groups[1]?.items.slice(2, 4), [
      { value: 'file 2', messageId: 'm2', index: 12 },
      { value: 'file 3', messageId: 'm3', index: null },
    ]);
  });

  it('shows small kinds whole and counts what does not fit', () => {
    const view = lostView([...many('constraint', 3), ...many('file', 1000), ...many('identifier', 5000)], rowOf);
    const shown = view.groups.map(({ kind, count, items }) => [kind, count, items.length]);
    assert.deepEqual(shown, [
      ['constraint', 3, 3],
      ['file', 1000, 98],
      ['identifier', 5000, 99],
    ]);
  });

  it('puts a long value of several lines on one line', () => {
    const [group] = lostView([{ kind: 'error', value: `a\n\u001b[31mb ${'x'.repeat(5000)}`, messageId: 'm1' }], rowOf).groups;
    const value = group?.items[0]?.value ?? '';
    assert.ok(value.length <= 300 && value.endsWith('…'));
    assert.ok(!/[\n\u001b]/.test(value));
  });

  it('never sends more than the limit, and fills it where there is enough', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(400), { minLength: 8, maxLength: 8 }), (counts) => {
        const items = KINDS.flatMap((kind, at) => many(kind, counts[at] ?? 0));
        const view = lostView(items, rowOf);
        const shown = view.groups.reduce((sum, group) => sum + group.items.length, 0);
        assert.equal(shown, Math.min(MAX_LOST_ITEMS, items.length));
        assert.equal(
          view.groups.reduce((sum, group) => sum + group.count, 0),
          items.length,
        );
        assert.ok(view.groups.every((group) => group.items.length > 0));
      }),
      { seed: 11, numRuns: 100 },
    );
  });
});
