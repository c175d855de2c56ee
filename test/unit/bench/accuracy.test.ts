import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FITTED } from '../../../src/core/tokens/generationCosts';
import { bench } from '../../bench/accuracy.bench';
import { costsSource } from '../../bench/accuracy/costsSource';
import { fitGeneration } from '../../bench/accuracy/fitGenerations';
import { leastDeviations } from '../../bench/accuracy/leastDeviations';
import { scoreOf } from '../../bench/accuracy/scores';
import { readTurnRows } from '../../bench/accuracy/turnRows';
import { holds } from '../../bench/bench';

const TURNS = '../shared/measure/turns.tsv';
const hasTurns = existsSync(TURNS);

describe('fit by least deviations', () => {
  it('finds the numbers behind equations, with some of them far off', () => {
    const equations = Array.from({ length: 60 }, (_, n) => ({
      a: [n % 7, n % 5, 1],
      y: 2 * (n % 7) + 3 * (n % 5) + 4 + (n % 10 === 0 ? 50 : 0),
    }));
    for (const [at, value] of leastDeviations(equations).entries())
      assert.ok(Math.abs(value - ([2, 3, 4][at] ?? NaN)) < 0.05, String(value));
  });

  it('keeps out what would have to be negative, and what is nowhere', () => {
    const equations = Array.from({ length: 20 }, (_, n) => ({ a: [n + 1, 1, 0], y: n + 1 - 3 }));
    const [, negative, nowhere] = leastDeviations(equations);
    assert.deepEqual([negative, nowhere], [0, 0]);
  });

  it('finds a quantile', () => {
    const equations = Array.from({ length: 1000 }, (_, n) => ({ a: [1], y: n / 1000 }));
    assert.ok(Math.abs((leastDeviations(equations, 0.9)[0] ?? 0) - 0.9) < 0.01);
  });
});

describe('tables of turns', () => {
  it('are read by the names of their columns', () => {
    const folder = mkdtempSync(join(tmpdir(), 'turns-'));
    const file = join(folder, 'turns.tsv');
    const columns =
      'turn\tmodel\tsession\tdelta_tokens\toutput_tokens\tthinking_blocks\ttext_blocks\ttool_use_blocks\ttool_result_blocks\tuser_text_blocks\to200k_assistant\to200k_user\tchars_assistant\tchars_user';
    writeFileSync(
      file,
      `${columns}\n1\tclaude-opus-4-8\ts\t700\t300\t0\t1\t1\t1\t0\t100\t200\t400\t800\n0\tgpt-5\ts\t1\t1\t0\t0\t0\t0\t0\t0\t0\t0\t0\n`,
    );
    const [first, second] = readTurnRows(file);
    assert.deepEqual([first?.turn, first?.generation, second?.generation, second?.userChars], [0, 'other', 'claude47', 800]);
    writeFileSync(file, 'turn\tmodel\n');
    assert.throws(() => readTurnRows(file), /no column/);
    rmSync(folder, { recursive: true });
  });

  it('without a table the benchmark fails and says so', async () => {
    const { checks, notes } = await bench.run(['--turns', 'no-such-file.tsv']);
    assert.ok(checks.some((check) => !holds(check)) && notes?.[0]?.includes('no-such-file.tsv') === true);
  });
});

describe('scores', () => {
  it('give median, mean, sums of sessions and the share inside the band', () => {
    const row = { model: 'm', generation: 'other', session: 's', outputTokens: 0, thinkingBlocks: 0, textBlocks: 0 } as const;
    const more = {
      toolUseBlocks: 0,
      toolResultBlocks: 0,
      userTextBlocks: 0,
      assistantTokens: 0,
      userTokens: 0,
      assistantChars: 0,
      userChars: 0,
    };
    const estimates = Array.from({ length: 8 }, (_, turn) => ({
      row: { ...row, ...more, turn, deltaTokens: 100 },
      tokens: turn % 2 === 0 ? 110 : 96,
      band: 5,
      guessed: { later: 100, reply: 0, hiddenThinking: 0 },
    }));
    const score = scoreOf(estimates);
    const figures = [score.turns, score.sessions, score.median, score.mean, score.sessionMedian ?? 0, score.inBand].map((n) =>
      Number(n.toFixed(6)),
    );
    assert.deepEqual(figures, [8, 1, 7, 7, 3, 50]);
    assert.equal(scoreOf(estimates.slice(1)).sessionMedian, undefined);
  });
});

describe(hasTurns ? 'shipped estimates on real turns' : `shipped estimates on real turns (skipped: ${TURNS} is not here)`, () => {
  if (!hasTurns) return;
  it('stay within their limits', async () => {
    const { checks } = await bench.run(['--turns', TURNS]);
    assert.deepEqual(
      checks.filter((check) => !holds(check)),
      [],
    );
    assert.equal(checks.length, 6);
  });

  it('are what a fit to the table gives', function () {
    this.timeout(60_000);
    const rows = readTurnRows(TURNS);
    const of = (generation: 'claude47' | 'claude46') => fitGeneration(rows.filter((row) => row.generation === generation));
    const fits = { claude47: of('claude47'), claude46: of('claude46') };
    assert.deepEqual(fits, FITTED);
    const plain = (text: string): string => text.replaceAll(/\s/g, '');
    assert.equal(plain(readFileSync('src/core/tokens/generationCosts.ts', 'utf8')), plain(costsSource(fits)));
  });
});
