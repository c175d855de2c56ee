import assert from 'node:assert/strict';
import { measureMessages } from '../../../src/core/tokens/sizes';
import { priorScale } from '../../../src/core/tokens/priorScale';
import { countedTokens, MESSAGE_OVERHEAD } from '../../../src/core/tokens/messageTokens';
import type { ContextReport } from '../../../src/core/model/transcript';
import { assistant, boundary, call, reported, results, user } from '../../support/messages';
import { transcriptOf } from '../../support/transcriptOf';

const words = { id: 'words', count: (text: string) => text.split(/\s+/).filter((word) => word !== '').length };
const filler = (count: number): string => 'word '.repeat(count);

describe('counted messages', () => {
  it('adds overheads for the message, its blocks, calls and results, and a flat amount for media', () => {
    const { message, block, toolPart } = MESSAGE_OVERHEAD;
    assert.equal(countedTokens(user('two words'), words), message + block + 2);
    assert.equal(countedTokens(assistant(call('t1')), words), message + block + toolPart + 2);
    const nested = user('', {
      content: [{ type: 'toolResult', toolUseId: 't', content: [{ type: 'image' }, { type: 'text', text: 'a b c' }] }],
    });
    assert.equal(countedTokens(nested, words, 100), message + block + toolPart + 3 + 100);
  });
});

describe('sizes of a session', () => {
  it('gives boundaries nothing', () => {
    const { tokens } = measureMessages(transcriptOf([user('a'), boundary(), user('b')]), {});
    assert.deepEqual(tokens, [5, 0, 5]);
  });

  it('takes all fragments of a response as one anchor', () => {
    const fragment = { messageId: 'm1', ...reported(1000, 2000) };
    const messages = [
      user('go'),
      assistant(filler(600), fragment),
      assistant(call('t1'), fragment),
      results('t1'),
      user(filler(1000)),
      assistant('end', { messageId: 'm2', ...reported(1000 + 2000 + 1500, 5) }),
    ];
    const between = countedTokens(results('t1'), words) + countedTokens(user(filler(1000)), words);
    assert.equal(measureMessages(transcriptOf(messages), { counter: words }).scale, 1500 / between);
  });

  it('counts results between fragments to what came after the request', () => {
    const fragment = { messageId: 'm1', ...reported(1000, 900) };
    const messages = [
      assistant(call('t1'), fragment),
      user('', { content: [{ type: 'toolResult', toolUseId: 't1', content: filler(1000) }] }),
      assistant(call('t2'), fragment),
      results('t2'),
      assistant('end', { messageId: 'm2', ...reported(3500, 5) }),
    ];
    const between = countedTokens(messages[1] ?? user(''), words) + countedTokens(results('t2'), words);
    assert.equal(measureMessages(transcriptOf(messages), { counter: words }).scale, 1600 / between);
  });

  it('lets content stand in for a placeholder output', () => {
    const messages = [assistant(filler(1000), reported(1000, 1)), user(filler(1000)), assistant('end', reported(4018, 1))];
    const content = countedTokens(user(filler(1000)), words) * 2;
    assert.equal(measureMessages(transcriptOf(messages), { counter: words }).scale, 3018 / content);
  });

  it('compares no reports across a boundary', () => {
    const messages = [
      assistant('a', reported(1000, 5)),
      user(filler(1000)),
      boundary(),
      user(filler(1000)),
      assistant('b', reported(9000, 5)),
    ];
    assert.equal(measureMessages(transcriptOf(messages), { counter: words }).scale, 1);
  });

  it('calibrates on counts that stand apart', () => {
    const report = (afterIndex: number, contextTokens: number, more: Partial<ContextReport> = {}): ContextReport => ({
      afterIndex,
      contextTokens,
      inputTokens: contextTokens - 100,
      outputTokens: 100,
      cacheReadTokens: 0,
      isAgentEstimate: false,
      line: 0,
      ...more,
    });
    const messages = [user('go'), assistant('a'), user(filler(994)), assistant(filler(500)), user('next')];
    const reports = [report(2, 2000), report(4, 3350)];
    // 3350 − 100 − 2000 = 1250 for 994 words and the overhead of one message
    assert.equal(measureMessages(transcriptOf(messages, { reports }), { counter: words }).scale, 1.25);
    const estimated = [report(2, 2000, { isAgentEstimate: true }), report(4, 3350)];
    assert.equal(measureMessages(transcriptOf(messages, { reports: estimated }), { counter: words }).scale, 1);
  });

  it('starts from the factor of the model’s family', () => {
    assert.equal(measureMessages(transcriptOf([user('a')], { model: 'claude-opus-4-8' }), {}).scale, 1.53);
  });

  it('sizes side chains by their own last report', () => {
    const reportedChain = [user('task'), assistant('done', reported(5000, 40)), user('abc')];
    const silentChain = [user('task')];
    const sidechains = [
      { id: 's1', messages: reportedChain },
      { id: 's2', messages: silentChain },
    ];
    assert.deepEqual(measureMessages(transcriptOf([], { sidechains }), {}).sidechainTokens, [5000 + 40 + 5, 6]);
  });
});

describe('factors of families', () => {
  const rows: readonly (readonly [string | undefined, number])[] = [
    [undefined, 1],
    ['gpt-5', 1],
    ['claude-sonnet-4-20250514', 1.16],
    ['claude-opus-4-6', 1.16],
    ['anthropic/claude-opus-4-7', 1.53],
    ['claude-sonnet-5', 1.53],
    ['claude-3-5-sonnet-20241022', 1.16],
    ['claude-fable-5[1m]', 1.53],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 1.16],
  ];
  for (const [model, scale] of rows) it(`${model ?? 'no model'}: ${scale}`, () => assert.equal(priorScale(model), scale));
});
