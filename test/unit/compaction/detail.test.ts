import assert from 'node:assert/strict';
import { expectedAnswer } from '../../../src/core/compaction/costSummary';
import { createOfflineSummarizer, targetTokens } from '../../../src/core/compaction/offline/offlineSummarizer';
import { zoneTokens } from '../../../src/core/compaction/offline/zoneTokens';
import { runPlan } from '../../../src/core/compaction/runPlan';
import { planCompaction } from '../../../src/core/compaction/strategies';
import { largestSummary } from '../../../src/core/compaction/summarySize';
import { summaryRequest } from '../../../src/core/compaction/summaryRequest';
import type { SummaryDetail } from '../../../src/core/ports/summarizer';
import { summaryPrompt } from '../../../src/core/prompts/summaryPrompt';
import { asks, bash, says, talk } from './offline/talk';
import { inputOf, tokensOf } from './planInputs';

const DETAILS: readonly SummaryDetail[] = ['brief', 'normal', 'full'];
/** A session with far more to tell than any summary has room for. */
const LONG = talk(
  ...Array.from({ length: 400 }, (_, at) => [
    ...asks(`Please handle case ${at} of the ${at * 13} widgets and tell me why module_${at} failed on host${at}.example.org today.`),
    ...bash(`npm run check -- --case ${at}`, `case ${at}: ${'output of the check '.repeat(60)}`),
    ...says(`Case ${at} failed because module_${at} reads widget ${at * 7} twice; I changed src/widget/case${at}.ts accordingly.`),
  ]),
);

describe('how much a summary may tell', () => {
  it('the offline summarizer keeps to a smaller or a larger size', async () => {
    const sizes = await Promise.all(
      DETAILS.map(async (detail) => {
        const request = { messages: LONG, direction: undefined, instructions: '', maxOutputTokens: 20_000, detail };
        return (await createOfflineSummarizer().summarize(request, new AbortController().signal)).text.length;
      }),
    );
    const [brief = 0, normal = 0, full = 0] = sizes;
    assert.ok(brief < normal * 0.7 && full > normal * 1.6, sizes.join(' '));
  });
  it('no size is so large that it would not be worth while, whatever the part', () => {
    for (const zone of [0, 50, 300, 1_000, 3_000, 10_000, 1_000_000]) {
      const [brief = 0, normal = 0, full = 0] = DETAILS.map((detail) => targetTokens(zone, detail));
      assert.ok(brief <= normal && normal <= full && full <= Math.max(zone * 0.9, 0), `${zone}: ${brief} ${normal} ${full}`);
    }
    assert.equal(targetTokens(200_000), targetTokens(200_000, 'normal'));
  });
  it('a model is told it in the constant part of the prompt', () => {
    const systems = DETAILS.map((detail) => summaryPrompt({ ...ask(), detail }, '0'.repeat(16)).system);
    assert.deepEqual(
      systems.map((system) => /at most about ([\d,]+) words/.exec(system)?.[1]),
      ['1,000', '3,000', '5,000'],
    );
    assert.equal(systems[1], summaryPrompt(ask(), '0'.repeat(16)).system);
    const [, ...users] = DETAILS.map((detail) => summaryPrompt({ ...ask(), detail }, '0'.repeat(16)).user);
    assert.equal(new Set(users).size, 1);
  });
  it('a run hands detail and limit to the summarizer', async () => {
    const input = inputOf(LONG);
    const plan = planCompaction({ kind: 'full', keepMessages: 4 }, input);
    assert.ok(plan.outcome === 'plan');
    let asked: unknown;
    const summarizer = {
      capabilities: { label: 'test', host: undefined },
      summarize: ({ detail, maxOutputTokens }: ReturnType<typeof ask> & { detail?: SummaryDetail }) => {
        asked = [detail, maxOutputTokens];
        return Promise.resolve({ text: 'A summary.', usage: undefined });
      },
    };
    const quotes = [{ kind: 'number', value: '48213' }] as const;
    const options = { signal: new AbortController().signal, detail: 'brief', maxOutputTokens: 512, quotes } as const;
    const run = await runPlan(plan, input, { summarizer, tokensOf }, options);
    assert.deepEqual(asked, ['brief', 512]);
    assert.ok(run.outcome === 'summarized' && run.summary.startsWith('A summary.\n\n## ') && run.summary.endsWith('```\n48213\n```'));
    assert.ok(run.continuation.includes(run.summary));
  });
  it('the most that a summary takes follows from it', () => {
    const input = inputOf(LONG, { each: 60 });
    const plan = planCompaction({ kind: 'full', keepMessages: 4 }, input);
    assert.ok(plan.outcome === 'plan');
    const most = (isModel: boolean, detail: SummaryDetail, maxOutputTokens = 8_000): number =>
      largestSummary(plan, input, { isModel, detail, maxOutputTokens });
    assert.ok(most(true, 'brief') < most(true, 'normal') && most(true, 'normal') < most(true, 'full'));
    assert.ok(most(true, 'full', 1_000) < most(true, 'brief'));
    assert.ok(most(false, 'normal') >= targetTokens(plan.tokensSummarized) && most(false, 'brief') < most(false, 'normal'));
    const short = { ...plan, tokensSummarized: 300 };
    assert.equal(largestSummary(short, input, { isModel: true, detail: 'full', maxOutputTokens: 8_000 }), 300);
    assert.ok(zoneTokens(LONG) > 20_000);
  });
  it('so does the answer that a model is expected to give', () => {
    const answer = (detail: SummaryDetail): number => expectedAnswer(150_000, { detail });
    assert.ok(answer('brief') < answer('normal') && answer('normal') < answer('full'));
    assert.equal(answer('normal'), expectedAnswer(150_000, {}));
    assert.equal(expectedAnswer(150_000, { maxOutputTokens: 700 }), 700);
  });
});

function ask() {
  const input = inputOf(talk(asks('hello'), says('yes')));
  return summaryRequest({ summarized: [0, 1], direction: undefined }, input, { instructions: '' });
}
