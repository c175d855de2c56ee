import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from '../../../src/core/model/message';
import { openTranscript } from '../../../src/node/sources/transcriptFiles';
import { appendedAnswer, writeBigCodexSession } from '../../bench/bigCodexSession';
import { appendedResponse, writeBigSession } from '../../bench/bigSession';
import { inFolder } from '../../support/folders';

const BYTES = 9_000_000;
const options = { watch: true, pollMs: 50, lastPartFirst: true } as const;

/** Writes a session and tells how to append an answer to it. */
const AGENTS: readonly (readonly [string, (path: string) => () => string])[] = [
  [
    'Claude Code',
    (path) => {
      const { lastUuid, lastPrompt } = writeBigSession(path, BYTES);
      return () => appendedResponse({ number: 0, parent: lastUuid, prompt: lastPrompt + 100, output: 40 });
    },
  ],
  [
    'Codex',
    (path) => {
      const { lastContext, lastThread } = writeBigCodexSession(path, BYTES);
      return () => appendedAnswer(0, lastContext + 100, lastThread + lastContext);
    },
  ],
];

describe('large files', () => {
  for (const [agent, write] of AGENTS) {
    it(`${agent}: open with their last part, which says so, and grow as whole ones`, async function () {
      this.timeout(60_000);
      await inFolder(async (folder) => {
        const path = join(folder, 'session.jsonl');
        const answer = write(path);
        const file = await openTranscript(path, options);
        try {
          const part = file.transcript;
          assert.equal(part.isLastPart, true);
          await file.reading;
          const whole = file.transcript;
          assert.ok(!('isLastPart' in whole));
          assert.ok(whole.messages.length > part.messages.length);
          assert.deepEqual(part.messages.slice(-50).map(textOf), whole.messages.slice(-50).map(textOf));
          appendFileSync(path, answer());
          await new Promise<void>((resolve) => {
            const subscription = file.onDidChange(() => {
              if (file.transcript.messages.length <= whole.messages.length) return;
              subscription.dispose();
              resolve();
            });
          });
          assert.ok(whole.messages.every((message, index) => file.transcript.messages[index] === message));
          assert.equal(file.transcript.messages.length, whole.messages.length + 1);
        } finally {
          file.dispose();
        }
      });
    });
  }
});
