import assert from 'node:assert/strict';
import { copyFileName, copySessionId, resumeCommand } from '../../../../src/core/session/copy/copyName';

const ID = '01234567-89ab-4cde-8f01-23456789abcd';
const NOW = '2026-11-30T14:05:09.123Z';

describe('copyName', () => {
  const cases = [
    ['claude-code', 'old.jsonl', `${ID}.jsonl`],
    ['codex', 'rollout-x.jsonl', `rollout-2026-11-30T14-05-09-${ID}.jsonl`],
    ['gemini', 'session-old.jsonl', 'session-2026-11-30T14-05-01234567.jsonl'],
    ['gemini', 'session-old.json', 'session-2026-11-30T14-05-01234567.json'],
    ['qwen', 'old.jsonl', `${ID}.jsonl`],
    ['pi', 'old.jsonl', `2026-11-30T14-05-09-123Z_${ID}.jsonl`],
    ['opencode', 'opencode.db#ses_1', 'opencode.compacted-01234567.json'],
    ['docker-agent', 'session.db', 'session.compacted-01234567.json'],
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
    assert.equal(resumeCommand('gemini', ID, '/p/copy.jsonl'), `gemini --resume ${ID}`);
    assert.equal(resumeCommand('qwen', ID, '/p/copy.jsonl'), `qwen --resume ${ID}`);
    assert.equal(resumeCommand('pi', ID, '/p/copy.jsonl'), 'pi --session /p/copy.jsonl');
    assert.equal(resumeCommand('opencode', 'ses_1', '/p/copy.json'), 'opencode import /p/copy.json && opencode --session ses_1');
    assert.equal(resumeCommand('docker-agent', ID, '/p/copy.json'), null);
    assert.equal(resumeCommand('anthropic-messages', ID, '/p/copy.jsonl'), null);
    assert.equal(resumeCommand('openai-chat', ID, '/p/copy.jsonl'), null);
  });

  it('writes a path as one word of a shell, whatever it holds', () => {
    const command = resumeCommand('pi', ID, "/p/it's $(here)/a.jsonl");
    assert.equal(command, "pi --session '/p/it'\\''s $(here)/a.jsonl'");
  });

  it('gives a session an id in the form of its agent', () => {
    assert.equal(copySessionId('opencode', ID), 'ses_0123456789ab4cde8f01234567');
    assert.equal(copySessionId('codex', ID), ID);
  });
});
