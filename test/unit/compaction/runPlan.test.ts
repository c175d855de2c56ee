import assert from 'node:assert/strict';
import type { CompactionPlan, PlanRequest } from '../../../src/core/compaction/plan';
import type { PlanInput } from '../../../src/core/compaction/planInput';
import { messagesAfter, viewOrder } from '../../../src/core/compaction/result';
import { runPlan, summarizePlan, type RunOptions, type RunOutcome } from '../../../src/core/compaction/runPlan';
import { partitionFor, planCompaction } from '../../../src/core/compaction/strategies';
import { planOf } from '../../../src/core/compaction/strategies/partition';
import { summaryRequest } from '../../../src/core/compaction/summaryRequest';
import { CompactError, isCompactError, type CompactErrorCode } from '../../../src/core/errors/compactError';
import type { Summarizer, SummaryReply, SummaryRequest } from '../../../src/core/ports/summarizer';
import { call, result, text, withBlocks } from '../../support/transcripts';
import { inputOf, tokensOf } from './planInputs';

/** A summarizer that answers as it is told and remembers what it was asked. */
function fake(answer: string | ((request: SummaryRequest, signal: AbortSignal) => Promise<SummaryReply>)): Summarizer & {
  readonly requests: SummaryRequest[];
} {
  const requests: SummaryRequest[] = [];
  return {
    requests,
    capabilities: { label: 'fake', host: undefined },
    summarize(request, signal, onReceived) {
      requests.push(request);
      if (typeof answer !== 'string') return answer(request, signal);
      onReceived?.(answer.length);
      return Promise.resolve({ text: answer, usage: { inputTokens: 900, outputTokens: 90 } });
    },
  };
}

const messages = Array.from({ length: 8 }, (_, index) => text(index % 2 === 0 ? 'user' : 'assistant', `words ${index}`));
const input = inputOf(messages, { unattributedTokens: 500 });

function planFor(request: PlanRequest, of: PlanInput = input): CompactionPlan {
  const partition = partitionFor(request, of);
  assert.equal(partition.outcome, 'partition');
  return planOf(of, partition);
}

const plan = planFor({ kind: 'full', keepMessages: 2 });

function run(summarizer: Summarizer, options: Partial<RunOptions> = {}, of = plan): Promise<RunOutcome> {
  return runPlan(of, input, { summarizer, tokensOf }, { signal: new AbortController().signal, ...options });
}

const rejectsWith = (code: CompactErrorCode) => (error: unknown) => isCompactError(error, code);

describe('running a plan', () => {
  it('answers the summary and the sizes of both views', async () => {
    const outcome = await run(fake('  Goal.\n\n\n\nNext step. \n'));
    assert.ok(outcome.outcome === 'summarized');
    assert.equal(outcome.summary, 'Goal.\n\nNext step.');
    assert.match(outcome.continuation, /Goal\.\n\nNext step\./);
    assert.deepEqual(outcome.usage, { inputTokens: 900, outputTokens: 90 });
    assert.equal(outcome.tokensBefore, 8 * 1000 + 500);
    assert.equal(outcome.tokensAfter, 2 * 1000 + outcome.summaryTokens + 500);
  });

  it('never shows a size below zero when the report was smaller than the estimates', async () => {
    const odd = { ...plan, unattributedTokens: -100_000 };
    const outcome = await run(fake('Goal.'), {}, odd);
    assert.ok(outcome.outcome === 'summarized');
    assert.deepEqual([outcome.tokensBefore, outcome.tokensAfter], [0, 0]);
  });

  it('gives the summarizer what is replaced, in order, with the wish of the user', async () => {
    const summarizer = fake('Goal.');
    await run(summarizer, { instructions: ' keep the names \n' });
    await run(summarizer, { style: 'concise', maxOutputTokens: 900 });
    const what = { messages: messages.slice(0, 6), direction: undefined };
    assert.deepEqual(summarizer.requests, [
      { ...what, instructions: 'keep the names', maxOutputTokens: 20_000 },
      { ...what, instructions: '', style: 'concise', maxOutputTokens: 900 },
    ]);
  });

  it('names the original only when it was given', async () => {
    const [plain, named] = await Promise.all([run(fake('Goal.')), run(fake('Goal.'), { original: '/home/u/\u001b[31ms\n.jsonl' })]);
    assert.ok(plain.outcome === 'summarized' && named.outcome === 'summarized');
    assert.doesNotMatch(plain.continuation, /\//);
    assert.match(named.continuation, /\/home\/u\/ \[31ms \.jsonl\n/);
  });

  it('tells which stage it is in and what has been received', async () => {
    const stages: [string, number | null][] = [];
    await run(fake('Goal.'), { onProgress: (stage, received) => stages.push([stage, received]) });
    assert.deepEqual(stages, [
      ['summarizing', null],
      ['summarizing', 5],
      ['checking', null],
    ]);
  });
});

describe('a run that does not help', () => {
  it('is refused when the summary alone is larger than what it replaces', async () => {
    // 6000 tokens are replaced; a character of text is a token here.
    assert.deepEqual(await run(fake('x'.repeat(7000))), { outcome: 'refusal', code: 'notSmaller' });
  });

  it('is refused when only the fixed wording makes the view larger', async () => {
    const small = inputOf(messages, { each: 50 });
    const of = planFor({ kind: 'full', keepMessages: 2 }, small);
    const ports = { summarizer: fake('y'.repeat(100)), tokensOf };
    const options = { signal: new AbortController().signal };
    assert.deepEqual(await runPlan(of, small, ports, options), { outcome: 'refusal', code: 'notSmaller' });
    // The text itself is under the free 256 tokens, so the bare rule lets it pass.
    assert.equal((await summarizePlan(of, small, ports, options)).outcome, 'summarized');
  });

  it('needs more than 256 tokens of summary to be refused by the bare rule', async () => {
    const tiny = inputOf(messages, { each: 1 });
    const of = planFor({ kind: 'full', keepMessages: 2 }, tiny);
    const overhead = tokensOf(text('user', ''));
    const outcomes = await Promise.all(
      [256, 257].map((size) =>
        summarizePlan(of, tiny, { summarizer: fake('z'.repeat(size - overhead)), tokensOf }, { signal: new AbortController().signal }),
      ),
    );
    assert.deepEqual(
      outcomes.map(({ outcome }) => outcome),
      ['summarized', 'refusal'],
    );
  });

  it('is an error when the summary is blank', async () => {
    for (const blank of ['', ' \n\t ', '\u00a0']) await assert.rejects(run(fake(blank)), rejectsWith('noSummary'));
  });

  it('is refused before any call when the plan is of another revision', async () => {
    const summarizer = fake('Goal.');
    assert.deepEqual(await run(summarizer, {}, { ...plan, revision: 2 }), { outcome: 'refusal', code: 'staleSource' });
    assert.equal(summarizer.requests.length, 0);
  });

  it('passes the summarizer’s own error on', async () => {
    const failing = fake(() => Promise.reject(new CompactError('promptTooLong')));
    await assert.rejects(run(failing), rejectsWith('promptTooLong'));
    const broken = fake(() => Promise.reject(new TypeError('a bug')));
    await assert.rejects(run(broken), TypeError);
  });
});

describe('an abort', () => {
  it('before the run makes no request', async () => {
    const summarizer = fake('Goal.');
    await assert.rejects(run(summarizer, { signal: AbortSignal.abort() }), rejectsWith('aborted'));
    assert.equal(summarizer.requests.length, 0);
  });

  it('during the run ends it at once, even when the summarizer does not listen', async () => {
    const controller = new AbortController();
    const deaf = fake(() => new Promise(() => undefined));
    const running = run(deaf, { signal: controller.signal });
    controller.abort();
    await assert.rejects(running, rejectsWith('aborted'));
  });

  it('while the summarizer starts ends the run too, even when it never answers', async () => {
    const controller = new AbortController();
    const deaf = fake(() => {
      controller.abort();
      return new Promise(() => undefined);
    });
    await assert.rejects(run(deaf, { signal: controller.signal }), rejectsWith('aborted'));
  });

  it('wins over an answer or an error that arrives with it', async () => {
    for (const answer of [() => Promise.resolve({ text: 'Goal.', usage: undefined }), () => Promise.reject(new Error('socket closed'))]) {
      const controller = new AbortController();
      const late = fake(() => {
        controller.abort();
        return answer();
      });
      await assert.rejects(run(late, { signal: controller.signal }), rejectsWith('aborted'));
    }
  });

  it('after the run changes nothing any more', async () => {
    const controller = new AbortController();
    const outcome = await run(fake('Goal.'), { signal: controller.signal });
    controller.abort();
    assert.equal(outcome.outcome, 'summarized');
  });
});

describe('the new view', () => {
  it('has the summary before the kept messages, or after them for “from”', () => {
    const upTo = planFor({ kind: 'partialUpTo', pivotId: '6' });
    const from = planFor({ kind: 'partialFrom', pivotId: '2' });
    const names = (of: CompactionPlan): string[] => viewOrder(of).map((item) => (item.kind === 'kept' ? `${item.index}` : item.kind));
    assert.deepEqual(names(upTo), ['boundary', 'summary', '6', '7']);
    assert.deepEqual(names(from), ['boundary', '0', '1', 'summary']);
    const seen = messagesAfter(input, from, 'S');
    assert.deepEqual(
      seen.map(({ kind }) => kind),
      ['message', 'message', 'summary'],
    );
    assert.strictEqual(seen[0], messages[0]);
  });

  it('of a compaction that was just made has nothing to compact again', async () => {
    const outcome = await run(fake('Goal.'));
    assert.ok(outcome.outcome === 'summarized');
    const again = inputOf(messagesAfter(input, plan, outcome.continuation));
    assert.deepEqual(planCompaction({ kind: 'full', keepMessages: 2 }, again), { outcome: 'refusal', code: 'nothingToDo' });
  });
});

describe('the request for a summary', () => {
  it('holds markers for media, no thinking, no marks and no side chains, and changes no stored message', () => {
    const stored = [
      withBlocks('user', [
        { type: 'text', text: 'look' },
        { type: 'image', mediaType: 'image/png' },
      ]),
      withBlocks('assistant', [{ type: 'thinking', text: 'hm', signature: 's' }]),
      withBlocks('assistant', [
        { type: 'thinking', text: 'hm', signature: 's' },
        { type: 'text', text: 'nice' },
      ]),
      call('t1', 'Shot', {}),
      withBlocks('user', [{ type: 'toolResult', toolUseId: 't1', content: [{ type: 'document' }, { type: 'text', text: 'x' }] }]),
      text('assistant', 'sub step', { isSidechain: true }),
      text('system', 'mark', { kind: 'boundary' }),
      result('t1', 'plain'),
    ];
    const before = JSON.stringify(stored);
    const of = inputOf(stored);
    const request = summaryRequest({ summarized: of.context, direction: 'upTo' }, of, { instructions: '' });
    assert.deepEqual(
      request.messages.map(({ content }) => content),
      [
        [
          { type: 'text', text: 'look' },
          { type: 'text', text: '[image]' },
        ],
        [{ type: 'text', text: 'nice' }],
        stored[3]?.content,
        [
          {
            type: 'toolResult',
            toolUseId: 't1',
            content: [
              { type: 'text', text: '[document]' },
              { type: 'text', text: 'x' },
            ],
          },
        ],
        stored[7]?.content,
      ],
    );
    assert.equal(JSON.stringify(stored), before);
    assert.equal(request.direction, 'upTo');
  });

  it('takes a limit of 1 to 20,000 tokens of output and 20,000 otherwise', () => {
    const limits = [1, 4000, 20_000, 0, -5, 20_001, 1.5, NaN, undefined].map(
      (maxOutputTokens) =>
        summaryRequest(plan, input, { instructions: '', ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }) }).maxOutputTokens,
    );
    assert.deepEqual(limits, [1, 4000, 20_000, 20_000, 20_000, 20_000, 20_000, 20_000, 20_000]);
  });
});
