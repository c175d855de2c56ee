import assert from 'node:assert/strict';
import { extractFacts } from '../../../../src/core/compaction/offline/facts';
import type { Message } from '../../../../src/core/model/message';
import { bash, execs, patches, talk, uses } from './talk';

function filesOf(messages: readonly Message[]): string[] {
  return extractFacts(messages).files.map(
    ({ path, base, actions }) => `${actions.join('+')} ${base === undefined ? '' : `(${base}) `}${path}`,
  );
}

const CREATED = 'File created successfully at: /repo/a.ts';
const UPDATED = "The file /repo/a.ts has been updated. Here's the result of running `cat -n`";

describe('files of a session', () => {
  const table: readonly { readonly name: string; readonly messages: readonly Message[]; readonly files: readonly string[] }[] = [
    { name: 'Read', messages: talk(uses('Read', { file_path: '/repo/a.ts' }, '1→x')), files: ['read /repo/a.ts'] },
    { name: 'Read of a missing file', messages: talk(uses('Read', { file_path: '/repo/a.ts' }, 'File does not exist.', true)), files: [] },
    {
      name: 'Write of a new file',
      messages: talk(uses('Write', { file_path: '/repo/a.ts', content: 'x' }, CREATED)),
      files: ['created /repo/a.ts'],
    },
    {
      name: 'Write over a file',
      messages: talk(uses('Write', { file_path: '/repo/a.ts', content: 'x' }, UPDATED)),
      files: ['changed /repo/a.ts'],
    },
    {
      name: 'Write, then Edit and Read',
      messages: talk(
        uses('Write', { file_path: '/repo/a.ts', content: 'x' }, CREATED),
        uses('Edit', { file_path: '/repo/a.ts', old_string: 'x', new_string: 'y' }, UPDATED),
        uses('Read', { file_path: '/repo/a.ts' }, '1→y'),
      ),
      files: ['created+changed+read /repo/a.ts'],
    },
    {
      name: 'an Edit that failed',
      messages: talk(
        uses('Edit', { file_path: '/repo/a.ts' }, '<tool_use_error>String to replace not found in file.</tool_use_error>', true),
      ),
      files: [],
    },
    { name: 'an Edit without a result', messages: talk(uses('Edit', { file_path: '/repo/a.ts' })), files: [] },
    {
      name: 'MultiEdit and NotebookEdit',
      messages: talk(uses('MultiEdit', { file_path: 'a.ts' }, 'Applied'), uses('NotebookEdit', { notebook_path: 'b.ipynb' }, 'ok')),
      files: ['changed a.ts', 'changed b.ipynb'],
    },
    {
      name: 'an editor tool with a verb',
      messages: talk(
        uses('str_replace_based_edit_tool', { command: 'view', path: 'a.ts' }, 'x'),
        uses('str_replace_based_edit_tool', { command: 'create', path: 'b.ts' }, 'ok'),
      ),
      files: ['read a.ts', 'created b.ts'],
    },
    {
      name: 'tools that are named for what they do',
      messages: talk(uses('read_file', { path: 'a.ts' }, 'x'), uses('mcp__fs__delete_file', { path: 'b.ts' }, 'ok')),
      files: ['read a.ts', 'deleted b.ts'],
    },
    {
      name: 'tools that only search',
      messages: talk(uses('Grep', { path: 'a.ts', pattern: 'x' }, 'a.ts:1'), uses('LS', { path: '/repo' }, '- a')),
      files: [],
    },
    { name: 'rm in a shell', messages: talk(bash('rm old.ts && ls', 'a.ts')), files: ['deleted old.ts'] },
    { name: 'rm that failed', messages: talk(bash('rm old.ts', 'Exit code 1\nrm: old.ts: No such file or directory', true)), files: [] },
    {
      name: 'a part of a command that failed',
      messages: talk(bash('cat a.ts; cat b.ts', 'x\ncat: b.ts: No such file or directory')),
      files: ['read a.ts'],
    },
    { name: 'a read that shows nothing', messages: talk(bash('cat a.ts', '')), files: [] },
    {
      name: 'a new file from a here-document',
      messages: talk(bash("cat > notes.md <<'EOF'\nrm b.ts\nEOF", '')),
      files: ['created notes.md'],
    },
    {
      name: 'Codex patches',
      messages: talk(
        patches(
          '*** Begin Patch\n*** Add File: a.ts\n+x\n*** Update File: b.ts\n@@\n-*** Delete File: q.ts\n*** Delete File: c.ts\n*** Update File: d.ts\n*** Move to: e.ts\n@@\n*** End Patch',
        ),
      ),
      files: ['created a.ts', 'changed b.ts', 'deleted c.ts', 'deleted d.ts', 'created e.ts'],
    },
    {
      name: 'a Codex patch that does not fit',
      messages: talk(patches('*** Begin Patch\n*** Update File: b.ts\n*** End Patch', 'apply_patch verification failed: x')),
      files: [],
    },
    {
      name: 'a patch as a shell command',
      messages: talk(
        uses(
          'shell',
          { command: ['apply_patch', '*** Begin Patch\n*** Add File: a.ts\n+x\n*** End Patch\n'] },
          'Success. Updated the following files:\nA a.ts',
        ),
      ),
      files: ['created a.ts'],
    },
    { name: 'a Codex command in the usual folder', messages: talk(execs("sed -n '1,9p' src/a.ts", 'x')), files: ['read src/a.ts'] },
    {
      name: 'a Codex command in another folder',
      messages: talk(execs('cat a.ts', 'x'), execs('ls', 'x'), execs('cat b.ts', 'x', 0, '/elsewhere')),
      files: ['read a.ts', 'read (/elsewhere) b.ts'],
    },
    {
      name: 'two spellings where the folder is known',
      messages: talk(execs('cat src/a.ts', 'x'), patches('*** Begin Patch\n*** Update File: /repo/src/a.ts\n@@\n*** End Patch')),
      files: ['changed+read src/a.ts'],
    },
    {
      name: 'bash -lc',
      messages: talk(
        uses('shell', { command: ['bash', '-lc', 'cat a.ts'] }, '{"output":"x","metadata":{"exit_code":0,"duration_seconds":0}}'),
      ),
      files: ['read a.ts'],
    },
    { name: 'local_shell', messages: talk(uses('local_shell', { type: 'exec', command: ['cat', 'a.ts'] }, 'x')), files: ['read a.ts'] },
    {
      name: 'a script of Codex',
      messages: talk(
        uses(
          'exec',
          'const r = await tools.exec_command({\n  cmd: "cat src/a.ts",\n  workdir: "/repo"\n});\ntext(r.output);',
          'Script completed\nWall time 0.1 seconds\nOutput:\nx',
        ),
      ),
      files: ['read src/a.ts'],
    },
    {
      name: 'a patch in a script of Codex',
      messages: talk(
        uses(
          'exec',
          'const p = "*** Begin Patch\\n*** Update File: /repo/a.ts\\n@@\\n*** End Patch"; await tools.apply_patch(p);',
          'Script completed\nWall time 0.1 seconds\nOutput:\n{}',
        ),
      ),
      files: ['changed /repo/a.ts'],
    },
    {
      name: 'a file that was deleted and made again',
      messages: talk(bash('rm a.ts', ''), bash('echo x > a.ts', '')),
      files: ['deleted+created a.ts'],
    },
    { name: 'a script that the shell would expand', messages: talk(bash('rm $FILES *.ts', '')), files: [] },
    {
      name: 'a command that finished later',
      messages: talk(
        uses('exec_command', { cmd: 'cat a.ts', workdir: '/repo' }, 'Process running with session ID 7\nOutput:\n'),
        uses('write_stdin', { session_id: 7, chars: '' }, 'Process exited with code 0\nOutput:\nx'),
      ),
      files: ['read a.ts'],
    },
  ];
  for (const { name, messages, files } of table) it(name, () => assert.deepEqual(filesOf(messages), files));
});
