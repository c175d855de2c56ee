import assert from 'node:assert/strict';
import { ControlAuthority } from '../../../src/core/boundary/authority';
import { parseBoundaryMessage } from '../../../src/core/boundary/boundaryMessage';
import { createReminder } from '../../../src/core/boundary/reminderMessage';
import { createCompactor, type CompactorOptions, type CompactorPorts, type Compactor } from '../../../src/core/compaction/compact';
import type { CompactionEvent } from '../../../src/core/compaction/events';
import { postCompactMessages, type CompactionOutcome } from '../../../src/core/compaction/result';
import { HOOK_BLOCKED } from '../../../src/core/compaction/runHooks';
import { CompactError, hasUserMessage, isCompactError, type CompactErrorCode } from '../../../src/core/errors/compactError';
import { messageFor } from '../../../src/core/errors/messages';
import type { CompactionResult } from '../../../src/core/model/compactionResult';
import { textOf } from '../../../src/core/model/message';
import type { HookAnswer, HookCall } from '../../../src/core/ports/hooks';
import { BYTES_PER_FOUR } from '../../../src/core/tokens/calibratedCounter';
import { answering, plainMessages, type StubAnswer } from '../../support/stubCompactor';
import { call, result, text, withBlocks } from '../../support/transcripts';

const SIGNAL = new AbortController().signal;
const messages = plainMessages(8);

interface Made {
  readonly compactor: Compactor;
  readonly events: readonly CompactionEvent[];
  readonly asked: ReturnType<typeof answering>['asked'];
}

function made(answer: StubAnswer, ports: Partial<CompactorPorts> = {}, options: CompactorOptions = { keepMessages: 2 }): Made {
  const { summarizer, asked } = answering(answer);
  const events: CompactionEvent[] = [];
  const all = { summarizer, counter: BYTES_PER_FOUR, onEvent: (event: CompactionEvent) => void events.push(event), ...ports };
  return { compactor: createCompactor(all, options), events, asked };
}

function compacted(outcome: CompactionOutcome): CompactionResult {
  assert.ok(outcome.outcome === 'compacted');
  return outcome;
}

const rejectsWith = (code: CompactErrorCode) => (error: unknown) => isCompactError(error, code);

describe('compacting a running session', () => {
  it('answers its parts, which make the view in canonical order', async () => {
    const attachments = [{ id: 'plan', collect: () => Promise.resolve(createReminder('plan', 'plan', 'step 2')) }];
    const hooks = { run: ({ point }: HookCall) => Promise.resolve(point === 'sessionStart' ? { context: 'branch main' } : {}) };
    const done = compacted(await made('Goal.', { attachments, hooks }).compactor.compact(messages, { signal: SIGNAL }));
    const view = postCompactMessages(done);
    assert.deepEqual(
      view.map(({ kind }) => kind),
      ['boundary', 'summary', 'message', 'message', 'attachment', 'attachment'],
    );
    assert.deepEqual(view.slice(2, 4), messages.slice(6));
    assert.match(textOf(view[5] ?? text('user', '')), /branch main/);
    assert.deepEqual(postCompactMessages({ ...done, prepared: [messages[0] ?? text('user', '')] }), [messages[0]]);
  });

  it('writes the sizes into the boundary when the view is built, and renews its seal', async () => {
    const authority = new ControlAuthority();
    const scope = { sessionId: 's', project: 'p', generation: 3 };
    const done = compacted(await made('Goal.').compactor.compact(messages, { signal: SIGNAL }));
    assert.equal(parseBoundaryMessage(done.boundary)?.postTokens, undefined);
    const sealed = authority.sealResult(done, scope);
    assert.ok(sealed !== undefined);
    const [first] = postCompactMessages(sealed, authority);
    assert.ok(first !== undefined);
    assert.equal(authority.parseBoundary(first, scope)?.postTokens, done.postTokens);
    assert.equal(authority.parseBoundary(first, scope)?.preTokens, done.preTokens);
    const [bare] = postCompactMessages(sealed);
    assert.equal(bare !== undefined && authority.recognises(bare), false);
  });

  it('adds what a hook wishes to this request alone, shows what hooks say, and tells them the summary', async () => {
    const calls: HookCall[] = [];
    const answers: Readonly<Record<HookCall['point'], HookAnswer>> = {
      preCompact: { instructions: 'mind the port', display: 'before' },
      sessionStart: {},
      postCompact: { display: 'after' },
    };
    const hooks = { run: (one: HookCall) => (calls.push(one), Promise.resolve(answers[one.point])) };
    const { compactor, asked } = made('Goal.', { hooks }, { keepMessages: 2, instructions: 'be exact' });
    const done = compacted(await compactor.compact(messages, { signal: SIGNAL, trigger: 'auto' }));
    assert.equal(asked[0]?.instructions, 'be exact\n\nmind the port');
    assert.equal(done.displayText, 'before\nafter');
    assert.deepEqual(
      calls.map(({ point, summary, trigger }) => [point, summary, trigger]),
      [
        ['preCompact', '', 'auto'],
        ['sessionStart', '', 'auto'],
        ['postCompact', 'Goal.', 'auto'],
      ],
    );
  });

  it('asks in the form that its options name, with a usable limit', async () => {
    const options = { keepMessages: 2, style: 'concise', maxOutputTokens: 4000 } as const;
    const short = made('Goal.', {}, options);
    await short.compactor.compact(messages, { signal: SIGNAL });
    await short.compactor.compactPart(messages, { pivot: 4, direction: 'upTo', signal: SIGNAL });
    assert.deepEqual(
      short.asked.map(({ style, maxOutputTokens }) => [style, maxOutputTokens]),
      [
        ['concise', 4000],
        ['concise', 4000],
      ],
    );
    const usual = made('Goal.', {}, { keepMessages: 2, maxOutputTokens: 50_000 });
    await usual.compactor.compact(messages, { signal: SIGNAL });
    assert.deepEqual([usual.asked[0]?.style, usual.asked[0]?.maxOutputTokens], [undefined, 20_000]);
  });

  for (const point of ['preCompact', 'sessionStart', 'postCompact'] as const) {
    it(`ends without a result when the hook ${point} blocks or fails`, async () => {
      for (const answer of [() => Promise.resolve({ block: 'no' }), () => Promise.reject(new Error('exit 2'))]) {
        const hooks = { run: (one: HookCall): Promise<HookAnswer> => (one.point === point ? answer() : Promise.resolve({})) };
        const { compactor, events } = made('Goal.', { hooks });
        const error: unknown = await compactor.compact(messages, { signal: SIGNAL }).catch((thrown: unknown) => thrown);
        assert.ok(isCompactError(error, 'aborted'));
        assert.match(messageFor(error), /hooks/);
        assert.equal(events.at(-1)?.kind, 'failure');
      }
      assert.match(HOOK_BLOCKED, /stopped/);
    });
  }

  it('goes on without a source of attachments that fails, and says which', async () => {
    const broken = { id: 'skills', collect: () => Promise.reject(new Error('gone')) };
    const { compactor, events } = made('Goal.', { attachments: [broken] });
    assert.deepEqual(compacted(await compactor.compact(messages, { signal: SIGNAL })).attachments, []);
    assert.ok(events.some((event) => event.kind === 'attachmentFailed' && event.source === 'skills'));
  });

  it('names the full record only where its port finds one', async () => {
    const named = compacted(
      await made('G.', { transcriptPath: () => Promise.resolve('/log.jsonl') }).compactor.compact(messages, { signal: SIGNAL }),
    );
    assert.match(textOf(named.summaries[0] ?? text('user', '')), /unchanged in: \/log\.jsonl/);
    const none = compacted(
      await made('G.', { transcriptPath: () => Promise.resolve(undefined) }).compactor.compact(messages, { signal: SIGNAL }),
    );
    assert.doesNotMatch(textOf(none.summaries[0] ?? text('user', '')), /unchanged in/);
  });

  it('asks with neither reminders nor media, and keeps a running call', async () => {
    const history = [
      text('user', 'a'),
      ...createReminder('plan', 'plan', 'old plan'),
      withBlocks('user', [{ type: 'image' }]),
      text('assistant', 'b'),
      call('t1', 'Bash', {}),
      text('user', 'hurry'),
    ];
    const { compactor, asked } = made('Goal.', {}, { keepMessages: 2 });
    compacted(await compactor.compact(history, { signal: SIGNAL }));
    assert.doesNotMatch(JSON.stringify(asked[0]?.messages), /old plan|"image"/);
    const refused = await compactor.compact(history, { keepMessages: 1, signal: SIGNAL });
    assert.ok(refused.outcome === 'unchanged' && refused.reason === 'pendingToolCall');
    const answered = [...history.slice(0, 5), result('t1', 'ok'), text('assistant', 'c'), text('user', 'd')];
    assert.equal((await compactor.compact(answered, { keepMessages: 1, signal: SIGNAL })).outcome, 'compacted');
  });

  it('keeps an earlier summary on the kept side of a partial compaction', async () => {
    const history = [text('user', 'a'), text('assistant', 'b'), text('user', 'S', { kind: 'summary' }), text('user', 'c')];
    const done = compacted(await made('Goal.').compactor.compactPart(history, { pivot: 2, direction: 'upTo', signal: SIGNAL }));
    assert.deepEqual(done.kept, history.slice(2));
  });

  it('keeps the instructions that begin a chat through two compactions', async () => {
    const rules = text('system', 'rules');
    const { compactor } = made('Goal.');
    const first = compacted(await compactor.compact([rules, ...messages], { signal: SIGNAL }));
    const second = compacted(await compactor.compact([...postCompactMessages(first), ...plainMessages(4)], { signal: SIGNAL }));
    assert.equal(second.kept[0], rules);
    assert.equal(second.kept.length, 3);
  });

  it('marks feedback, and refuses a place before the latest boundary', async () => {
    const { compactor, asked } = made('Goal.', {}, { instructions: 'short' });
    await compactor.compactPart(messages, { pivot: 4, direction: 'from', feedback: ' the tests ', signal: SIGNAL });
    assert.equal(asked[0]?.instructions, 'short\n\nUser context: the tests');
    const later = [text('user', 'old'), text('user', '', { kind: 'boundary' }), ...messages];
    await assert.rejects(
      compactor.compactPart(later, { pivot: 0, direction: 'from', signal: SIGNAL }),
      (error) => isCompactError(error, 'unknownMessage') && error.message === 'notInContext',
    );
  });
});

describe('a compaction that fails', () => {
  const failures: readonly [code: CompactErrorCode, answer: StubAnswer, isUsers: boolean][] = [
    ['aborted', Object.assign(new Error('x'), { name: 'AbortError' }), true],
    ['incomplete', new CompactError('incomplete'), true],
    ['promptTooLong', Object.assign(new Error('bad'), { type: 'context_window_full' }), true],
    ['noSummary', '  \n', true],
    ['api', 'API Error: 500', false],
    ['api', 'Please run /login · API Error: 401', false],
    ['summarizerUnavailable', new Error('refused'), false],
  ];
  for (const [code, answer, isUsers] of failures) {
    it(`says ${code}, asks once and tells about it`, async () => {
      const { compactor, events, asked } = made(answer);
      const before = JSON.stringify(messages);
      const error: unknown = await compactor.compact(messages, { signal: SIGNAL }).catch((thrown: unknown) => thrown);
      assert.ok(isCompactError(error, code));
      assert.equal(hasUserMessage(error), isUsers);
      assert.match(messageFor(error), /^\p{Lu}.+\.$/u);
      assert.equal(asked.length, 1);
      assert.equal(JSON.stringify(messages), before);
      const last = events.at(-1);
      assert.ok(last?.kind === 'failure' && last.code === code);
      await assert.rejects(compactor.compactPart(messages, { pivot: 4, direction: 'upTo', signal: SIGNAL }), rejectsWith(code));
    });
  }

  it('says notEnoughMessages for no messages at all, without asking', async () => {
    const { compactor, asked } = made('Goal.');
    await assert.rejects(compactor.compact([], { signal: SIGNAL }), rejectsWith('notEnoughMessages'));
    await assert.rejects(compactor.compactPart([], { pivot: 0, direction: 'from', signal: SIGNAL }), rejectsWith('notEnoughMessages'));
    assert.equal(hasUserMessage(new CompactError('notEnoughMessages')), true);
    assert.equal(asked.length, 0);
  });

  it('keeps the cause of an error that is not ours', async () => {
    const cause = new Error('refused');
    await assert.rejects(made(cause).compactor.compact(messages, { signal: SIGNAL }), (error: Error) => error.cause === cause);
  });
});

describe('an abort at any step of a compaction', () => {
  const steps = ['preCompact', 'summarizer', 'path', 'attachments', 'sessionStart', 'postCompact'] as const;
  for (const step of steps) {
    it(`ends it at once during ${step}, although nothing there listens`, async () => {
      const controller = new AbortController();
      const at = <T>(name: string, value: T): Promise<T> => {
        if (name !== step) return Promise.resolve(value);
        controller.abort();
        return new Promise<T>(() => undefined);
      };
      const ports: CompactorPorts = {
        summarizer: {
          capabilities: { label: 'x', host: undefined },
          summarize: () => at('summarizer', { text: 'Goal.', usage: undefined }),
        },
        counter: BYTES_PER_FOUR,
        hooks: { run: ({ point }) => at(point, {}) },
        attachments: [{ id: 'a', collect: () => at('attachments', []) }],
        transcriptPath: () => at('path', undefined),
      };
      const compactor = createCompactor(ports, { keepMessages: 2 });
      await assert.rejects(compactor.compact(messages, { signal: controller.signal }), rejectsWith('aborted'));
    });
  }
});
