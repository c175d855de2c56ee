import assert from 'node:assert/strict';
import { measureMessages } from '../../../src/core/tokens/sizes';
import { errorBand, type GuessedTokens } from '../../../src/core/tokens/errorBand';
import { priorScale } from '../../../src/core/tokens/priorScale';
import { contentParts, contentTokens, MESSAGE_OVERHEAD } from '../../../src/core/tokens/messageTokens';
import { fittedGeneration } from '../../../src/core/tokens/modelGeneration';
import { afterWindow, startingFit } from '../../../src/core/tokens/sessionFit';
import type { Message } from '../../../src/core/model/message';
import type { ContextReport } from '../../../src/core/model/transcript';
import { assistant, boundary, call, reported, results, user } from '../../support/messages';
import { transcriptOf } from '../../support/transcriptOf';

const words = { id: 'words', count: (text: string) => text.split(/\s+/).filter((word) => word !== '').length };
const NO_PARTS = { tokens: 0, chars: 0, messages: 1, blocks: 0, calls: 0, results: 0, hiddenThinking: 0, media: 0 };
const filler = (count: number): string => 'word '.repeat(count);

const other = fittedGeneration('other').cost;
const sizeOf = (message: Message): number => contentTokens(contentParts(message, words), other);
/** Factor after windows of these actual and estimated sizes, for a model of which nothing is known. */
const scaleAfter = (...windows: readonly (readonly [actual: number, estimated: number])[]): number => {
  const guessed = (later: number): GuessedTokens => ({ later, reply: 0, hiddenThinking: 0 });
  const band = fittedGeneration('other').band;
  return windows.reduce((fit, [actual, later]) => afterWindow(fit, { actual, guessed: guessed(later) }, band), startingFit(1)).scale;
};

describe('parts of messages', () => {
  it('counts text, blocks, calls, results, hidden thinking and media apart', () => {
    assert.deepEqual(contentParts(user('two words'), words), { ...NO_PARTS, tokens: 2, chars: 9, blocks: 1 });
    assert.deepEqual(contentParts(assistant(call('t1')), words), { ...NO_PARTS, tokens: 2, chars: 6, calls: 1 });
    const nested = user('', {
      content: [{ type: 'toolResult', toolUseId: 't', content: [{ type: 'image' }, { type: 'text', text: 'a b c' }] }],
    });
    assert.deepEqual(contentParts(nested, words), { ...NO_PARTS, tokens: 3, chars: 5, results: 1, media: 1 });
    const thinking = assistant([
      { type: 'thinking', text: '', signature: 's' },
      { type: 'thinking', text: 'so be it' },
    ]);
    assert.deepEqual(contentParts(thinking, words), { ...NO_PARTS, tokens: 3, chars: 8, blocks: 2, hiddenThinking: 1 });
  });

  it('costs the protocol overhead of seed 2 where nothing is known of the model', () => {
    const { message, block, toolPart } = MESSAGE_OVERHEAD;
    assert.equal(sizeOf(user('two words')), message + block + 2);
    assert.equal(sizeOf(assistant(call('t1', 't2'))), message + 2 * (block + toolPart) + 4);
    assert.equal(sizeOf(results('t1')), message + block + toolPart + 1);
  });

  it('costs a Claude model by its generation', () => {
    for (const generation of ['claude47', 'claude46'] as const) {
      const { cost } = fittedGeneration(generation);
      const parts = { ...NO_PARTS, tokens: 100, chars: 400, calls: 1, results: 1 };
      assert.equal(contentTokens(parts, cost), 100 * cost.token + 400 * cost.char + cost.call + cost.result);
      assert.equal(contentTokens({ ...NO_PARTS, hiddenThinking: 2 }, cost), 2 * cost.hiddenThinking);
    }
    const text = { ...NO_PARTS, tokens: 1000, chars: 4000 };
    const [newer, older] = (['claude47', 'claude46'] as const).map((name) => contentTokens(text, fittedGeneration(name).cost));
    assert.ok(newer !== undefined && older !== undefined && newer > older && older > 1000, 'newer tokenizers cut finer');
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
    const between = sizeOf(results('t1')) + sizeOf(user(filler(1000)));
    assert.equal(measureMessages(transcriptOf(messages), { counter: words }).scale, scaleAfter([1500, between]));
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
    const between = sizeOf(messages[1] ?? user('')) + sizeOf(results('t2'));
    assert.equal(measureMessages(transcriptOf(messages), { counter: words }).scale, scaleAfter([1600, between]));
  });

  it('lets content stand in for a placeholder output', () => {
    const messages = [assistant(filler(1000), reported(1000, 1)), user(filler(1000)), assistant('end', reported(4018, 1))];
    const content = sizeOf(user(filler(1000))) * 2;
    assert.equal(measureMessages(transcriptOf(messages), { counter: words }).scale, scaleAfter([3018, content]));
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
    assert.equal(measureMessages(transcriptOf(messages, { reports }), { counter: words }).scale, scaleAfter([1250, 1000]));
    const estimated = [report(2, 2000, { isAgentEstimate: true }), report(4, 3350)];
    assert.equal(measureMessages(transcriptOf(messages, { reports: estimated }), { counter: words }).scale, 1);
  });

  it('makes no answer larger than what was recorded for it', () => {
    const fragment = { messageId: 'm1', ...reported(1000, 150) };
    const text = filler(90);
    const of = (more: Partial<Message>): readonly number[] =>
      measureMessages(transcriptOf([user('go'), assistant(text, { ...fragment, ...more }), assistant(text, { ...fragment, ...more })]), {
        counter: words,
      }).tokens.slice(1);
    assert.deepEqual(of({}), [75, 75]);
    assert.deepEqual(of(reported(1000, 500)), [96, 96]);
    assert.deepEqual(of(reported(1000, 3)), [96, 96], 'a placeholder holds nothing back');
  });

  it('does not learn from reports of another generation', () => {
    const turns = (model: string): Message[] => [
      user('go'),
      assistant('a', { messageId: 'm1', model, ...reported(1000, 5) }),
      user(filler(1000)),
      assistant('b', { messageId: 'm2', model, ...reported(9000, 5) }),
    ];
    const scaleOf = (model: string): number =>
      measureMessages(transcriptOf(turns(model), { model: 'claude-opus-4-8' }), { counter: words }).scale;
    assert.equal(scaleOf('claude-opus-4-6'), 1);
    assert.ok(scaleOf('claude-opus-4-7') > 1);
  });

  it('states a band for what is guessed, narrower with a tokenizer', () => {
    const guessed = { later: 1000, reply: 0, hiddenThinking: 0 };
    const transcript = transcriptOf([user('go')], { model: 'claude-opus-4-8' });
    const counted = measureMessages(transcript, { counter: words }).bandOf(guessed);
    assert.equal(counted, errorBand(guessed, fittedGeneration('claude47').band));
    assert.ok(counted < measureMessages(transcript, {}).bandOf(guessed));
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
