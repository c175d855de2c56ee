// The messages behind a copy's summary are found again for every kind of session that copies are written of.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PlanInput } from '../../../src/core/compaction/planInput';
import { partitionFor } from '../../../src/core/compaction/strategies';
import { planOf } from '../../../src/core/compaction/strategies/partition';
import type { Summarizer } from '../../../src/core/ports/summarizer';
import { resumeCommand } from '../../../src/core/session/copy/copyName';
import { inspectTranscript } from '../../../src/core/session/inspection';
import { historyItems } from '../../../src/node/engine/historyHandlers';
import { findOriginals } from '../../../src/node/engine/historyOriginals';
import { inspectionSettings } from '../../../src/node/engine/inspectionSettings';
import { writeCompactedCopy } from '../../../src/node/engine/writeCompactedCopy';
import { createNodeFileSystem } from '../../../src/node/fs/nodeFileSystem';
import { openTranscript, type TranscriptFile } from '../../../src/node/sources/transcriptFiles';
import { inFolder } from '../../support/folders';
import { SESSION_FOLDER, WRITABLE_SESSIONS } from '../../support/writableSessions';

const fs = createNodeFileSystem();
const summarizer: Summarizer = {
  capabilities: { label: 'fake', host: undefined },
  summarize: () => Promise.resolve({ text: 'Two things were said, and one was done.', usage: undefined }),
};

async function withOpen<T>(path: string, work: (file: TranscriptFile) => Promise<T>): Promise<T> {
  const file = await openTranscript(path, { watch: false, pollMs: 0 });
  try {
    return await work(file);
  } finally {
    file.dispose();
  }
}

describe('the history of every kind of session', function () {
  this.timeout(60_000);

  for (const session of WRITABLE_SESSIONS) {
    it(`${session.name}: its copy leads back to the original`, () =>
      inFolder(async (folder) => {
        const placed = (path: string): string => join(folder, path.slice(SESSION_FOLDER.length + 1));
        for (const [path, bytes] of session.files) {
          mkdirSync(dirname(placed(path)), { recursive: true });
          writeFileSync(placed(path), bytes);
        }
        const source = placed(session.path);
        const { copy, summarized, format } = await withOpen(source, async (file) => {
          const { transcript } = file;
          const { messages, context } = transcript;
          const inspection = inspectTranscript(transcript, await inspectionSettings({ tokenizer: 'chars' }));
          const input: PlanInput = { messages, context, tokens: messages.map(() => 1000), unattributedTokens: 0, revision: 1 };
          const plan = context
            .map((index) => partitionFor({ kind: 'partialUpTo', pivotId: messages[index]?.id ?? '' }, input))
            .flatMap((partition) => (partition.outcome === 'partition' ? [planOf(input, partition)] : []))
            .at(-1);
          assert.ok(plan);
          const options = { instructions: '', onProgress: () => undefined };
          return {
            format: transcript.format,
            summarized: plan.summarized.flatMap((index) => messages[index] ?? []),
            copy: await writeCompactedCopy({ file, inspection, input, plan, summarizer, options }, undefined),
          };
        });

        await withOpen(copy.path, async ({ transcript }) => {
          const [originals, ...more] = [...(await findOriginals(fs, copy.path, transcript)).values()];
          assert.deepEqual(more, []);
          assert.ok(originals);
          // Where the agent itself had compacted before, what stood behind its summary takes the summary's place.
          const own = summarized.filter(({ kind }) => kind !== 'summary').map(({ content }) => JSON.stringify(content));
          const found = originals.map(({ content }) => JSON.stringify(content));
          let at = 0;
          for (const content of found) if (content === own[at]) at++;
          assert.equal(at, own.length, 'each message that was summarized is there, in order');
          assert.ok(found.length >= summarized.length);
        });

        const [ofCopy] = await historyItems(fs, copy.path);
        const [ofSource] = await historyItems(fs, source);
        assert.equal(ofCopy?.view.role, 'copy');
        assert.equal(ofSource?.view.role, 'original');
        assert.deepEqual([ofCopy.view.copy, ofCopy.view.source], ['present', 'present']);
        assert.equal(ofSource.view.resume, resumeCommand(format, copy.sessionId, copy.path));
      }));
  }
});
