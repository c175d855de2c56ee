import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ContentBlock, Message } from '../../src/core/model/message';
import { CALIBRATION } from '../../src/core/tokens/calibration';
import { CalibratedCounter, BYTES_PER_FOUR } from '../../src/core/tokens/calibratedCounter';
import { estimateMessageTokens, heuristicTokens } from '../../src/core/tokens/charHeuristic';
import { estimateConversation } from '../../src/core/tokens/conversationEstimate';
import { createEstimator } from '../../src/core/tokens/estimator';
import { contentParts, contentTokens } from '../../src/core/tokens/messageTokens';
import { fittedGeneration } from '../../src/core/tokens/modelGeneration';
import { sessionTotals } from '../../src/core/tokens/sessionTotals';
import { measureMessages } from '../../src/core/tokens/sizes';
import { anyConversation, anyMessage, anyText, brokenUsage, mediaBlock, validConversation } from '../support/arbitraries';
import { property } from '../support/property';
import { transcriptOf } from '../support/transcriptOf';

const either = fc.oneof(validConversation, anyConversation);
const estimates: readonly (readonly [string, (message: Message) => number])[] = [
  ['the bytes heuristic', (message) => heuristicTokens(message)],
  ['a counted message', (message) => Math.trunc(contentTokens(contentParts(message, BYTES_PER_FOUR), fittedGeneration('other').cost))],
  ['a message estimate', estimateMessageTokens],
];

describe('estimates', () => {
  property(
    'P10: the scale is within its bounds, whatever was reported',
    fc.tuple(either, brokenUsage, fc.nat({ max: 40 })),
    ([messages, usage, at]) => {
      const broken = messages.map((message, index) => (index === at ? { ...message, usage } : message));
      for (const list of [messages, broken]) {
        const { scale } = createEstimator(list);
        assert.ok(scale >= CALIBRATION.minScale && scale <= CALIBRATION.maxScale, String(scale));
        const measured = measureMessages(transcriptOf(list), {}).scale;
        assert.ok(measured >= CALIBRATION.minScale && measured <= CALIBRATION.maxScale, String(measured));
      }
    },
  );

  property(
    'P10: a window that shrank or mixes two models adds nothing',
    fc.tuple(validConversation, fc.boolean(), fc.nat({ max: 9000 })),
    ([messages, isShrunk, size]) => {
      const tail = messages.at(-1);
      const last = messages.findLast((message) => message.usage !== undefined);
      if (tail === undefined || last?.usage === undefined) return;
      const prompt = isShrunk ? 1 : 150_000;
      const added: Message[] = [
        { id: 'added', role: 'user', kind: 'message', content: [{ type: 'text', text: 'x'.repeat(size) }], line: 0 },
        {
          id: 'odd',
          role: 'assistant',
          kind: 'message',
          content: [],
          line: 0,
          model: isShrunk ? 'm' : 'other',
          usage: { inputTokens: prompt, outputTokens: 0, cacheReadTokens: 0, cacheCreationTokens: 0 },
        },
      ];
      const named = messages.map((message): Message => (message.role === 'assistant' ? { ...message, model: 'm' } : message));
      assert.equal(createEstimator([...named, ...added]).scale, createEstimator(named).scale);
    },
  );

  for (const [name, estimate] of estimates) {
    property(`P11: ${name} is a whole number, and more text never lowers it`, fc.tuple(anyMessage, anyText), ([message, text]) => {
      const size = estimate(message);
      assert.ok(Number.isInteger(size) && size >= 0, String(size));
      const longer: Message = { ...message, content: [...message.content, { type: 'text', text }] };
      assert.ok(estimate(longer) >= size);
    });
  }

  property('P11: the estimate of two lists is the sum of both', fc.tuple(anyConversation, anyConversation), ([a, b]) => {
    const total = (list: readonly Message[]): number => estimateConversation(list, BYTES_PER_FOUR).knownTotal;
    assert.equal(total([...a, ...b]), total(a) + total(b));
  });

  property(
    'P12: media cost by their number, at any depth',
    fc.tuple(fc.array(mediaBlock, { maxLength: 5 }), anyText, fc.boolean()),
    ([media, text, isNested]) => {
      const words: ContentBlock = { type: 'text', text };
      const wrap = (content: readonly ContentBlock[]): Message => ({
        id: '',
        role: 'user',
        kind: 'message',
        line: 0,
        content: isNested ? [{ type: 'toolResult', toolUseId: 't', content }] : content,
      });
      assert.equal(heuristicTokens(wrap([words, ...media])) - heuristicTokens(wrap([words])), media.length * 1500);
      const url: ContentBlock = { type: 'text', text: `data:image/png;base64,${'QUJD'.repeat(700)}` };
      assert.ok(heuristicTokens(wrap([url])) > 700);
    },
  );

  property(
    'P13: complete means that nothing is unknown, and the total is the sum of what is known',
    fc.tuple(
      anyConversation,
      fc.record({
        systemPrompt: fc.option(fc.nat(), { nil: undefined }),
        toolSchema: fc.option(fc.nat(), { nil: undefined }),
        media: fc.option(fc.nat(), { nil: undefined }),
      }),
    ),
    ([messages, overhead]) => {
      const estimate = estimateConversation(messages, BYTES_PER_FOUR, overhead);
      assert.equal(
        estimate.complete,
        estimate.overheads.every(({ basis }) => basis !== 'unknown'),
      );
      const sum = estimate.overheads.reduce((total, { tokens }) => total + tokens, estimate.messageContent + estimate.toolPayload);
      assert.equal(estimate.knownTotal, sum);
      if (overhead.systemPrompt === undefined) assert.ok(estimate.unknown.includes('systemPrompt'));
    },
  );

  const observation = fc.oneof(fc.integer(), fc.constantFrom(0, -1, NaN, Infinity, 0.5));
  property(
    'P14: the calibrated counter stays finite and positive',
    fc.tuple(fc.array(fc.tuple(observation, observation), { maxLength: 20 }), anyText),
    ([observations, text]) => {
      const counter = new CalibratedCounter(observations[0]?.[0]);
      for (const [chars, tokens] of observations) counter.observe(chars, tokens);
      assert.ok(Number.isFinite(counter.charsPerToken) && counter.charsPerToken > 0);
      assert.ok(Number.isInteger(counter.count(text)) && counter.count(text) >= 0);
    },
  );
});

describe('totals', () => {
  property('P26: a record that is written twice changes no total', fc.tuple(validConversation, fc.nat()), ([messages, pick]) => {
    const at = pick % messages.length;
    const record = messages[at];
    if (record === undefined || record.messageId === undefined) return;
    const doubled = [...messages.slice(0, at), record, ...messages.slice(at)];
    assert.deepEqual(sessionTotals(doubled), sessionTotals(messages));
  });

  property('P26: each response counts once, with its largest output', validConversation, (messages) => {
    const byId = new Map(messages.filter(({ usage }) => usage !== undefined).map(({ messageId, usage }) => [messageId, usage]));
    const output = [...byId.values()].reduce((sum, usage) => sum + (usage?.outputTokens ?? 0), 0);
    assert.deepEqual(
      { responses: byId.size, output },
      { responses: sessionTotals(messages).responses, output: sessionTotals(messages).outputTokens },
    );
  });

  property(
    'an earlier, smaller record of a response changes no total',
    fc.tuple(validConversation, fc.nat({ max: 5 })),
    ([messages, output]) => {
      const started = messages.flatMap((message): readonly Message[] => {
        if (message.usage === undefined || message.messageId === undefined) return [message];
        return [
          { ...message, content: [], usage: { ...message.usage, outputTokens: Math.min(output, message.usage.outputTokens) } },
          message,
        ];
      });
      assert.deepEqual(sessionTotals(started), sessionTotals(messages));
    },
  );
});

describe('measured sizes', () => {
  property('one whole number for each message; a counter that is asked again counts nothing anew', either, (messages) => {
    let calls = 0;
    const counter = { id: 'test', count: (text: string) => ((calls += 1), text.length) };
    const transcript = transcriptOf(messages);
    const first = measureMessages(transcript, { counter });
    assert.equal(first.tokens.length, messages.length);
    assert.ok(first.tokens.every((size) => Number.isInteger(size) && size >= 0));
    const before = calls;
    const added: Message = { id: 'new', role: 'user', kind: 'message', content: [{ type: 'text', text: 'new' }], line: 0 };
    measureMessages({ ...transcript, messages: [...messages, added] }, { counter });
    assert.equal(calls - before, 1);
  });
});
