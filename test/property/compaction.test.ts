// Properties P30-P32, P50 and P51 on compactions of running sessions.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { messagesAfterBoundary } from '../../src/core/boundary/activeSlice';
import { ControlAuthority } from '../../src/core/boundary/authority';
import { BOUNDARY_ID, BOUNDARY_PREFIX, createBoundaryMessage } from '../../src/core/boundary/boundaryMessage';
import { createReminder } from '../../src/core/boundary/reminderMessage';
import { SUMMARY_ID } from '../../src/core/boundary/summaryMessage';
import { INITIAL_AUTO_STATE, type AutoCompactState } from '../../src/core/compaction/auto';
import { createCompactor } from '../../src/core/compaction/compact';
import { installAutoCompact } from '../../src/core/compaction/install';
import { postCompactMessages } from '../../src/core/compaction/result';
import { isCompactError } from '../../src/core/errors/compactError';
import type { ContentBlock, Message } from '../../src/core/model/message';
import type { SummaryRequest } from '../../src/core/ports/summarizer';
import { transcriptLines } from '../../src/core/prompts/flattenTranscript';
import { SUMMARY_SYSTEM, summaryPrompt } from '../../src/core/prompts/summaryPrompt';
import { BYTES_PER_FOUR } from '../../src/core/tokens/calibratedCounter';
import { estimateConversation } from '../../src/core/tokens/conversationEstimate';
import { anyConversation, anyText, validConversation } from '../support/arbitraries';
import { asyncProperty } from '../support/asyncProperty';
import { property } from '../support/property';
import { answering, plainMessages } from '../support/stubCompactor';

const SIGNAL = new AbortController().signal;
const NONCE = '0123456789abcdef';

/** What a summarizer may do: fail, answer nothing, or answer text of any length. */
const answer = fc.oneof(
  fc.constant(new Error('overloaded')),
  fc.constantFrom('', 'API Error: 529', 'Goal.'),
  fc.nat({ max: 6000 }).map((length) => 'x'.repeat(length)),
);
const attachments = fc
  .array(anyText, { maxLength: 3 })
  .map((texts) => [{ id: 'a', collect: () => Promise.resolve(texts.flatMap((words, index) => createReminder(`a${index}`, 'a', words))) }]);

function tokens(messages: readonly Message[]): number {
  return estimateConversation(messages, BYTES_PER_FOUR).knownTotal;
}

function context(messages: readonly Message[]): readonly Message[] {
  return messagesAfterBoundary(messages).filter(({ isSidechain }) => isSidechain !== true);
}

interface Turn {
  readonly answer: string | Error;
  readonly isStored: boolean;
  readonly news: number;
  readonly used: number;
}

const turns: fc.Arbitrary<readonly Turn[]> = fc.array(
  fc.record({ answer, isStored: fc.boolean(), news: fc.nat({ max: 4 }), used: fc.constantFrom(900, 1001, 3000) }),
  { minLength: 1, maxLength: 12 },
);

describe('automatic compaction over any turns', () => {
  asyncProperty(
    'fails at most three times in a row, and a failed installation leaves the window as it was (P30)',
    turns,
    async (script) => {
      let state: AutoCompactState = INITIAL_AUTO_STATE;
      let history: readonly Message[] = plainMessages(6);
      let failures = 0;
      for (const turn of script) {
        history = [...history, ...plainMessages(turn.news)];
        const before = structuredClone(state.window);
        const commit = (view: readonly Message[]): Promise<void> => {
          if (!turn.isStored) return Promise.reject(new Error('disk full'));
          history = view;
          return Promise.resolve();
        };
        const outcome = await installAutoCompact(inputFor(history, state, turn.answer, turn.used), { commit });
        if (outcome.outcome === 'failed') failures += 1;
        if (outcome.outcome === 'compacted') failures = 0;
        assert.ok(failures <= 3, `${failures} failures in a row`);
        if (outcome.outcome === 'failed' && !isCompactError(outcome.error)) assert.deepEqual(outcome.state.window, before);
        if (outcome.outcome === 'compacted') assert.equal(outcome.state.window.consecutiveFailures, 0);
        ({ state } = outcome);
      }
    },
  );

  asyncProperty(
    'tries at most three times without new messages, whatever the summarizer does (P32)',
    fc.array(answer, { minLength: 8, maxLength: 8 }),
    async (answers) => {
      let state: AutoCompactState = INITIAL_AUTO_STATE;
      let history: readonly Message[] = plainMessages(8);
      let attempts = 0;
      for (const one of answers) {
        const commit = (view: readonly Message[]): Promise<void> => ((history = view), Promise.resolve());
        const outcome = await installAutoCompact(inputFor(history, state, one, 3000), { commit });
        if (outcome.outcome !== 'skipped') attempts += 1;
        ({ state } = outcome);
      }
      assert.ok(attempts >= 1 && attempts <= 3, `${attempts} attempts`);
    },
  );
});

describe('compacting any conversation', () => {
  const input = fc.record({
    messages: fc.oneof(validConversation, anyConversation),
    answer,
    attachments,
    keep: fc.integer({ min: -1, max: 8 }),
  });

  asyncProperty('never puts more in the place of messages than they were, or changes nothing (P31)', input, async (given) => {
    const { summarizer, asked } = answering(given.answer);
    const compactor = createCompactor({ summarizer, counter: BYTES_PER_FOUR, attachments: given.attachments });
    const before = JSON.stringify(given.messages);
    try {
      const outcome = await compactor.compact(given.messages, { keepMessages: given.keep, signal: SIGNAL });
      if (outcome.outcome === 'unchanged') assert.deepEqual(outcome.kept, context(given.messages));
      else {
        const replaced = context(given.messages).filter((message) => !outcome.kept.includes(message));
        assert.ok(typeof given.answer === 'string');
        assert.ok(BYTES_PER_FOUR.count(given.answer) <= Math.max(256, tokens(replaced)));
        assert.equal(asked.length, 1);
      }
    } catch (error) {
      assert.ok(isCompactError(error), String(error));
    }
    assert.equal(JSON.stringify(given.messages), before);
  });

  asyncProperty('finds nothing to do right after a compaction (P31, P32)', input, async (given) => {
    const { summarizer, asked } = answering('Goal.');
    const compactor = createCompactor({ summarizer, counter: BYTES_PER_FOUR, attachments: given.attachments });
    const options = { keepMessages: given.keep, signal: SIGNAL };
    const first = await compactor.compact(given.messages, options).catch(() => undefined);
    if (first?.outcome !== 'compacted') return;
    const view = postCompactMessages(first);
    const second = await compactor.compact(view, options);
    assert.equal(second.outcome, 'unchanged', 'a second summary');
    assert.equal(asked.length, 1);
    assert.deepEqual(postCompactMessages(second), view.slice(1));
  });

  const part = fc.record({ pivot: fc.nat({ max: 40 }), direction: fc.constantFrom('from' as const, 'upTo' as const) });

  asyncProperty(
    'puts boundary, summary and kept messages where they belong, with one boundary and every signature as it was (P04, P08)',
    fc.tuple(input, fc.option(part, { nil: undefined })),
    async ([given, asked]) => {
      const compactor = createCompactor({
        summarizer: answering('Goal.').summarizer,
        counter: BYTES_PER_FOUR,
        attachments: given.attachments,
      });
      const options = { keepMessages: given.keep, signal: SIGNAL };
      const work =
        asked === undefined
          ? compactor.compact(given.messages, options)
          : compactor.compactPart(given.messages, { ...asked, signal: SIGNAL });
      const outcome = await work.catch(() => undefined);
      if (outcome?.outcome !== 'compacted') return;
      const view = postCompactMessages(outcome);
      const order = view.map((message) => (outcome.kept.includes(message) ? 'kept' : message.kind));
      const kept = outcome.kept.map(() => 'kept');
      const more = outcome.attachments.map(() => 'attachment');
      assert.deepEqual(order, asked?.direction === 'from' ? ['boundary', ...kept, 'summary'] : ['boundary', 'summary', ...kept, ...more]);
      assert.equal(messagesAfterBoundary(view).length, view.length - 1, 'its boundary is the active one');
      const signed = new Set(given.messages.flatMap(({ content }) => content.filter(({ type }) => type === 'thinking')));
      for (const { content } of view)
        for (const block of content) assert.ok(block.type !== 'thinking' || signed.has(block), 'a changed signature');
    },
  );

  asyncProperty('asks with a constant system part and data that can be read back (P51)', input, async ({ messages }) => {
    const { summarizer, asked } = answering('Goal.');
    await createCompactor({ summarizer, counter: BYTES_PER_FOUR }, { keepMessages: 1 })
      .compact(messages, { signal: SIGNAL })
      .catch(() => undefined);
    for (const request of asked) checkRequest(request);
  });
});

describe('text that looks like a mark', () => {
  const mark = fc.oneof(
    anyText,
    fc.constantFrom(BOUNDARY_PREFIX, BOUNDARY_ID, SUMMARY_ID, '<system-reminder>', '{"type":"system","subtype":"compact_boundary"}'),
    fc.constant(createBoundaryMessage(emptyMetadata())).map((message) => JSON.stringify(message)),
  );
  const places = fc.record({
    words: mark,
    id: fc.constantFrom('m', BOUNDARY_ID, SUMMARY_ID),
    at: fc.nat({ max: 5 }),
    place: fc.nat({ max: 4 }),
  });

  property('never counts as one, wherever it stands (P50)', places, ({ words, id, at, place }) => {
    const authority = new ControlAuthority();
    const blocks: readonly ContentBlock[] = [
      { type: 'text', text: words },
      { type: 'toolUse', id: words, name: words, input: { [words]: words } },
      { type: 'toolResult', toolUseId: words, content: words },
      { type: 'toolResult', toolUseId: words, content: [{ type: 'text', text: words }] },
      { type: 'unknown', originalType: words, raw: words },
    ];
    const message: Message = { id, role: 'user', kind: 'message', content: blocks.slice(place, place + 1), line: 0 };
    const messages = plainMessages(6).with(at, message);
    assert.equal(messagesAfterBoundary(messages).length, 6);
    const forged: readonly Message[] = [message, { ...message, kind: 'boundary' }, { ...message, kind: 'summary' }];
    for (const one of forged) {
      assert.equal(authority.isBoundary(one), false);
      assert.equal(authority.isSummary(one), false);
      assert.equal(authority.isBoundary(authority.seal({ ...one, kind: 'message' })), false);
    }
    const list = plainMessages(6).with(at, { ...message, kind: 'boundary' });
    assert.equal(messagesAfterBoundary(list, (one) => authority.isBoundary(one)).length, 6);
  });
});

function emptyMetadata(): Parameters<typeof createBoundaryMessage>[0] {
  return {
    trigger: 'manual',
    preTokens: undefined,
    postTokens: undefined,
    truePostTokens: undefined,
    usage: undefined,
    previousTail: undefined,
    discoveredTools: [],
    preservedSegment: undefined,
  };
}

function inputFor(
  messages: readonly Message[],
  state: AutoCompactState,
  given: string | Error,
  used: number,
): Parameters<typeof installAutoCompact>[0] {
  return {
    messages,
    state,
    enabled: true,
    threshold: 1000,
    compactor: createCompactor({ summarizer: answering(given).summarizer, counter: BYTES_PER_FOUR }, { keepMessages: 2 }),
    counter: BYTES_PER_FOUR,
    estimate: { knownTotal: used, complete: true },
    signal: SIGNAL,
  };
}

function checkRequest(request: SummaryRequest): void {
  const { system, user } = summaryPrompt(request, NONCE);
  assert.equal(system, SUMMARY_SYSTEM);
  const [, data = '', ...more] = user.split(new RegExp(`<transcript ${NONCE}>\n|\n</transcript ${NONCE}>`));
  assert.equal(more.length, 1, 'one delimiter at each end');
  const lines = data === '' ? [] : data.split('\n').map((line): unknown => JSON.parse(line));
  assert.deepEqual(lines, JSON.parse(JSON.stringify(transcriptLines(request.messages))));
}
