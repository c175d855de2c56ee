// The bundled sample: what its script makes, readable to the last line, and as full as a session that needs a compaction.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { inspectFile } from '../../../src/node/engine/inspectFile';

const SAMPLE = 'media/sample/fix-token-counter-drift.jsonl';

describe('the bundled sample', function () {
  this.timeout(60_000);

  it('is what its script makes', async () => {
    await promisify(execFile)(process.execPath, ['scripts/sample.mjs', '--check']);
  });

  it('reads without a diagnostic and is beyond the warning limit', async () => {
    const report = await inspectFile(SAMPLE, {}, true);
    assert.deepEqual(report.diagnostics, []);
    assert.equal(report.warning.isAboveWarningThreshold, true);
    assert.equal(report.warning.isAboveAutoCompactThreshold, false);
    assert.deepEqual(
      report.boundaries.map(({ trigger, valid }) => [trigger, valid]),
      [
        ['auto', true],
        ['manual', true],
      ],
    );
    for (const { preservedSegment } of report.boundaries) assert.ok((preservedSegment?.count ?? 0) > 0);
  });

  it('has numbers that its text accounts for: what remains is the system prompt and the tools', async () => {
    const { categories, usage } = await inspectFile(SAMPLE, {}, false);
    const unattributed = categories.find(({ category }) => category === 'unattributed')?.tokens ?? 0;
    assert.ok(Math.abs(unattributed - 39_200) < usage.usedTokens * 0.01, `${unattributed} tokens remain`);
  });
});
