import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isAutoCompactDue, isOverThreshold } from '../../src/core/compaction/trigger';
import type { Message } from '../../src/core/model/message';
import { NEUTRAL_ESTIMATOR } from '../../src/core/tokens/estimator';
import { contextUsage, type ContextUsage } from '../../src/core/window/contextUsage';
import type { WarningInput } from '../../src/core/window/warningState';
import { warningState } from '../../src/core/window/warningState';
import { decisionTokens } from '../../src/core/window/decisionTokens';
import {
  currentInputUsage,
  EMPTY_WINDOW_STATE,
  previousCacheRead,
  providerReportedInput,
  withLocalEstimate,
  withPostCompactEstimate,
  withUsage,
} from '../../src/core/window/windowState';
import { contextWindowFor } from '../../src/core/window/windowSize';
import { implicationProperty, limitsProperty, monotoneProperty } from '../cases/adapters/window';
import { anyConversation, anyMessage, anyText, usage, validConversation } from '../support/arbitraries';
import { property } from '../support/property';
import { transcriptOf } from '../support/transcriptOf';

const oddNumber = fc.oneof(fc.integer({ min: -5, max: 1_200_000 }), fc.constantFrom(NaN, Infinity, -Infinity, 0.5, 200_000, 1e300));
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined });

const warningInput: fc.Arbitrary<WarningInput> = fc
  .record({
    maxTokens: maybe(oddNumber),
    maxOutputTokens: maybe(oddNumber),
    usedTokens: oddNumber,
    autoCompactEnabled: fc.boolean(),
    suppressWarning: fc.boolean(),
    thresholdPercent: maybe(oddNumber),
    minPercent: maybe(oddNumber),
    blockingLimitTokens: maybe(oddNumber),
  })
  .map(({ thresholdPercent, minPercent, blockingLimitTokens, ...rest }) => ({
    ...rest,
    ...(thresholdPercent === undefined ? {} : { thresholdPercent }),
    ...(minPercent === undefined ? {} : { minPercent }),
    ...(blockingLimitTokens === undefined ? {} : { blockingLimitTokens }),
  }));

describe('warning states', () => {
  for (const [name, check] of [
    ['P20: the limits are finite and in order', limitsProperty],
    ['P21: more usage never clears a flag', monotoneProperty],
    ['P22: a higher flag implies the lower ones', implicationProperty],
  ] as const) {
    property(name, warningInput, (input) => assert.equal(check(input), undefined));
  }

  property('P22: the state is the highest flag', warningInput, (input) => {
    const state = warningState(input);
    const flags = [state.isAtBlockingLimit, state.isAboveAutoCompactThreshold, state.isAboveErrorThreshold, state.isAboveWarningThreshold];
    const names = ['blocked', 'autoCompact', 'error', 'warning'];
    const expected = input.maxTokens !== undefined && input.maxTokens > 0 ? (names[flags.indexOf(true)] ?? 'normal') : 'unknown';
    assert.equal(state.state, expected);
  });

  property('automatic compaction is due only where its flag could be on, and there is room', warningInput, (input) => {
    if (!isAutoCompactDue(input)) return;
    const state = warningState({ ...input, suppressWarning: false });
    assert.ok(state.isAboveAutoCompactThreshold && !state.tooSmall && state.usedTokens > state.autoCompactThresholdTokens);
  });

  const tokens = fc.integer({ min: -1000, max: 300_000 });
  const threshold = fc.oneof(fc.double({ min: 0.01, max: 1, noNaN: true }), fc.constantFrom(NaN, 0, -1, 2, Infinity));
  property(
    'P23: the trigger grows with tokens and shrinks with limit and threshold',
    fc.tuple(tokens, tokens, tokens, tokens, threshold, fc.nat({ max: 5000 })),
    ([input, output, added, limit, share, more]) => {
      const given = { input, output, added, limit, threshold: share };
      const isOver = isOverThreshold(given);
      for (const key of ['input', 'output', 'added'] as const)
        assert.ok(!isOver || isOverThreshold({ ...given, [key]: given[key] + more }));
      if (limit > 0) assert.ok(isOver || !isOverThreshold({ ...given, limit: limit + more }));
      const isShare = share > 0 && share <= 1;
      if (isShare) assert.ok(isOver || !isOverThreshold({ ...given, threshold: Math.min(1, share + more / 5000) }));
      else assert.equal(isOver, isOverThreshold({ ...given, threshold: 0.9 }));
    },
  );
});

describe('use of the context', () => {
  const boundary: Message = { id: 'b', role: 'system', kind: 'boundary', content: [], line: 0 };

  property('P20, P26: the usage is finite and not negative', fc.oneof(validConversation, anyConversation), (messages) => {
    const { usedTokens, errorTokens, estimatedTailTokens, reportedTokens } = usageOf(messages);
    for (const number of [usedTokens, errorTokens, estimatedTailTokens, reportedTokens ?? 0])
      assert.ok(Number.isInteger(number) && number >= 0);
    assert.equal(usedTokens, (reportedTokens ?? 0) + estimatedTailTokens);
  });

  property(
    'P25: what stands before the boundary says nothing',
    fc.tuple(validConversation, validConversation, fc.array(usage, { minLength: 5 }), anyText),
    ([before, after, noise, text]) => {
      const loud = before.map((message, index): Message => ({
        ...message,
        ...(noise[index] === undefined ? {} : { usage: noise[index] }),
        content: [{ type: 'text', text }],
      }));
      assert.deepEqual(usageOf([...loud, boundary, ...after]), usageOf([...before, boundary, ...after]));
    },
  );

  property('P25: the call of the compaction itself says nothing', fc.tuple(validConversation, usage, usage), ([after, a, b]) => {
    const reply = (reported: typeof a): Message => ({
      id: 'r',
      role: 'assistant',
      kind: 'message',
      content: [],
      line: 0,
      isCompactionReply: true,
      usage: reported,
    });
    assert.deepEqual(usageOf([boundary, reply(a), ...after]), usageOf([boundary, reply(b), ...after]));
  });

  property(
    'P26: a fragment that is written twice does not change what was reported',
    fc.tuple(validConversation, fc.nat()),
    ([messages, pick]) => {
      const at = pick % messages.length;
      const record = messages[at];
      if (record?.messageId === undefined) return;
      assert.equal(usageOf([...messages.slice(0, at), record, ...messages.slice(at)]).reportedTokens, usageOf(messages).reportedTokens);
    },
  );

  property(
    'P27: side chains are no part of it',
    fc.tuple(validConversation, fc.array(anyMessage, { maxLength: 10 }), fc.nat()),
    ([messages, side, pick]) => {
      const at = pick % messages.length;
      const chain = side.map((message): Message => ({ ...message, isSidechain: true }));
      // Places move by the side chain's length; everything else stays.
      const placeless = (value: ContextUsage): ContextUsage => ({ ...value, atIndex: undefined, tailFrom: 0 });
      const mixed = placeless(usageOf([...messages.slice(0, at), ...chain, ...messages.slice(at)]));
      const alone = placeless(usageOf(messages));
      assert.deepEqual(mixed, alone);
    },
  );

  property('a later message adds its size and nothing else', fc.tuple(validConversation, anyText), ([messages, text]) => {
    const added: Message = { id: 'new', role: 'user', kind: 'message', content: [{ type: 'text', text }], line: 0 };
    assert.equal(usageOf([...messages, added]).usedTokens, usageOf(messages).usedTokens + NEUTRAL_ESTIMATOR.contentTokensOf(added));
  });
});

describe('decisions', () => {
  const size = fc.nat({ max: 300_000 });
  const known = fc.record({ knownTotal: size, complete: fc.boolean() }, { noNullPrototype: true });

  property(
    'P24: a decision is never below the report, and what is pending never lowers it',
    fc.tuple(known, usage, known, size, fc.option(size, { nil: 0 })),
    ([baseline, reported, estimate, pending, maxGrowth]) => {
      const state = withUsage(withLocalEstimate(EMPTY_WINDOW_STATE, baseline), reported);
      const grown = { ...estimate, knownTotal: Math.max(estimate.knownTotal, baseline.knownTotal) };
      const decision = decisionTokens(state, grown, maxGrowth);
      assert.ok(decision >= providerReportedInput(state));
      assert.ok(decisionTokens(state, { ...grown, knownTotal: grown.knownTotal + pending }, maxGrowth) >= decision);
      assert.ok(maxGrowth === 0 || decision <= providerReportedInput(state) + maxGrowth);
    },
  );

  property('a compaction clears what was reported before it', fc.tuple(usage, fc.integer({ min: -5, max: 5000 })), ([reported, tokens]) => {
    const state = withPostCompactEstimate(withUsage(EMPTY_WINDOW_STATE, reported), tokens);
    assert.deepEqual(currentInputUsage(state).tokens, Math.max(tokens, 0));
    assert.equal(previousCacheRead(state), 0);
    assert.equal(providerReportedInput(state), 0);
  });
});

describe('windows', () => {
  property(
    'a window is a whole positive number with a source, or unknown',
    fc.record({
      override: maybe(oddNumber),
      transcriptTokens: maybe(oddNumber),
      model: maybe(fc.oneof(anyText, fc.constantFrom('claude-opus-4-1', 'gpt-4o', 'x/claude-next[1m]', '*'))),
      maxReported: oddNumber,
      overrides: fc.dictionary(anyText, oddNumber),
    }),
    (query) => {
      const { tokens, source } = contextWindowFor(query);
      assert.equal(tokens === undefined, source === undefined);
      assert.ok(tokens === undefined || (Number.isInteger(tokens) && tokens > 0));
    },
  );
});

function usageOf(messages: readonly Message[]): ContextUsage {
  const sizes = messages.map((message) => (message.kind === 'boundary' ? 0 : NEUTRAL_ESTIMATOR.contentTokensOf(message)));
  return contextUsage(transcriptOf(messages), sizes);
}
