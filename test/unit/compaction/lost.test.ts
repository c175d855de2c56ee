// Facts are planted into conversations; a summary states all of them but some. The list must name exactly those.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { withClearedResults } from '../../../src/core/compaction/clearCandidates';
import { lostItems } from '../../../src/core/compaction/lost';
import { summarizeOffline } from '../../../src/core/compaction/offline/offlineSummarizer';
import { CLEARED_TEXT } from '../../../src/core/micro/compactableTools';
import { continuationText } from '../../../src/core/prompts/continuation';
import { property } from '../../support/property';
import { added, asks, bash, says, talk, type Part } from './offline/talk';
import { FACTS, type Planted } from './plantedFacts';

const FILLER: Part = [...asks('hello'), ...says('Hello to you.'), ...bash('ls -la', 'x\n'.repeat(600)), ...says('All of it is there.')];

function lostOf(planted: readonly Planted[], isTold: (fact: Planted) => boolean, kept: readonly Planted[] = []) {
  const summary = ['## What happened', 'hello', ...planted.filter(isTold).map(({ told }) => told)].join('\n');
  return lostItems({
    summarized: talk(FILLER, ...planted.map(({ parts }) => parts), FILLER),
    summary: continuationText({ summary, kept: 'after' }),
    kept: talk(...kept.map(({ parts }) => parts)),
  });
}

function inWords(items: readonly { readonly kind: string; readonly value: string }[]): readonly string[] {
  return items.map(({ kind, value }) => `${kind} ${value}`).sort();
}

/** An error stands in a result; what was called and said stays when results are cleared. */
function isInResult({ kind }: Planted): boolean {
  return kind === 'error';
}

describe('the list of what a compaction dropped', () => {
  for (const fact of FACTS) {
    it(`names ${fact.kind} "${fact.value}" when it alone is left out`, () =>
      assert.deepEqual(inWords(lostOf(FACTS, (one) => one !== fact)), inWords([fact])));
  }

  it('is empty when all is told', () =>
    assert.deepEqual(
      lostOf(FACTS, () => true),
      [],
    ));

  it('names all when nothing is told', () => assert.deepEqual(inWords(lostOf(FACTS, () => false)), inWords(FACTS)));

  it('names nothing that the kept messages hold', () =>
    assert.deepEqual(
      lostOf(FACTS, () => false, FACTS),
      [],
    ));

  property(
    'names nothing of which another message tells that is kept, and what a cleared result told',
    fc.tuple(fc.shuffledSubarray([...FACTS]), fc.shuffledSubarray([...FACTS])),
    ([planted, kept]) => {
      assert.deepEqual(inWords(lostOf(planted, () => false, kept)), inWords(planted.filter((one) => !kept.includes(one))));
      const cleared = talk(...kept.map(({ parts }) => parts)).map((message) =>
        withClearedResults(message, new Map(message.content.map((_, block) => [block, CLEARED_TEXT]))),
      );
      const summarized = talk(...planted.map(({ parts }) => parts));
      const inResults = planted.filter((one) => !kept.includes(one) || isInResult(one));
      assert.deepEqual(inWords(lostItems({ summarized, summary: '', kept: cleared })), inWords(inResults));
    },
  );

  property(
    'names exactly what was left out, whatever that is',
    fc.tuple(fc.shuffledSubarray([...FACTS]), fc.shuffledSubarray([...FACTS])),
    ([planted, out]) => {
      assert.deepEqual(inWords(lostOf(planted, (one) => !out.includes(one))), inWords(planted.filter((one) => out.includes(one))));
    },
  );

  it('tells the message of each', () => {
    const summarized = talk(asks('hello'), says('The port is 48213.'), asks('Never push to main.'));
    assert.deepEqual(lostItems({ summarized, summary: 'hello', kept: [] }), [
      { kind: 'constraint', value: 'Never push to main.', messageId: 'm2' },
      { kind: 'number', value: '48213', messageId: 'm1' },
    ]);
  });

  it('does not repeat what stands inside of a lost request', () =>
    assert.deepEqual(
      inWords(
        lostItems({ summarized: talk(asks('Please set retry_after_ms to 4500 in config/deploy.yaml')), summary: 'nothing', kept: [] }),
      ),
      ['request Please set retry_after_ms to 4500 in config/deploy.yaml'],
    ));

  it('names a number that a told request has lost', () =>
    assert.deepEqual(
      inWords(
        lostItems({
          summarized: talk(asks('Please raise the timeout of the upload worker to 4500')),
          summary: 'The timeout of the upload worker was to be raised, please.',
          kept: [],
        }),
      ),
      ['number 4500'],
    ));

  it('takes nothing from long outputs, the agent’s thoughts and what a program added', () => {
    const summarized = talk(asks('hello'), bash('cat a', `port 48213 ${'x '.repeat(400)}`), added('meta', 'see retry_after_ms'), [
      { id: '', role: 'assistant', kind: 'message', content: [{ type: 'thinking', text: 'computeLedgerTotals' }], line: 0 },
    ]);
    assert.deepEqual(inWords(lostItems({ summarized, summary: 'hello a', kept: [] })), []);
  });

  it('finds little in what the offline summary makes of a small session', () => {
    // An error that nothing marks as one is no problem of the session for the summary.
    const marked = FACTS.filter(({ value }) => !value.startsWith('fatal'));
    const summarized = talk(FILLER, ...marked.map(({ parts }) => parts), bash('ls', 'x\n'.repeat(20_000)));
    assert.deepEqual(lostItems({ summarized, summary: summarizeOffline(summarized), kept: [] }), []);
  });

  it('takes linear time', () => {
    const many = (count: number) =>
      talk(
        ...Array.from({ length: count }, (_, i) => [
          ...asks(`Please handle case number ${i} of the widget list`),
          ...says(`Widget_${i} took ${i * 37} ms at https://example.org/${i}`),
        ]),
      );
    const time = (count: number): number => {
      const [summarized, kept] = [many(count), many(count)];
      const before = process.cpuUsage();
      lostItems({ summarized, summary: 'widgets\n'.repeat(count), kept });
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    time(500);
    assert.ok(time(8_000) < 40 * Math.max(time(1_000), 2_000), 'eight times the input takes far more than eight times as long');
  });

  it('is not slowed down by signs', () => {
    const before = process.cpuUsage().user;
    lostItems({
      summarized: talk(asks('hello'), says('.-/'.repeat(100_000)), says(`${'a.'.repeat(100_000)} ${'-'.repeat(100_000)}x`)),
      summary: '(('.repeat(100_000),
      kept: talk(says('_.'.repeat(100_000))),
    });
    assert.ok(process.cpuUsage().user - before < 3_000_000);
  });
});
