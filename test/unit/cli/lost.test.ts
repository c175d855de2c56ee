import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CompactReport } from '../../../src/node/engine/compactReport';
import { cli } from '../../support/cli';
import { inFolder } from '../../support/folders';

describe('command line: what a compaction dropped', () => {
  const filler = 'It is a long passage of plain words that says little. '.repeat(10);
  const session = (answers: number): string =>
    Array.from({ length: answers }, (_, i) => [
      { role: 'user', content: `Question about part ${i}` },
      { role: 'assistant', content: `${filler}The reason lies in handler_${i}, port ${20_000 + i}. ${filler}` },
    ])
      .flat()
      .map((message) => `${JSON.stringify(message)}\n`)
      .join('');

  it('is listed with its messages, in JSON and in words', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'session.jsonl');
      writeFileSync(path, session(400));
      const { out } = await cli(['compact', path, '--full', '--keep', '4', '--dry-run', '--json']);
      const { lost, summarizedIds, summary } = JSON.parse(out) as CompactReport;
      assert.ok(lost !== null && lost.length > 0, 'four hundred names do not fit into the summary');
      for (const { value, messageId } of lost) {
        assert.ok(summarizedIds.includes(messageId), messageId);
        assert.ok(!summary.split(/\s+/).includes(value), value);
      }
      const text = await cli(['compact', path, '--full', '--keep', '4', '--dry-run']);
      assert.match(text.out, /\n\d+ things are in the original and not in the copy:\n {2}\w+ /);
      assert.match(text.out, /\n {2}… and \d+ more; --json lists all of them\.\n/);
    }));

  it('may be nothing', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'session.jsonl');
      writeFileSync(path, session(6));
      const { out } = await cli(['compact', path, '--full', '--keep', '2', '--dry-run']);
      assert.match(out, /\nNothing was found that the copy does not state any more\.\n/);
    }));
});
