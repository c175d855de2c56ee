import assert from 'node:assert/strict';
import { DEFAULT_MICROCOMPACT } from '../../../src/core/micro/config';
import { CONTENT_REPLACEMENT } from '../../../src/core/model/privateBlocks';
import { isToolResult, toolResultText, type Message } from '../../../src/core/model/message';
import { EMPTY_VIEW_STATE, providerView, VIEW_STEPS, type ProviderView, type ViewPolicy } from '../../../src/core/session/providerView';
import { BYTES_PER_FOUR } from '../../../src/core/tokens/calibratedCounter';
import { estimateRequest } from '../../../src/core/tokens/requestEstimate';
import { conversationOf, COLD, inspectResult } from '../../support/inspections';
import { assistant, boundary, user } from '../../support/messages';

const estimate: ViewPolicy['estimate'] = (messages) => estimateRequest({ messages, system: [] }, BYTES_PER_FOUR);
const HOUR = 3_600_000;
const MAIN = { ...DEFAULT_MICROCOMPACT, source: 'main', lastActivity: 0 } as const;
const STORE = { saveReplacement: (id: string) => Promise.resolve(`stored as ${id}`) };

/** Calls of `Read` with results of the given lengths, one turn each. */
function reads(...lengths: readonly number[]): readonly Message[] {
  return lengths.flatMap((length, i) => [
    assistant([{ type: 'toolUse', id: `t${i}`, name: 'Read', input: {} }]),
    user('', { content: [{ type: 'toolResult', toolUseId: `t${i}`, content: 'x'.repeat(length) }] }),
  ]);
}

function resultsOf({ messages }: ProviderView): readonly string[] {
  return messages.flatMap(({ content }) => content.filter(isToolResult).map(toolResultText));
}

function changedSteps({ steps }: ProviderView): readonly string[] {
  return steps.filter(({ outcome }) => outcome === 'changed').map(({ step }) => step);
}

const privateNote: Message = user('hi', {
  content: [
    { type: 'text', text: 'hi' },
    { type: 'unknown', originalType: CONTENT_REPLACEMENT, raw: '{"kind":"tool-result"}' },
  ],
});

const IDLE = { options: MAIN, now: HOUR, isCacheWarm: false };
const ALL: Omit<ViewPolicy, 'estimate'> = {
  resultBudget: { store: STORE, limit: 40_000 },
  projection: { admission: COLD, maxConsecutiveAnomalies: 3 },
  truncate: {},
  microcompact: IDLE,
};

describe('the view of a provider', () => {
  const table: readonly (readonly [string, readonly Message[], Omit<ViewPolicy, 'estimate'>, readonly string[]])[] = [
    ['of nothing', [], ALL, []],
    ['of a talk without tools', [user('hi'), assistant('hello')], ALL, []],
    ['begins after the boundary', [user('old'), boundary(), user('new')], ALL, ['afterBoundary']],
    ['shows no private records', [privateNote, assistant('hello')], {}, ['stripPrivate']],
    ['holds results to the budget', reads(50_000), { resultBudget: { store: STORE, limit: 40_000 } }, ['resultBudget']],
    ['cuts results', reads(20_000), { truncate: {} }, ['truncate']],
    ['cuts results that the budget lets pass', reads(20_000), ALL, ['truncate']],
    ['does not cut what the budget has replaced', reads(50_000), ALL, ['resultBudget']],
    ['clears old results after an idle time', reads(9, 9, 9, 9, 9, 999), { microcompact: IDLE }, ['microcompact']],
    ['clears none before', reads(9, 9, 9, 9, 9, 999), { microcompact: { options: MAIN, now: HOUR - 1, isCacheWarm: false } }, []],
  ];
  for (const [name, history, policy, expected] of table) {
    it(name, async () => {
      const before = structuredClone(history);
      const view = await providerView(history, EMPTY_VIEW_STATE, { estimate, ...policy });
      assert.deepEqual(changedSteps(view), expected);
      assert.deepEqual(
        view.steps.map(({ step }) => step),
        VIEW_STEPS,
      );
      assert.deepEqual(view.estimate, estimate(view.messages));
      // What the steps say adds up to what the whole has saved.
      const saved = view.steps.reduce((sum, { savedTokens }) => sum + savedTokens, 0);
      assert.equal(saved, estimate(history).knownTotal - view.estimate.knownTotal);
      assert.deepEqual(history, before);
    });
  }
});

const PATCH = { type: 'toolResult', toolUseId: 'p', content: 'applied', outcome: 'succeeded' } as const;
const INSPECTS = ['i0', 'i1', 'i2', 'i3'].map((id) => ({ name: 'Inspect', result: inspectResult(id, 4000) }));
const PATCHED = conversationOf([...INSPECTS, { name: 'ApplyPatch', result: PATCH }]);

describe('from one request to the next', () => {
  it('repeats the decisions of the budget word for word, and records each once', async () => {
    const policy = { estimate, resultBudget: { store: STORE, limit: 40_000 } };
    const first = await providerView(reads(50_000), EMPTY_VIEW_STATE, policy);
    assert.deepEqual(first.records, [{ kind: 'tool-result', toolUseId: 't0', replacement: 'stored as t0' }]);
    const second = await providerView([...reads(50_000), assistant('done')], first.state, policy);
    assert.deepEqual(resultsOf(second), resultsOf(first));
    assert.deepEqual(second.records, []);
  });

  it('tells what the store did not take, and leaves it whole', async () => {
    const store = { saveReplacement: () => Promise.reject(new Error('full')) };
    const view = await providerView(reads(50_000), EMPTY_VIEW_STATE, { estimate, resultBudget: { store, limit: 40_000 } });
    assert.deepEqual(
      view.failures.map(({ toolUseId }) => toolUseId),
      ['t0'],
    );
    assert.deepEqual(resultsOf(view), ['x'.repeat(50_000)]);
  });

  it('makes orders to a warm cache, keeps them, and forgets them when the text itself is cleared', async () => {
    const options = { ...MAIN, cacheEdits: true, cacheTriggerCount: 2, cacheKeepRecent: 1 };
    const history = [...reads(99, 99, 99), user('go on')];
    const warm = await providerView(history, EMPTY_VIEW_STATE, { estimate, microcompact: { options, now: 1, isCacheWarm: true } });
    assert.deepEqual([...warm.state.cacheEdits.deleted], ['t0', 't1']);
    assert.ok((warm.steps.at(-1)?.savedTokens ?? 0) < 0, 'orders are text of the request');
    const again = await providerView(history, warm.state, { estimate, microcompact: { options, now: 2, isCacheWarm: true } });
    assert.deepEqual(again.messages, warm.messages);
    const idle = await providerView([...reads(9, 9, 9, 9, 9, 999), user('go on')], again.state, {
      estimate,
      microcompact: { options, now: HOUR, isCacheWarm: true },
    });
    assert.deepEqual(idle.state.cacheEdits, EMPTY_VIEW_STATE.cacheEdits);
  });

  it('projects results before it cuts any, and takes back a projection after which the request is not smaller', async () => {
    const policy = { estimate, projection: { admission: COLD, maxConsecutiveAnomalies: 3 }, truncate: {} };
    const view = await providerView(PATCHED, EMPTY_VIEW_STATE, policy);
    assert.deepEqual(changedSteps(view), ['projection', 'truncate']);
    const accounts = view.steps.filter(({ outcome }) => outcome === 'changed');
    assert.deepEqual(
      accounts.map(({ messages, decision }) => [messages, decision]),
      [
        [2, { admit: true, reason: 'netSavings' }],
        [2, undefined],
      ],
    );
    const projected = view.records.map(({ replacement }) => replacement);
    assert.equal(projected.length, 2);
    assert.deepEqual(resultsOf(view).slice(0, 2), projected);
    const constant = estimate(PATCHED);
    const held = await providerView(PATCHED, EMPTY_VIEW_STATE, { ...policy, estimate: () => constant });
    assert.deepEqual([held.records, held.state.anomalies, changedSteps(held)], [[], 1, ['truncate']]);
    const recovered = await providerView(PATCHED, held.state, policy);
    assert.deepEqual([recovered.records.length, recovered.state.anomalies], [2, 0]);
  });

  it('projects nothing by a lower bound', async () => {
    const lower = (messages: readonly Message[]): ReturnType<typeof estimate> => ({ ...estimate(messages), complete: false });
    const view = await providerView(PATCHED, EMPTY_VIEW_STATE, {
      estimate: lower,
      projection: { admission: COLD, maxConsecutiveAnomalies: 3 },
    });
    assert.deepEqual(changedSteps(view), []);
    const account = view.steps.find(({ step }) => step === 'projection');
    assert.deepEqual(account?.decision, { admit: false, reason: 'incompleteEstimate' });
  });

  it('projects no more after too many projections that did not hold', async () => {
    const state = { ...EMPTY_VIEW_STATE, anomalies: 3 };
    const view = await providerView(reads(9), state, { estimate, ...ALL });
    assert.equal(view.steps.find(({ step }) => step === 'projection')?.outcome, 'off');
  });

  it('stops with the signal of the budget', async () => {
    const policy = { estimate, resultBudget: { store: STORE, limit: 40_000, signal: AbortSignal.abort() } };
    await assert.rejects(providerView(reads(50_000), EMPTY_VIEW_STATE, policy), { name: 'AbortError' });
  });
});
