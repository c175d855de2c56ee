import assert from 'node:assert/strict';
import { applyPatch, diffViews, patchFit } from '../../../src/core/protocol/patch';
import type { SessionPatch } from '../../../src/core/protocol/viewModel';
import { usualSession } from '../../page/harness/sessions';

describe('patches of a session', () => {
  const { view } = usualSession();
  const patch = (from: number, to: number, handle = view.handle): SessionPatch => ({
    handle,
    from,
    to,
    changes: { turns: 48 },
    rowsFrom: null,
  });

  it('turns one view into the next', () => {
    const next = { ...view, revision: view.revision + 1, turns: 48, gauge: { ...view.gauge, usedTokens: 1 } };
    const made = diffViews(view, next, 90);
    assert.deepEqual(Object.keys(made.changes).sort(), ['gauge', 'turns']);
    assert.equal(made.rowsFrom, 90);
    assert.deepEqual(applyPatch(view, made), next);
  });

  it('keeps the parts that did not change as they are', () => {
    const after = applyPatch(view, patch(1, 2));
    assert.ok(after !== undefined);
    assert.equal(after.gauge, view.gauge);
    assert.equal(after.revision, 2);
  });

  const fits: readonly (readonly [string, SessionPatch, ReturnType<typeof patchFit>])[] = [
    ['the next revision', patch(1, 2), 'next'],
    ['a revision that the view has already', patch(0, 1), 'past'],
    ['a later revision', patch(2, 3), 'gap'],
    ['two revisions at once', patch(1, 3), 'gap'],
    ['another session', patch(1, 2, 'other'), 'gap'],
  ];
  for (const [name, given, fit] of fits) {
    it(`finds that ${name} is ${fit}`, () => {
      assert.equal(patchFit(view, given), fit);
      assert.equal(applyPatch(view, given) === undefined, fit !== 'next');
    });
  }

  it('cannot be renamed or counted back by what is in the changes', () => {
    const hostile = { ...patch(1, 2), changes: { handle: 'x', revision: 7, title: 'T' } };
    const after = applyPatch(view, hostile);
    assert.deepEqual([after?.handle, after?.revision, after?.title], [view.handle, 2, 'T']);
  });
});
