import assert from 'node:assert/strict';
import { copyFileName, resumeCommand } from '../../../../src/core/session/copy/copyName';

const ID = '01234567-89ab-4cde-8f01-23456789abcd';
const NOW = '2026-11-30T14:05:09.123Z';

describe('copyName', () => {
  const cases = [
    ['claude-code', 'old.jsonl', `${ID}.jsonl`],
    ['codex', 'rollout-x.jsonl', `rollout-2026-11-30T14-05-09-${ID}.jsonl`],
    ['anthropic-messages', 'talk.json', 'talk.compacted-01234567.json'],
    ['openai-chat', 'a.b.jsonl', 'a.b.compacted-01234567.jsonl'],
    ['openai-chat', 'plain', 'plain.compacted-01234567'],
    ['openai-chat', '.hidden', '.hidden.compacted-01234567'],
  ] as const;
  for (const [format, source, expected] of cases) {
    it(`names the copy of ${source} (${format}) ${expected}`, () => assert.equal(copyFileName(format, source, ID, NOW), expected));
  }

  it('says how to go on, where an agent can', () => {
    assert.equal(resumeCommand('claude-code', ID, '/p/copy.jsonl'), `claude --resume ${ID}`);
    assert.equal(resumeCommand('codex', ID, '/p/copy.jsonl'), `codex resume ${ID}`);
    assert.equal(resumeCommand('anthropic-messages', ID, '/p/copy.jsonl'), null);
    assert.equal(resumeCommand('openai-chat', ID, '/p/copy.jsonl'), null);
  });
});
