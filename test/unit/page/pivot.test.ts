// What is asked for when the cut of a preview is moved.
import assert from 'node:assert/strict';
import type { RowView } from '../../../src/core/protocol/viewModel';
import type { SummaryPlan } from '../../../webview-ui/flow';
import { inDirection, moveFrom, moveRequest, placeOf, placeOfRow, requestAt } from '../../../webview-ui/pivot';

const PLAN: SummaryPlan = {
  outcome: 'plan',
  planId: 'p',
  revision: 1,
  kind: 'partialUpTo',
  pivotIndex: 40,
  cutIndex: 40,
  cutPosition: 20,
  previousPosition: 18,
  nextPosition: 21,
  contextCount: 30,
  keptTurns: 2,
  movedBecause: null,
  summarizedIds: [],
  keptIds: [],
  summarizedCount: 20,
  keptCount: 10,
  summarizedFrom: 0,
  summarizedTo: 39,
  tokensBefore: 100,
  tokensKept: 40,
  tokensSummarized: 60,
  unattributedTokens: 0,
  summaryTokens: 5,
  tokensAfter: 45,
  before: [],
  after: [],
  stateAfter: 'normal',
  refillTurns: null,
  cost: null,
  summaryPreview: '',
  ofSummary: false,
  safety: [],
  lost: { count: 0, groups: [] },
};

describe('the cut of a preview', () => {
  it('is asked for as a place, and of the whole context as the messages that stay', () => {
    assert.deepEqual(requestAt('partialUpTo', 12, 30), { kind: 'partialUpTo', position: 12 });
    assert.deepEqual(requestAt('full', 12, 30), { kind: 'full', keepMessages: 18 });
    assert.deepEqual(requestAt('partialFrom', -3, 30), { kind: 'partialFrom', position: 0 });
    assert.deepEqual(requestAt('partialFrom', 31.6, 30), { kind: 'partialFrom', position: 30 });
    assert.deepEqual(inDirection('full', PLAN), { kind: 'full', keepMessages: 10 });
  });

  it('is read from a request that names a place itself', () => {
    assert.equal(placeOf({ kind: 'partialUpTo', position: 7 }, 30), 7);
    assert.equal(placeOf({ kind: 'full', keepMessages: 4 }, 30), 26);
    assert.equal(placeOf({ kind: 'partialUpTo', pivotId: 'm', position: 7 }, 30), undefined);
    assert.equal(placeOf({ kind: 'partialUpTo', keepTurns: 1 }, 30), undefined);
  });

  it('moves to the places that the plan names, by turns from the end, and to the ends', () => {
    assert.deepEqual(moveRequest(PLAN, 'previous'), { kind: 'partialUpTo', position: 18 });
    assert.deepEqual(moveRequest(PLAN, 'next'), { kind: 'partialUpTo', position: 21 });
    assert.deepEqual(moveRequest(PLAN, 'previousTurn'), { kind: 'partialUpTo', keepTurns: 3 });
    assert.deepEqual(moveRequest(PLAN, 'nextTurn'), { kind: 'partialUpTo', keepTurns: 1 });
    assert.deepEqual(moveRequest(PLAN, 'first'), { kind: 'partialUpTo', position: 2 });
    assert.deepEqual(moveRequest(PLAN, 'last'), { kind: 'partialUpTo', position: 30 });
    assert.deepEqual(moveRequest({ ...PLAN, kind: 'partialFrom' }, 'previousTurn'), { kind: 'partialFrom', position: 17 });
    assert.deepEqual(moveRequest({ ...PLAN, kind: 'partialFrom' }, 'last'), { kind: 'partialFrom', position: 28 });
  });

  it('stays where there is no place further on', () => {
    const atEnd: SummaryPlan = { ...PLAN, nextPosition: null, cutPosition: 30 };
    for (const move of ['next', 'nextTurn', 'last'] as const) assert.equal(moveRequest(atEnd, move), undefined, move);
    assert.equal(moveFrom('partialUpTo', 2, 30, 'previous'), undefined);
    assert.deepEqual(moveFrom('partialUpTo', 0, 30, 'next'), { kind: 'partialUpTo', position: 2 });
  });

  it('is counted from the plan’s cut along the rows of the context', () => {
    // Every third row has left the context; row 45 has not been read.
    const rowAt = (index: number): RowView | undefined =>
      index === 45 ? undefined : { ...ROW, index, id: `m-${index}`, active: index % 3 !== 0 };
    // 40 41 43 44 45 are five rows of the context, 45 on trust.
    assert.equal(placeOfRow(PLAN, 46, 60, rowAt), 25);
    // 34 35 37 38 are four.
    assert.equal(placeOfRow(PLAN, 34, 60, rowAt), 16);
    assert.equal(placeOfRow(PLAN, 40, 60, rowAt), 20);
    assert.equal(placeOfRow(PLAN, 60, 60, rowAt), 30);
    assert.equal(placeOfRow(PLAN, 0, 60, rowAt), 0);
  });
});

const ROW: RowView = {
  index: 0,
  id: '',
  kind: 'user',
  active: true,
  preserved: false,
  preview: '',
  label: '',
  tokens: 1,
  measurement: 'estimate',
  category: 'user',
  timestamp: null,
  isError: false,
  hasMedia: false,
  canCompact: true,
};
