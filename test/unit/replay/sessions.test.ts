import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import type { Message } from '../../../src/core/model/message';
import type { TokenCounter } from '../../../src/core/ports/tokenCounter';
import { loadCounter } from '../../../src/node/counting/bpeCounter';
import { openTranscript } from '../../../src/node/sources/transcriptFiles';
import { replayCosts } from '../../support/replay/costReplay';
import { replayMicro } from '../../support/replay/microReplay';
import { errorTotals, microTotals } from '../../support/replay/replayTotals';
import { withoutUsage } from '../../support/replay/withoutUsage';
import { call, result, text, transcriptOf, usage } from '../../support/transcripts';

const ROUGH: TokenCounter = { id: 'rough', count: (words) => Math.ceil(words.length / 4) };
const FOLDER = '../shared/transcripts';

/** A session of `requests` calls whose results are 4,000 tokens each, in which the prompts grow by what their messages cost. */
function session(requests: number, quote = ''): readonly Message[] {
  const messages: Message[] = [text('user', 'Look at all files.')];
  for (let at = 0; at < requests; at++) {
    const prompt = 5000 + at * 4100;
    const words = `line ${at} of file number ${at} says value_${at}_here and no more\n`.repeat(270);
    const more = { messageId: `r${at}`, usage: usage(prompt, 40) };
    messages.push(call(`c${at}`, 'Read', { file_path: `/${at}`, note: at === requests - 1 ? quote : '' }, more), result(`c${at}`, words));
  }
  return messages;
}

describe('replay of a session that is mostly tool results', () => {
  it('finds the sum of the prompts more than halved', () => {
    const micro = replayMicro(transcriptOf(session(40), { model: 'claude-sonnet-4-6' }), ROUGH);
    assert.ok(micro !== undefined);
    assert.equal(micro.requests, 40);
    assert.equal(
      micro.prompts,
      Array.from({ length: 40 }, (_, at) => 5000 + at * 4100).reduce((a, b) => a + b),
    );
    assert.equal(micro.clearedResults, 34);
    assert.ok(micro.cleared < micro.prompts / 2, `${micro.cleared} of ${micro.prompts}`);
    assert.ok(micro.resultsInPrompts > micro.prompts / 2, `${micro.resultsInPrompts} of ${micro.prompts}`);
    assert.equal(micro.quoted, 0);
    // Five results are written again with each request, since clearing the oldest breaks the cache before them: that is dearer than reading all.
    assert.ok((micro.clearedUsd ?? NaN) > (micro.wentUsd ?? NaN), `${micro.clearedUsd} and ${micro.wentUsd}`);
  });

  it('sees a later quote of a cleared result, and none of one that is still there', () => {
    const transcript = (at: number) => transcriptOf(session(40, `line ${at} of file number ${at} says value_${at}_here`));
    assert.equal(replayMicro(transcript(3), ROUGH)?.quotedRuns, 1);
    assert.equal(replayMicro(transcript(38), ROUGH)?.quoted, 0);
  });

  it('finds the forecasts near the bills', () => {
    const points = replayCosts(transcriptOf(session(40), { model: 'claude-sonnet-4-6' }), ROUGH);
    assert.deepEqual([...new Set(points.map(({ kind }) => kind))], ['full', 'up to', 'from', 'micro']);
    for (const { kind, at, bill } of points) {
      assert.ok(Math.abs(bill.forecast / bill.replayed - 1) < 0.05, `${kind} at ${at}: ${bill.forecast} for ${bill.replayed}`);
    }
  });

  it('has no forecast without prices, nor without reports', () => {
    assert.deepEqual(replayCosts(transcriptOf(session(20), { model: 'nobody-knows' }), ROUGH), []);
    const silent = session(20).map(withoutUsage);
    assert.deepEqual(replayCosts(transcriptOf(silent, { model: 'claude-sonnet-4-6' }), ROUGH), []);
  });
});

const real = existsSync(FOLDER) ? describe : describe.skip;
real(`replay of real sessions (${existsSync(FOLDER) ? 'read in place' : `left out: ${FOLDER} is missing`})`, function () {
  this.timeout(120_000);
  for (const file of ['claude/v2.0.76-bad-line.jsonl', 'codex/v0.118-exec.jsonl']) {
    it(`${file}: half of the prompts, and bills within 5 % in sum`, async () => {
      const opened = await openTranscript(`${FOLDER}/${file}`, { watch: false, pollMs: 0 });
      try {
        const counter = await loadCounter('o200k_base');
        const micro = replayMicro(opened.transcript, counter);
        assert.ok(micro !== undefined);
        const points = replayCosts(opened.transcript, counter);
        assert.ok(microTotals([{ file, micro, points, cache: undefined }], 'mostlyOfPrompts').fall >= 0.5);
        const errors = errorTotals(points.map(({ bill }) => bill));
        assert.ok(errors.points >= 8 && Math.abs(errors.ofSum) < 0.05 && errors.within5 > 0.9, JSON.stringify(errors));
      } finally {
        opened.dispose();
      }
    });
  }
});
