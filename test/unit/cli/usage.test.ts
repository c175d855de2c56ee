import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cli, type CliResult } from '../../support/cli';
import { AGENT_FIXTURES, inFolder, sha256 } from '../../support/folders';

const SESSION = join(AGENT_FIXTURES, 'claude-code-2.1.332', 'before-compact.jsonl');

describe('command line: wrong input gets a sentence and a code, and loses nothing', function () {
  this.timeout(60_000);

  const failures: readonly { name: string; argv: (folder: string) => readonly string[]; status: number; code: string }[] = [
    { name: 'a missing file', argv: (folder) => ['inspect', join(folder, 'none.jsonl')], status: 1, code: 'notFound' },
    { name: 'a folder', argv: (folder) => ['inspect', folder], status: 1, code: 'notAFile' },
    { name: 'an empty file', argv: (folder) => ['inspect', file(folder, 'empty.jsonl', '')], status: 1, code: 'empty' },
    {
      name: 'a binary file',
      argv: (folder) => ['inspect', file(folder, 'b.jsonl', Buffer.from([0, 1, 2, 255, 0, 7, 0, 0, 0, 200]))],
      status: 1,
      code: 'binary',
    },
    {
      name: 'text that is no transcript',
      argv: (folder) => ['inspect', file(folder, 'n.jsonl', 'hello\nworld\n')],
      status: 1,
      code: 'unknownFormat',
    },
    {
      name: 'JSON that is no transcript',
      argv: (folder) => ['inspect', file(folder, 'j.json', '{"a":[1,2]}')],
      status: 1,
      code: 'unknownFormat',
    },
    { name: 'an unknown id', argv: () => ['compact', SESSION, '--up-to', 'nobody', '--dry-run'], status: 2, code: 'unknownMessage' },
    {
      name: 'an existing --out',
      argv: (folder) => ['compact', SESSION, '--full', '--keep', '2', '--out', file(folder, 'out.jsonl', 'mine')],
      status: 3,
      code: 'exists',
    },
    {
      name: 'no consent',
      argv: () => ['compact', SESSION, '--full', '--summarizer', 'openai', '--model', 'm'],
      status: 3,
      code: 'consentRequired',
    },
    { name: 'nothing to clear', argv: () => ['compact', SESSION, '--micro', '--keep', '500'], status: 3, code: 'nothingToDo' },
    { name: 'a command of a later version', argv: () => ['mcp'], status: 3, code: 'notSupported' },
    { name: 'no command of ours', argv: () => ['dance'], status: 2, code: 'usage' },
    { name: 'an unknown option', argv: () => ['inspect', SESSION, '--nope'], status: 2, code: 'usage' },
    { name: 'a bad number', argv: () => ['inspect', SESSION, '--window', '12x'], status: 2, code: 'usage' },
    { name: 'no file', argv: () => ['inspect'], status: 2, code: 'usage' },
    { name: 'two directions', argv: () => ['compact', SESSION, '--full', '--from', '1'], status: 2, code: 'usage' },
  ];

  for (const { name, argv, status, code } of failures) {
    it(`${name}: ${code}, exit ${status}`, () =>
      inFolder(async (folder) => {
        const words = argv(folder);
        const before = readdirSync(folder).map((entry) => entry);
        const json = await cli([...words, '--json']);
        assert.equal(json.status, status);
        assert.deepEqual(errorOf(json), { schema: 'context-inspector/error/v1', code });
        const human = await cli(words);
        assert.equal(human.status, status);
        assert.equal(human.out, '');
        assert.match(human.err, /^[^\n]{10,}[.!]\n$/, 'one sentence');
        assert.deepEqual(readdirSync(folder), before, 'nothing is written and nothing is lost');
      }));
  }

  it('an unreadable file: denied, exit 1', () =>
    inFolder(async (folder) => {
      const path = file(folder, 'locked.jsonl', '{}\n');
      chmodSync(path, 0);
      const denied = await asNobody(() => cli(['inspect', path, '--json']));
      assert.equal(denied.status, 1);
      assert.deepEqual(errorOf(denied), { schema: 'context-inspector/error/v1', code: 'denied' });
    }));

  it('an unreadable folder for the copy leaves the source as it was', () =>
    inFolder(async (folder) => {
      const hash = sha256(SESSION);
      mkdirSync(join(folder, 'sub'));
      const failed = await cli(['compact', SESSION, '--full', '--keep', '2', '--out', join(folder, 'missing', 'out.jsonl'), '--json']);
      assert.equal(failed.status === 1 || failed.status === 3, true);
      assert.equal(sha256(SESSION), hash);
    }));

  it('prints its help without arguments and on request', async () => {
    assert.equal((await cli(['help'])).status, 0);
    assert.match((await cli(['--help'])).out, /inspect FILE/);
    assert.equal((await cli([])).status, 2);
  });

  it('a cancelled compaction ends with its code and writes nothing', () =>
    inFolder(async (folder) => {
      const controller = new AbortController();
      controller.abort();
      const out = join(folder, 'out.jsonl');
      const result = await cli(['compact', SESSION, '--full', '--keep', '2', '--out', out, '--json'], { signal: controller.signal });
      assert.equal(result.status, 1);
      assert.equal(errorOf(result).code, 'aborted');
      assert.deepEqual(readdirSync(folder), []);
    }));
});

function file(folder: string, name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function errorOf(result: CliResult): { schema: string; code: string } {
  const { schema, code, message } = JSON.parse(result.out) as { schema: string; code: string; message: string };
  assert.ok(message.length > 10);
  return { schema, code };
}

/** Root may read everything, so a test that must be denied runs as somebody else. */
async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  const NOBODY = 65534;
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}
