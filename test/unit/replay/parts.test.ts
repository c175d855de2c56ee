import assert from 'node:assert/strict';
import { inspectTranscript } from '../../../src/core/session/inspection';
import { PromptCache } from '../../support/replay/promptCache';
import { QuoteFinder } from '../../support/replay/quotes';
import { reportedPieces } from '../../support/replay/reportedSizes';
import { requestsOf } from '../../support/replay/requests';
import { withoutUsage } from '../../support/replay/withoutUsage';
import { call, result, text, transcriptOf, usage } from '../../support/transcripts';

describe('replay: the cache', () => {
  const a = { key: 'a', tokens: 2000 };
  const b = { key: 'b', tokens: 500 };
  const c = { key: 'c', tokens: 300 };

  it('serves the longest beginning that was sent before', () => {
    const cache = new PromptCache();
    assert.deepEqual(cache.request([a]), { read: 0, written: 2000 });
    assert.deepEqual(cache.request([a, b]), { read: 2000, written: 500 });
    assert.deepEqual(cache.request([a, c, b]), { read: 2000, written: 800 });
    assert.deepEqual(cache.request([a, b, c]), { read: 2500, written: 300 });
    assert.deepEqual(cache.request([b, a]), { read: 0, written: 2500 });
  });

  it('keeps no short beginning', () => {
    const cache = new PromptCache();
    cache.request([b, a]);
    assert.deepEqual(cache.request([b, c]), { read: 0, written: 800 });
  });
});

describe('replay: quotes', () => {
  const line = 'const answer = computeTheAnswer(question, 42);';

  it('counts a run of a cleared text that stands nowhere else', () => {
    const finder = new QuoteFinder();
    finder.add('r', `first\n${line}\nlast`);
    assert.equal(finder.quotedBy(`I change ${line} now`).size, 0);
    finder.clear('r');
    assert.deepEqual([...finder.quotedBy(`I change ${line} now`)], [['r', 'run']]);
    finder.add('again', `it was read again: ${line}`);
    assert.equal(finder.quotedBy(`I change ${line} now`).size, 0);
  });

  it('counts no shorter run, and no ruler', () => {
    const finder = new QuoteFinder();
    finder.add('r', `lorem ipsum dolor sit amet consectetur${'-'.repeat(60)}`);
    finder.clear('r');
    assert.equal(finder.quotedBy('lorem ipsum dolor sit amet').size, 0);
    assert.equal(finder.quotedBy('='.repeat(5) + '-'.repeat(60)).size, 0);
  });

  it('counts a name that one result alone held', () => {
    const finder = new QuoteFinder();
    finder.add('r', 'see src/parser/tokens.ts and something');
    finder.add('s', 'see lib/other_file.ts');
    finder.add('t', 'see lib/other_file.ts');
    for (const key of ['r', 's', 't']) finder.clear(key);
    assert.deepEqual([...finder.quotedBy('I open src/parser/tokens.ts.')], [['r', 'name']]);
    assert.equal(finder.quotedBy('something lib/other_file.ts').size, 0);
    finder.add('u', 'src/parser/tokens.ts is mine');
    assert.equal(finder.quotedBy('I open src/parser/tokens.ts.').size, 0);
  });
});

describe('replay: requests', () => {
  const messages = [
    text('user', 'Read it, please. '.repeat(30)),
    call('c1', 'Read', {}, { messageId: 'r1', usage: usage(9000, 30) }),
    result('c1', 'words '.repeat(400)),
    text('assistant', 'Done.', { messageId: 'r2', usage: usage(600, 5, 9000) }),
  ];

  it('are the answers of the main conversation, each with what stood before it', () => {
    const requests = requestsOf(transcriptOf(messages));
    assert.deepEqual(
      requests.map(({ context, reply, reported }) => ({ context, reply, reported })),
      [
        { context: [0], reply: 1, reported: { prompt: 9000, output: 30, cacheRead: 0 } },
        { context: [0, 1, 2], reply: 3, reported: { prompt: 9600, output: 5, cacheRead: 9000 } },
      ],
    );
  });

  it('are cut out of reports that stand behind the answers', () => {
    const report = (afterIndex: number, contextTokens: number, outputTokens: number) => ({
      afterIndex,
      contextTokens,
      inputTokens: 0,
      outputTokens,
      cacheReadTokens: 0,
      isAgentEstimate: false,
      line: 0,
    });
    const plain = messages.map(withoutUsage);
    const requests = requestsOf(transcriptOf(plain, { reports: [report(3, 9030, 30), report(4, 9605, 5)] }));
    assert.deepEqual(
      requests.map(({ context, reply, reported }) => [context.length, reply, reported?.prompt]),
      [
        [1, 1, 9000],
        [3, 3, 9600],
      ],
    );
  });

  it('have pieces that add up to what was reported', () => {
    const transcript = transcriptOf(messages);
    const pieces = reportedPieces(requestsOf(transcript), inspectTranscript(transcript, {}));
    assert.deepEqual(
      pieces.map(({ key }) => key),
      ['system', 'message 0', 'message 1', 'message 2'],
    );
    const total = (upTo: number): number => Math.round(pieces.slice(0, upTo).reduce((sum, { tokens }) => sum + tokens, 0));
    assert.equal(total(2), 9000);
    assert.equal(total(4), 9600);
  });
});
