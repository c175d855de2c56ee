import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import type { InspectReport } from '../../../src/core/view/inspectReport';
import { cli } from '../../support/cli';
import { AGENT_FIXTURES, filesBelow, NO_TRANSCRIPTS, sha256, TRANSCRIPTS } from '../../support/folders';

/** Its automatic compaction ran twice in that turn: the first result was still over the limit that the run had been given. */
const CODEX_COMPACTIONS = 2;

/** Files that this version reads. Others exit with a sentence. */
const READ = /^(claude|codex)\//;

describe('command line: inspect --json on sessions of real agents', function () {
  this.timeout(120_000);

  for (const path of filesBelow(AGENT_FIXTURES, '.jsonl').filter((file) => /(claude-code|codex)-/.test(file))) {
    it(relative(AGENT_FIXTURES, path), async () => {
      const report = await inspected(path);
      assertShape(report);
      assert.ok(report.messages !== undefined && report.messages.length > 3);
      assert.equal(report.boundaries.length, path.includes('before-compact') ? 0 : path.includes('codex') ? CODEX_COMPACTIONS : 1);
    });
  }

  it('has no messages without --messages, and a window by option', async () => {
    const path = join(AGENT_FIXTURES, 'claude-code-2.1.332', 'before-compact.jsonl');
    const result = await cli(['inspect', path, '--json', '--window', '50000']);
    const report = JSON.parse(result.out) as InspectReport;
    assert.equal(report.messages, undefined);
    assert.deepEqual(report.window.tokens, 50_000);
    assert.equal(report.window.source, 'setting');
  });

  it('says the same to people in words', async () => {
    const path = join(AGENT_FIXTURES, 'claude-code-2.1.332', 'after-compact.jsonl');
    const { status, out } = await cli(['inspect', path, '--messages']);
    assert.equal(status, 0);
    assert.match(out, /of 1\.0M · \d+ % · OK/);
    assert.match(out, /compaction 1: manual/);
  });
});

describe(`command line: inspect --json on the collection${NO_TRANSCRIPTS}`, function () {
  this.timeout(600_000);
  if (TRANSCRIPTS === undefined) return;
  const root = TRANSCRIPTS;
  const [header = '', ...lines] = readFileSync(join(root, 'INDEX.tsv'), 'utf8').trimEnd().split('\n');
  const column = (name: string): number => header.split('\t').indexOf(name);

  for (const cells of lines.map((line) => line.split('\t'))) {
    const file = cells[column('file')] ?? '';
    if (!READ.test(file)) continue;
    it(file, async () => {
      const path = join(root, file);
      const before = sha256(path);
      const report = await inspected(path);
      assertShape(report);
      const expected = { boundaries: Number(cells[column('boundaries')]), reported: cells[column('last_reported')] ?? '' };
      assert.equal(report.boundaries.length, DIFFERENT_BOUNDARIES.get(file) ?? expected.boundaries);
      // Sessions whose numbers were blanked report 0, which is no report.
      const reported = expected.reported === '' || expected.reported === '0' ? null : Number(expected.reported);
      assert.equal(report.usage.reportedTokens, reported);
      assert.equal(sha256(path), before, 'reading changes nothing');
    });
  }
});

/**
 * Where the live branch rightly has other boundaries than a plain scan in file order: the lines of this file were cut out of several sessions
 * and all ids were made equal, so the live branch is its last piece, which has none.
 */
const DIFFERENT_BOUNDARIES: ReadonlyMap<string, number> = new Map([['claude/fixture-trimmed-2.1.220.jsonl', 0]]);

async function inspected(path: string): Promise<InspectReport> {
  const result = await cli(['inspect', path, '--json', '--messages']);
  assert.equal(result.err, '');
  assert.equal(result.status, 0, `${basename(path)}: ${result.out}`);
  return JSON.parse(result.out) as InspectReport;
}

function assertShape(report: InspectReport): void {
  assert.equal(report.schema, 'context-inspector/inspect/v1');
  const { usage } = report;
  assert.equal(usage.usedTokens, (usage.reportedTokens ?? 0) + usage.estimatedTailTokens);
  for (const tokens of [usage.usedTokens, usage.estimatedTailTokens, usage.errorTokens]) assert.ok(Number.isInteger(tokens) && tokens >= 0);
  const total = report.categories.reduce((sum, row) => sum + row.tokens, 0);
  assert.equal(total, usage.usedTokens, 'the categories add up');
  if (usage.reportedTokens === null) assert.notEqual(usage.measurement, 'provider_reported');
  if (report.window.tokens === null) assert.equal(report.warning.state, 'unknown');
  const messages = report.messages ?? [];
  messages.forEach((message, index) => {
    assert.equal(message.index, index);
    assert.ok(message.preview.length <= 120);
    assert.ok(message.tokens >= 0);
  });
  assert.equal(new Set(messages.map((message) => message.id)).size, messages.length, 'ids are distinct');
  for (const boundary of report.boundaries) {
    for (const id of boundary.preservedSegment?.ids ?? []) assert.equal(typeof id, 'string');
  }
}
