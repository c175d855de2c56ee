// Every real session with compactions can be reported on, and what is reported adds up.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { boundaryReport } from '../../../src/core/session/boundaryReport';
import { inspectTranscript } from '../../../src/core/session/inspection';
import { projectionWhatIf } from '../../../src/core/session/projectionWhatIf';
import { readTranscript } from '../../../src/core/transcript/readTranscript';
import { finish } from '../../../src/core/util/steps';
import { present } from '../../../src/core/util/present';
import { boundaryReportView } from '../../../src/core/view/boundaryReport';
import { NO_TRANSCRIPTS, TRANSCRIPTS } from '../../support/folders';
import { readIndex } from '../../support/corpusIndex';

describe(`reports on compactions of real sessions${NO_TRANSCRIPTS}`, function () {
  this.timeout(120_000);
  if (TRANSCRIPTS === undefined) return;
  const root = TRANSCRIPTS;
  const compacted = [...readIndex(root).rows.values()].filter(({ file, boundaries }) => (boundaries ?? 0) > 0 || file.startsWith('pi/'));

  it('has sessions to report on', () => assert.ok(compacted.length >= 10));

  for (const { file } of compacted) {
    it(file, () => {
      const inspection = inspectTranscript(readTranscript(readFileSync(join(root, file))), {});
      const { messages, boundaries } = inspection.transcript;
      boundaries.forEach((boundary, ordinal) => {
        const report = present(finish(boundaryReport(inspection, ordinal)));
        const { before, kept, left, added, later, summary } = report.contexts;
        assert.deepEqual(
          [...left, ...kept.filter((row) => before.includes(row))].sort((a, b) => a - b),
          [...before].sort((a, b) => a - b),
        );
        const behind = [...added, ...later, ...(summary === undefined ? [] : [summary])];
        assert.equal(new Set([...behind, ...kept]).size, behind.length + kept.length);
        assert.ok(before.every((row) => row < boundary.index) && behind.every((row) => row > boundary.index));
        for (const { tokens, categories } of [report.sizes.before, report.sizes.after])
          assert.equal(
            categories.reduce((sum, part) => sum + part.tokens, 0),
            tokens,
          );
        const view = boundaryReportView(inspection, report);
        for (const { items } of view.lost?.groups ?? []) for (const { index } of items) assert.ok(index !== null && left.includes(index));
        for (const { index, sameAsIndex, messageId } of view.refill?.items ?? []) {
          assert.equal(messages[index]?.id, messageId);
          assert.ok(index > boundary.index && (sameAsIndex === null || sameAsIndex < boundary.index));
        }
      });
      const whatIf = projectionWhatIf(inspection);
      for (const { tokensBefore, tokensAfter, form } of whatIf?.results ?? [])
        assert.ok(form === 'whole' ? tokensAfter === tokensBefore : tokensAfter < tokensBefore);
    });
  }
});
