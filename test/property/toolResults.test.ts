import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ContentBlock, Message } from '../../src/core/model/message';
import { StoreError } from '../../src/core/errors/storeError';
import type { BudgetOptions, ReplacementStore } from '../../src/core/toolResults/applyBudget';
import { persistedOutputText } from '../../src/core/toolResults/preview';
import { EMPTY_REPLACEMENTS } from '../../src/core/toolResults/replacementState';
import { isSafeResultId } from '../../src/core/toolResults/resultNames';
import { utf8Length } from '../../src/core/util/text';
import { anyConversation, anyId, anyText } from '../support/arbitraries';
import { asyncProperty } from '../support/asyncProperty';
import { MemoryDisk } from '../support/memoryFileSystem';
import { assistant, user } from '../support/messages';
import { property } from '../support/property';
import {
  budgetProperty,
  forgeryProperty,
  frozenProperty,
  previewProperty,
  replayProperty,
  runBudget,
  truncationProperty,
} from '../support/resultProperties';
import { memoryResultStore, RESULT_FOLDER } from '../support/resultStores';

const LIMIT = 6000;
const FAILING_ID = 't3';
const STORE: ReplacementStore = {
  saveReplacement: (id, text) =>
    id === FAILING_ID
      ? Promise.reject(new StoreError('noSpace'))
      : Promise.resolve(persistedOutputText(`/s/${id}`, utf8Length(text), text)),
};

/** Texts on both sides of every limit: of the preview, of a group of 6,000, of ASCII and of wider characters. */
const sized: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(0, 1, 1999, 2000, 2001, 2500, 3000, 4000, 5999, 6000, 6001),
    fc.constantFrom('x', 'é', '漢', '\u{1F98A}', 'x\n'),
    anyText,
  )
  .map(([length, unit, start]) => `${start}${unit.repeat(Math.ceil(length / unit.length))}`);

const resultBlock: fc.Arbitrary<ContentBlock> = fc
  .tuple(
    anyId,
    fc.nat({ max: 40 }),
    fc.oneof({ weight: 6, arbitrary: sized }, { weight: 1, arbitrary: fc.constant<readonly ContentBlock[]>([{ type: 'image' }]) }),
    fc.constantFrom(undefined, undefined, undefined, new Map([['persistThreshold', 'off']])),
  )
  .map(([shared, own, content, metadata]) => ({
    type: 'toolResult' as const,
    toolUseId: own > 8 ? `r${own}` : shared,
    content,
    ...(metadata === undefined ? {} : { metadata }),
  }));

const turnMessages: fc.Arbitrary<readonly Message[]> = fc
  .tuple(fc.array(fc.array(resultBlock, { maxLength: 3 }), { maxLength: 3 }), fc.constantFrom('m1', 'm2', 'm3'), fc.boolean())
  .map(([parts, messageId, isDeveloper]) => [
    ...parts.map((content) => user('', { content })),
    isDeveloper ? { ...user('rules'), role: 'developer' as const } : assistant('said', { messageId }),
  ]);

const turns = fc.array(turnMessages, { minLength: 1, maxLength: 6 });
const conversation: fc.Arbitrary<readonly Message[]> = fc.oneof(
  { weight: 4, arbitrary: turns.map((list) => list.flat()) },
  { weight: 1, arbitrary: anyConversation },
);
const options: fc.Arbitrary<BudgetOptions> = fc.constantFrom(
  { limit: LIMIT },
  { limit: LIMIT, skipToolNames: new Set(['Read']) },
  { limit: 0 },
);

describe('the budget of tool results', () => {
  asyncProperty(
    'P60: every group is within the limit or holds nothing to replace; the history stays',
    fc.tuple(conversation, options),
    async ([messages, chosen]) => {
      const before = structuredClone(messages);
      const run = await runBudget({ messages, state: EMPTY_REPLACEMENTS, store: STORE, options: chosen });
      assert.equal(await budgetProperty(run), undefined);
      assert.deepEqual(messages, before);
      const again = await runBudget({ messages, state: run.outcome.state, store: STORE, options: chosen });
      assert.equal(await budgetProperty(again), undefined);
      assert.deepEqual(again.outcome.messages, run.outcome.messages);
      assert.equal(again.outcome.records.length + again.outcome.failures.length, 0);
    },
  );

  asyncProperty('P61: over all turns what was shown stays as it was', fc.tuple(turns, options), async ([list, chosen]) => {
    let messages: readonly Message[] = [];
    let state = EMPTY_REPLACEMENTS;
    for (const turn of list) {
      const run = await runBudget({ messages, state, store: STORE, options: chosen });
      assert.equal(await frozenProperty(run, turn), undefined);
      ({ state } = run.outcome);
      messages = [...messages, ...turn];
    }
  });

  asyncProperty('P62: the records give the same bytes', conversation, async (messages) => {
    const run = await runBudget({ messages, state: EMPTY_REPLACEMENTS, store: STORE, options: { limit: LIMIT } });
    assert.equal(await replayProperty(run), undefined);
  });

  asyncProperty('P50: no text makes a result count as saved', conversation, async (messages) => {
    const run = await runBudget({ messages, state: EMPTY_REPLACEMENTS, store: STORE, options: { limit: LIMIT } });
    assert.equal(await forgeryProperty(run), undefined);
  });
});

describe('the store of tool results', () => {
  const hostileId = fc.oneof(
    anyId,
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom('CON', 'nul', 'a/b', 'a_b', '..', '.', 'a\\b', 'A', 'a'),
  );
  const file = fc.record({ id: hostileId, content: anyText });

  asyncProperty(
    'P63: only children of its folder are written, ids share no file, no content is changed',
    fc.array(file, { maxLength: 8 }),
    async (list) => {
      const disk = new MemoryDisk(['/s', RESULT_FOLDER, '/']);
      disk.write(`${RESULT_FOLDER}/a.txt`, 'foreign');
      disk.write('/s/session.jsonl', 'session');
      const { store } = memoryResultStore({ disk });
      const owners = new Map<string, string>([
        [`${RESULT_FOLDER}/a.txt`, 'foreign'],
        ['/s/session.jsonl', 'session'],
      ]);
      for (const { id, content } of list) {
        const text = await store.saveReplacement(id, content).catch((error: unknown) => error);
        const paths = disk.paths.filter((path) => !owners.has(path));
        if (typeof text !== 'string') {
          assert.ok(text instanceof StoreError, String(text));
          assert.deepEqual(paths, [], 'a refused result leaves nothing');
        } else {
          assert.ok(isSafeResultId(id));
          for (const path of paths) {
            assert.equal(path, `${RESULT_FOLDER}/${id}.txt`);
            assert.equal(disk.mode(path), 0o600);
            owners.set(path, disk.text(path) ?? '');
          }
        }
        for (const [path, held] of owners) assert.equal(disk.text(path), held);
      }
    },
  );

  property('P64: previews are well-formed prefixes within the limit', fc.oneof(anyText, sized), (text) =>
    assert.equal(previewProperty(text), undefined),
  );

  property(
    'P64: cut results state their true length',
    fc.tuple(fc.oneof(anyText, sized), fc.constantFrom(1, 2, 10, 2000, 15_000)),
    ([text, limit]) => assert.equal(truncationProperty(text, limit), undefined),
  );
});
