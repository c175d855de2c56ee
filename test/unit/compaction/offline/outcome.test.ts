import assert from 'node:assert/strict';
import { readOutcome } from '../../../../src/core/compaction/offline/outcome';
import { errorLine, resultLine, shortened } from '../../../../src/core/compaction/offline/telling';

describe('how a call went', () => {
  const table: readonly {
    readonly name: string;
    readonly text: string;
    readonly isError?: boolean;
    readonly expected: readonly unknown[];
  }[] = [
    { name: 'plain output', text: 'ok', expected: ['ok', undefined, undefined, 'ok'] },
    { name: 'Claude Code, a failed command', text: 'Exit code 2\nboom', isError: true, expected: ['failed', '2', undefined, 'boom'] },
    {
      name: 'a refusal',
      text: "The user doesn't want to proceed with this tool use. x",
      isError: true,
      expected: ['refused', undefined, undefined],
    },
    {
      name: 'a tool error in tags',
      text: '<tool_use_error>No such path</tool_use_error>',
      expected: ['failed', undefined, undefined, 'No such path'],
    },
    {
      name: 'Codex, exec_command',
      text: "Command: /bin/zsh -lc 'a\nb'\nChunk ID: 1\nWall time: 2.5000 seconds\nProcess exited with code 1\nOutput:\nboom",
      expected: ['failed', '1', '2.5000', 'boom'],
    },
    { name: 'Codex, shell_command', text: 'Exit code: 0\nWall time: 3 seconds\nOutput:\nfine\n', expected: ['ok', '0', '3', 'fine\n'] },
    {
      name: 'Codex, the old record',
      text: '{"output":"fine","metadata":{"exit_code":0,"duration_seconds":0.2}}',
      expected: ['ok', '0', '0.2', 'fine'],
    },
    { name: 'Codex, a patch that does not fit', text: 'apply_patch verification failed: x', expected: ['failed', undefined, undefined] },
    {
      name: 'Codex, a script that prints the record of its command',
      text: 'Script completed\nWall time 1.5 seconds\nOutput:\n{"exit_code":1,"output":"boom","wall_time_seconds":0.5}',
      expected: ['failed', '1', '0.5', 'boom'],
    },
    {
      name: 'a file that begins like a report',
      text: '# Exit code handling\nOutput:\nx',
      expected: ['ok', undefined, undefined, '# Exit code handling\nOutput:\nx'],
    },
  ];
  for (const { name, text, isError = false, expected } of table) {
    it(name, () => {
      const { status, exitCode, seconds, output } = readOutcome({ text, isError });
      assert.deepEqual([status, exitCode, seconds, output].slice(0, expected.length), expected);
    });
  }

  it('a process that goes on running is named', () => {
    assert.equal(readOutcome({ text: 'Chunk ID: 1\nProcess running with session ID 47\nOutput:\n', isError: false }).process, '47');
    assert.equal(readOutcome({ text: 'Command running in background with ID: b1f', isError: false }).process, 'b1f');
  });
});

describe('the line that tells', () => {
  const results: readonly (readonly [string, string | undefined])[] = [
    ['collected 3\n\n===== 3 passed in 0.1s =====\n', '===== 3 passed in 0.1s ====='],
    ['a\nTests: 2 failed, 1 passed\nTime: 3 s', 'Tests: 2 failed, 1 passed'],
    ['[main 1a2b3c4] Add the reader\n 2 files changed, 9 insertions(+)', '[main 1a2b3c4] Add the reader'],
    ['a\nb\nc', undefined],
    ['Already up to date.', 'Already up to date.'],
    ['\u001b[32m12 passed\u001b[0m', '12 passed'],
    ['', undefined],
  ];
  for (const [output, line] of results) it(JSON.stringify(output), () => assert.equal(resultLine(output), line));

  const errors: readonly (readonly [string, string | undefined])[] = [
    ['Traceback (most recent call last):\n  File "a.py", line 1\nValueError: bad', 'ValueError: bad'],
    ['note\nerror: unknown command\nmore', 'error: unknown command'],
    ['# pkg\na.go:3:1: undefined: x\nFAIL pkg [build failed]', 'a.go:3:1: undefined: x'],
    ['--- FAIL: TestX\nFAIL', '--- FAIL: TestX'],
    ['one\ntwo', 'two'],
    ['', undefined],
  ];
  for (const [output, line] of errors) it(JSON.stringify(output), () => assert.equal(errorLine(output), line));

  it('cuts between words', () => assert.equal(shortened('alpha beta gamma', 12), 'alpha beta …'));
});
