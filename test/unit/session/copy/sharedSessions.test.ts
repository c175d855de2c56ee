import { basename, dirname } from 'node:path';
import assert from 'node:assert/strict';
import { assertFaithful, planFor, readSession, requestsFor, roundTrip, sharedFiles } from './roundTrip';

/** Real sessions: every one of them has to come back from a copy as it was. */
const SETS = [
  { folder: 'agents', pattern: /(claude-code|codex|gemini|qwen|pi-|opencode).*\.jsonl?$/ },
  { folder: 'transcripts', pattern: /^(claude|codex|gemini|qwen|pi)[/\\].*\.jsonl?$/ },
] as const;

describe('copies of real sessions', () => {
  for (const { folder, pattern } of SETS) {
    const files = sharedFiles(folder, pattern);
    if (files === undefined) {
      it.skip(`needs the folder ../shared/${folder}, which is not here`);
      continue;
    }
    let copies = 0;
    for (const file of files) {
      it(`${folder}: ${basename(dirname(file))}/${basename(file)} reads back as planned, wherever it is cut, in both directions`, () => {
        const source = readSession(file);
        for (const request of requestsFor(source)) {
          const plan = planFor(source, request);
          if (!plan) continue;
          const trip = roundTrip(source, plan);
          assertFaithful(trip);
          copies++;
        }
      }).timeout(60_000);
    }
    it(`made more copies than there are sessions in ../shared/${folder}`, () => assert.ok(copies > files.length, `${copies} copies`));
  }
});
