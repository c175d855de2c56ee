import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { field, isRecord, stringOf } from '../../../src/core/util/json';
import { cli } from '../../support/cli';
import { inFolder, sha256 } from '../../support/folders';
import { longSessionLines, writeLongSession } from '../../support/longSession';

/** Compacts a file and answers the report. */
async function compact(file: string, ...more: readonly string[]): Promise<{ readonly written: string; readonly report: unknown }> {
  const { status, out, err } = await cli(['compact', file, ...more, '--json']);
  assert.equal(status, 0, `${out}${err}`);
  const report: unknown = JSON.parse(out);
  assert.ok(isRecord(report));
  return { written: stringOf(report, 'written') ?? '', report };
}

async function listed(file: string): Promise<readonly Record<string, unknown>[]> {
  const { out } = await cli(['history', file, '--json']);
  const answer: unknown = JSON.parse(out);
  const list = isRecord(answer) ? field(answer, 'compactions') : undefined;
  assert.ok(Array.isArray(list));
  return list.filter(isRecord);
}

describe('command line: history and undo', function () {
  this.timeout(60_000);

  it('a compaction is listed for its copy and for its original', () =>
    inFolder(async (folder) => {
      const file = join(folder, 'session.jsonl');
      writeLongSession(file);
      const { written } = await compact(file, '--full', '--keep', '8');
      const [ofOriginal] = await listed(file);
      const [ofCopy] = await listed(written);
      assert.equal(ofOriginal?.['role'], 'original');
      assert.equal(ofCopy?.['role'], 'copy');
      assert.equal(ofCopy['sourceFile'], file);
      assert.equal(ofOriginal['copyFile'], written);
      assert.deepEqual([ofCopy['copy'], ofCopy['source']], ['present', 'present']);
      assert.equal(ofCopy['summarizer'], 'offline');
      assert.equal(ofCopy['resume'], `claude --resume ${basename(written, '.jsonl')}`);
      const { out } = await cli(['history', file]);
      assert.match(out, /full .* copy /);
    }));

  it('undo removes the copy and its note, and nothing else', () =>
    inFolder(async (folder) => {
      const file = join(folder, 'session.jsonl');
      writeLongSession(file);
      const hash = sha256(file);
      const { written } = await compact(file, '--full', '--keep', '8');
      const { status } = await cli(['undo', written]);
      assert.equal(status, 0);
      assert.deepEqual(readdirSync(folder), ['session.jsonl']);
      assert.equal(sha256(file), hash);
    }));

  it('undo keeps a copy in which an agent went on, until that is said', () =>
    inFolder(async (folder) => {
      const file = join(folder, 'session.jsonl');
      writeLongSession(file);
      const { written } = await compact(file, '--full', '--keep', '8');
      appendFileSync(written, `${longSessionLines(1)[0] ?? ''}\n`);
      assert.equal((await listed(written))[0]?.['copy'], 'changed');
      const refused = await cli(['undo', written]);
      assert.equal(refused.status, 3);
      assert.match(refused.err, /went on in it/);
      assert.ok(existsSync(written));
      assert.equal((await cli(['undo', written, '--changed'])).status, 0);
      assert.deepEqual(readdirSync(folder), ['session.jsonl']);
    }));

  it('undo never touches a file that no note tells of', () =>
    inFolder(async (folder) => {
      const file = join(folder, 'session.jsonl');
      writeLongSession(file);
      const { written } = await compact(file, '--full', '--keep', '8');
      assert.equal((await cli(['undo', file])).status, 3);
      assert.ok(existsSync(file));
      // Another file in the copy's place is not the copy.
      writeFileSync(written, 'mine\n');
      assert.equal((await cli(['undo', written])).status, 3);
      assert.ok(existsSync(written));
    }));

  it('a copy that is gone is told, and undo forgets it', () =>
    inFolder(async (folder) => {
      const file = join(folder, 'session.jsonl');
      writeLongSession(file);
      const { written } = await compact(file, '--full', '--keep', '8');
      renameSync(written, join(dirname(written), 'elsewhere.txt'));
      const [entry] = await listed(file);
      assert.equal(entry?.['copy'], 'missing');
      assert.equal(entry['resume'], null);
      assert.equal((await cli(['undo', written])).status, 0);
      assert.deepEqual(await listed(file), []);
    }));

  it('an original that has grown is told', () =>
    inFolder(async (folder) => {
      const file = join(folder, 'session.jsonl');
      writeLongSession(file);
      const { written } = await compact(file, '--full', '--keep', '8');
      appendFileSync(file, '\n');
      assert.equal((await listed(written))[0]?.['source'], 'changed');
    }));
});
