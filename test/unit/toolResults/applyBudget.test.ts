import assert from 'node:assert/strict';
import { toolResultText, type ContentBlock, type Message } from '../../../src/core/model/message';
import { applyToolResultBudget, type ReplacementStore } from '../../../src/core/toolResults/applyBudget';
import { EMPTY_REPLACEMENTS } from '../../../src/core/toolResults/replacementState';
import { assistant, call, user } from '../../support/messages';

const STORE: ReplacementStore = { saveReplacement: (id) => Promise.resolve(`saved ${id}`) };

function result(toolUseId: string, length: number, more: Partial<Extract<ContentBlock, { type: 'toolResult' }>> = {}): ContentBlock {
  return { type: 'toolResult', toolUseId, content: 'x'.repeat(length), ...more };
}

function withResults(...content: readonly ContentBlock[]): Message {
  return user('', { content });
}

function lengths(messages: readonly Message[]): readonly number[] {
  return messages.flatMap(({ content }) => content.flatMap((block) => (block.type === 'toolResult' ? [toolResultText(block).length] : [])));
}

describe('applyToolResultBudget', () => {
  it('counts UTF-16 units and leaves exactly 200,000 alone', async () => {
    const messages = [withResults(result('a', 0, { content: '漢'.repeat(200_000) }))];
    const { messages: view, records } = await applyToolResultBudget(messages, EMPTY_REPLACEMENTS, STORE);
    assert.equal(view, messages);
    assert.deepEqual(records, []);
  });

  it('takes fragments of one response for one turn', async () => {
    const fragment = (id: string): Message => assistant(call(id), { messageId: 'm1' });
    const messages = [fragment('a'), withResults(result('a', 150_000)), fragment('b'), withResults(result('b', 100_000))];
    const { records } = await applyToolResultBudget(messages, EMPTY_REPLACEMENTS, STORE);
    assert.deepEqual(records, [{ kind: 'tool-result', toolUseId: 'a', replacement: 'saved a' }]);
    const apart = messages.map((message, at) => (at === 2 ? { ...message, messageId: 'm2' } : message));
    assert.deepEqual((await applyToolResultBudget(apart, EMPTY_REPLACEMENTS, STORE)).records, []);
  });

  it('counts what stands for a result, and goes on until the group really fits', async () => {
    const store: ReplacementStore = { saveReplacement: () => Promise.resolve('r'.repeat(2500)) };
    const messages = [withResults(...Array.from({ length: 100 }, (_, i) => result(`t${i}`, 3000)))];
    const { messages: view } = await applyToolResultBudget(messages, EMPTY_REPLACEMENTS, store, { limit: 280_000 });
    const total = lengths(view).reduce((a, b) => a + b);
    assert.ok(total <= 280_000 && total > 280_000 - 500, String(total));
  });

  it('keeps a result whose replacement would not be shorter, and never looks at it again', async () => {
    const store: ReplacementStore = { saveReplacement: (_, text) => Promise.resolve(text) };
    const messages = [withResults(result('a', 5000))];
    const first = await applyToolResultBudget(messages, EMPTY_REPLACEMENTS, store, { limit: 10 });
    assert.equal(first.messages, messages);
    assert.deepEqual([...first.state.seen], ['a']);
    assert.deepEqual((await applyToolResultBudget(messages, first.state, STORE, { limit: 10 })).records, []);
  });

  it('replaces only the first result of an id, and shows the decision for that one alone', async () => {
    const messages = [withResults(result('a', 5000)), assistant('next'), withResults(result('a', 4000))];
    const first = await applyToolResultBudget(messages, EMPTY_REPLACEMENTS, STORE, { limit: 100 });
    assert.deepEqual(lengths(first.messages), ['saved a'.length, 4000]);
    assert.deepEqual(lengths((await applyToolResultBudget(messages, first.state, STORE, { limit: 100 })).messages), [
      'saved a'.length,
      4000,
    ]);
  });

  it('spares tools by name under every name of an id, and by what the tool says', async () => {
    const messages = [
      assistant([
        { type: 'toolUse', id: 'a', name: 'Bash', input: {} },
        { type: 'toolUse', id: 'a', name: 'Read', input: {} },
      ]),
      withResults(result('a', 5000), result('b', 5000, { metadata: new Map([['maxResultSizeChars', 'Infinity']]) }), result('c', 5000)),
    ];
    const { records, state } = await applyToolResultBudget(messages, EMPTY_REPLACEMENTS, STORE, {
      limit: 100,
      skipToolNames: new Set(['Read']),
    });
    assert.deepEqual(
      records.map(({ toolUseId }) => toolUseId),
      ['c'],
    );
    assert.deepEqual([...state.seen], ['a', 'b', 'c']);
  });

  it('stops before the next save when aborted', async () => {
    const controller = new AbortController();
    const saved: string[] = [];
    const store: ReplacementStore = {
      saveReplacement: (id) => {
        saved.push(id);
        controller.abort();
        return Promise.resolve('short');
      },
    };
    const messages = [withResults(result('a', 5000), result('b', 5000))];
    await assert.rejects(applyToolResultBudget(messages, EMPTY_REPLACEMENTS, store, { limit: 10, signal: controller.signal }), {
      name: 'AbortError',
    });
    assert.deepEqual(saved, ['a']);
  });

  it('keeps what is known about a replaced result beside its text', async () => {
    const block = result('a', 5000, {
      isError: true,
      outcome: 'failed',
      plainText: 'p',
      content: [{ type: 'text', text: 'x'.repeat(5000) }],
    });
    const { messages } = await applyToolResultBudget([withResults(block)], EMPTY_REPLACEMENTS, STORE, { limit: 10 });
    assert.deepEqual(messages[0]?.content, [{ type: 'toolResult', toolUseId: 'a', content: 'saved a', isError: true, outcome: 'failed' }]);
  });
});
