// Never a summary of a summary where the messages behind it are known.
import assert from 'node:assert/strict';
import { createOfflineSummarizer } from '../../../src/core/compaction/offline/offlineSummarizer';
import { hasOriginals, holdsBareSummary, largestReplacement, originalsAt } from '../../../src/core/compaction/originals';
import type { PlanInput } from '../../../src/core/compaction/planInput';
import { runPlan } from '../../../src/core/compaction/runPlan';
import { partitionFor } from '../../../src/core/compaction/strategies';
import { planOf } from '../../../src/core/compaction/strategies/partition';
import { summaryRequest } from '../../../src/core/compaction/summaryRequest';
import { CompactError, isCompactError } from '../../../src/core/errors/compactError';
import type { Message } from '../../../src/core/model/message';
import type { Summarizer, SummaryRequest } from '../../../src/core/ports/summarizer';
import { text } from '../../support/transcripts';
import { inputOf } from './planInputs';

const SECRET_OF_THE_FIRST_PART = 'Never touch the file deploy/gate-7781.yaml.';
const originals: readonly Message[] = [
  text('user', SECRET_OF_THE_FIRST_PART),
  text('assistant', 'I leave deploy/gate-7781.yaml alone.'),
  ...Array.from({ length: 60 }, (_, at) =>
    text(at % 2 === 0 ? 'user' : 'assistant', `Early words number ${at} about the width of the gate, at some length.`),
  ),
];
const summary = text('user', 'A summary that forgot what matters.', { kind: 'summary' });
const later = Array.from({ length: 8 }, (_, at) => text(at % 2 === 0 ? 'user' : 'assistant', `Later words number ${at}.`));
const messages = [summary, ...later];
const known = inputOf(messages, { originals: new Map([[0, originals]]) });
const bare = inputOf(messages);

function planFor(input: PlanInput): ReturnType<typeof planOf> {
  const partition = partitionFor({ kind: 'full', keepMessages: 2 }, input);
  assert.equal(partition.outcome, 'partition');
  return planOf(input, partition);
}

function recording(answer: (request: SummaryRequest) => string): Summarizer & { readonly requests: SummaryRequest[] } {
  const requests: SummaryRequest[] = [];
  return {
    requests,
    capabilities: { label: 'fake', host: undefined },
    summarize(request) {
      requests.push(request);
      return Promise.resolve().then(() => ({ text: answer(request), usage: undefined }));
    },
  };
}

const ports = (summarizer: Summarizer) => ({ summarizer, tokensOf: () => 10 });
const options = { signal: new AbortController().signal };

describe('messages behind an earlier summary', () => {
  it('stand in its place in what a summarizer is asked', () => {
    const request = summaryRequest(planFor(known), known, { instructions: '' });
    const told = request.messages.map(({ content }) => JSON.stringify(content)).join('\n');
    assert.ok(told.includes(SECRET_OF_THE_FIRST_PART));
    assert.ok(!told.includes('forgot what matters'));
    assert.equal(request.messages.length, originals.length + 7 - 1);
  });

  it('bound the answer by what it replaces, not by what is behind it', () => {
    const plan = planFor(known);
    assert.equal(summaryRequest(plan, known, { instructions: '' }).maxOutputTokens, largestReplacement(plan.tokensSummarized));
    assert.ok(largestReplacement(plan.tokensSummarized) < plan.tokensSummarized);
    assert.equal(summaryRequest(planFor(bare), bare, { instructions: '' }).maxOutputTokens, 20_000);
  });

  it('bring back what the first summary had lost', async () => {
    const lost = await runPlan(planFor(bare), bare, ports(createOfflineSummarizer()), options);
    const kept = await runPlan(planFor(known), known, ports(createOfflineSummarizer()), options);
    assert.ok(lost.outcome === 'summarized' && kept.outcome === 'summarized');
    assert.ok(!lost.summary.includes('gate-7781'), 'the summary alone does not know it');
    assert.ok(kept.summary.includes(SECRET_OF_THE_FIRST_PART));
    assert.equal(kept.notes, undefined);
  });

  it('say so when they are not to be had', async () => {
    const run = await runPlan(planFor(bare), bare, ports(recording(() => 'short')), options);
    assert.ok(run.outcome === 'summarized');
    assert.deepEqual(
      run.notes?.map(({ code }) => code),
      ['summaryOfSummary'],
    );
  });

  it('give way to the summary when a model finds them too long, and it is told', async () => {
    const summarizer = recording((request) => {
      if (request.messages.length > 7) throw new CompactError('promptTooLong');
      return 'short';
    });
    const run = await runPlan(planFor(known), known, ports(summarizer), options);
    assert.ok(run.outcome === 'summarized');
    assert.deepEqual(
      run.notes?.map(({ code }) => code),
      ['originalsTooLong'],
    );
    assert.equal(summarizer.requests.length, 2);
    assert.ok(JSON.stringify(summarizer.requests[1]?.messages).includes('forgot what matters'));
  });

  it('are not left out for any other failure', async () => {
    const summarizer = recording(() => {
      throw new CompactError('api');
    });
    await assert.rejects(runPlan(planFor(known), known, ports(summarizer), options), (error) => isCompactError(error, 'api'));
    assert.equal(summarizer.requests.length, 1);
  });

  it('count only where the summary is among what is asked about', () => {
    assert.equal(hasOriginals(known, [1, 2]), false);
    assert.equal(hasOriginals(known, [0, 1]), true);
    assert.equal(holdsBareSummary(known, [0, 1]), false);
    assert.equal(holdsBareSummary(bare, [0, 1]), true);
    assert.deepEqual(originalsAt(known, [1, 99]), [later[0]]);
  });
});
