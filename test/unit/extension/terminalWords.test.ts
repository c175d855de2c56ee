import assert from 'node:assert/strict';
import { resumeCommand } from '../../../src/core/session/copy/copyName';
import { isSafeInTerminal } from '../../../src/extension/history/terminalWords';

const ID = '0b6f1f4e-5a0e-4c1e-9d2f-3c9a6f0f1a2b';

describe('commands that are typed into a terminal', () => {
  it('are those of agents that take an id, everywhere', () => {
    for (const format of ['claude-code', 'codex', 'gemini', 'qwen'] as const) {
      const command = resumeCommand(format, ID, '/anywhere/$(rm -rf ~)');
      assert.ok(command);
      for (const platform of ['linux', 'darwin', 'win32'] as const) assert.ok(isSafeInTerminal(command, platform), command);
    }
  });

  it('are those with a path where the shell reads our marks', () => {
    const command = resumeCommand('pi', ID, "/home/me/it's $(here) & there.jsonl");
    assert.ok(command);
    assert.ok(isSafeInTerminal(command, 'linux'));
    assert.ok(!isSafeInTerminal(command, 'win32'));
  });

  it('are never those with a line end or another control character', () => {
    for (const path of ['/a/b\nrm -rf ~', '/a/b\r', '/a/\u001b[2J', '/a/\u0003']) {
      const command = resumeCommand('pi', ID, path);
      assert.ok(command);
      for (const platform of ['linux', 'darwin', 'win32'] as const) assert.ok(!isSafeInTerminal(command, platform));
    }
  });
});
