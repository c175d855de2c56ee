import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { textOf } from '../../../src/core/model/message';
import { readTranscript } from '../../../src/core/transcript/readTranscript';
import type { InspectReport } from '../../../src/core/view/inspectReport';
import type { CompactReport } from '../../../src/node/engine/compactReport';
import { cli } from '../../support/cli';
import { filesBelow, inFolder, NO_TRANSCRIPTS, TRANSCRIPTS } from '../../support/folders';

async function check(path: string): Promise<void> {
  await inFolder(async (folder) => {
    const { messages = [] } = JSON.parse((await cli(['inspect', path, '--json', '--messages'])).out) as InspectReport;
    const active = messages.filter((message) => message.active && message.kind === 'message');
    const pins = [0.2, 0.5].map((share) => active[Math.floor(active.length * share)]?.id ?? '');
    const out = join(folder, `copy-of-${basename(path)}`);
    const result = await cli(['compact', path, '--full', '--keep', '4', ...pins.flatMap((id) => ['--pin', id]), '--out', out, '--json']);
    if (result.status === 3) return;
    assert.equal(result.status, 0, result.out);
    const report = JSON.parse(result.out) as CompactReport;
    for (const id of pins) assert.ok(report.keptIds.includes(id) && !report.summarizedIds.includes(id), id);
    const [original, copied] = [readTranscript(readFileSync(path)), readTranscript(readFileSync(out))];
    const kept = new Set(report.keptIds);
    const wanted = original.context
      .flatMap((index) => original.messages[index] ?? [])
      .filter((message) => kept.has(message.id) && message.kind !== 'boundary');
    const context = copied.context
      .flatMap((index) => copied.messages[index] ?? [])
      .filter((message) => !textOf(message).includes(report.summary));
    assert.deepEqual(
      context.map(({ role, content }) => ({ role, content })),
      wanted.map(({ role, content }) => ({ role, content })),
      'kept messages are as they were, in order',
    );
  });
}

describe('command line: pinned messages', function () {
  this.timeout(120_000);

  it('an id that is not in the file is wrong usage', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'chat.jsonl');
      writeFileSync(
        path,
        Array.from(
          { length: 8 },
          (_, i) => `${JSON.stringify({ role: i % 2 === 0 ? 'user' : 'assistant', content: 'word '.repeat(500) })}\n`,
        ).join(''),
      );
      assert.equal((await cli(['compact', path, '--full', '--keep', '2', '--pin', 'nobody', '--dry-run'])).status, 2);
      assert.equal((await cli(['compact', path, '--full', '--keep', '2', '--pin', '0', '--pin', '1', '--dry-run'])).status, 0);
    }));
});

describe(`command line: pinned messages in real sessions${NO_TRANSCRIPTS}`, function () {
  this.timeout(300_000);
  if (TRANSCRIPTS === undefined) return;
  const root = TRANSCRIPTS;
  for (const folder of ['claude', 'codex']) {
    for (const path of filesBelow(join(root, folder), '.jsonl').slice(0, 12)) it(relative(root, path), () => check(path));
  }
});
