// Sessions in databases. The fixtures were written by SQLite itself in WAL mode: most of `ok.db` lies in its log, and the log of
// `uncommitted.db` ends with rows that were never committed.
import assert from 'node:assert/strict';
import { appendFileSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadSqlJs } from '../../../src/node/sources/sqlite/loadSqlJs';
import { ReadError } from '../../../src/core/errors/readError';
import { textOf } from '../../../src/core/model/message';
import type { Transcript } from '../../../src/core/model/transcript';
import { readTranscript } from '../../../src/core/transcript/readTranscript';
import { openTranscript } from '../../../src/node/sources/transcriptFiles';
import { withWal } from '../../../src/node/sources/sqlite/wal';
import { inFolder, sha256 } from '../../support/folders';

const FIXTURES = join(process.cwd(), 'test', 'fixtures', 'docker-agent');
const once = { watch: false, pollMs: 0 } as const;

async function read(path: string): Promise<Transcript> {
  const file = await openTranscript(path, once);
  file.dispose();
  return file.transcript;
}

/** Copies a fixture database with its log into a folder of its own. */
function copied(folder: string, name: string): string {
  const path = join(folder, name, 'session.db');
  mkdirSync(dirname(path));
  copyFileSync(join(FIXTURES, name), path);
  copyFileSync(join(FIXTURES, `${name}-wal`), `${path}-wal`);
  return path;
}

function said(transcript: Transcript): readonly string[] {
  return transcript.messages.map((message) => `${message.role} ${message.kind} ${textOf(message)}`);
}

async function made(path: string, sql: string): Promise<void> {
  const { Database } = await loadSqlJs();
  const database = new Database();
  for (const statement of sql.split(';')) database.run(statement);
  writeFileSync(path, database.export());
  database.close();
}

function inNewFolder(name: string, work: (folder: string) => Promise<void>): void {
  it(name, async function () {
    this.timeout(30_000);
    await inFolder(work);
  });
}

describe('sessions in databases', () => {
  inNewFolder('what lies in the log is read, and nothing is made beside the database', async (folder) => {
    const path = copied(folder, 'ok.db');
    const before = [sha256(path), sha256(`${path}-wal`)];
    const transcript = await read(path);
    const exported = readTranscript(readFileSync(join(FIXTURES, 'ok.json')));
    assert.deepEqual(said(transcript), said(exported));
    assert.deepEqual(transcript.context, exported.context);
    assert.deepEqual(transcript.totals, exported.totals);
    assert.deepEqual(
      transcript.sidechains.map((chain) => [chain.id, chain.messages.length]),
      [['child', 2]],
    );
    assert.deepEqual([sha256(path), sha256(`${path}-wal`)], before);
    assert.deepEqual(readdirSync(dirname(path)), ['session.db', 'session.db-wal']);
  });

  inNewFolder('what was not committed is not read', async (folder) => {
    const transcript = await read(copied(folder, 'uncommitted.db'));
    assert.equal(transcript.messages.length, 11);
  });

  inNewFolder('without its log the database is read as it was before', async (folder) => {
    const path = join(folder, 'alone.db');
    copyFileSync(join(FIXTURES, 'ok.db'), path);
    assert.equal((await read(path)).messages.length, 3);
  });

  inNewFolder('a path names a session by its id', async (folder) => {
    const path = copied(folder, 'ok.db');
    assert.deepEqual(said(await read(`${path}#older`)), ['user message An older question.']);
    assert.equal((await read(`${path}#child`)).messages.length, 2);
    await assert.rejects(read(`${path}#nobody`), { code: 'notFound' });
  });

  inNewFolder('a log that breaks off anywhere gives the last state that is whole', async (folder) => {
    const path = copied(folder, 'ok.db');
    const wal = readFileSync(`${path}-wal`);
    let last = 0;
    for (let length = 32; length <= wal.length; length += 524) {
      writeFileSync(`${path}-wal`, wal.subarray(0, length));
      const { messages } = await read(`${path}#session-1`);
      assert.ok(messages.length >= last, `${length} bytes`);
      last = messages.length;
    }
    assert.equal(last, 11);
  });

  inNewFolder('a frame whose checksum is wrong ends the log', async (folder) => {
    const path = copied(folder, 'ok.db');
    const wal = readFileSync(`${path}-wal`);
    const counts = new Set<number>();
    for (let at = 32; at < wal.length; at += 1048) {
      const broken = Buffer.from(wal);
      broken[at + 500] = (broken[at + 500] ?? 0) ^ 1;
      writeFileSync(`${path}-wal`, broken);
      counts.add((await read(`${path}#session-1`)).messages.length);
    }
    assert.deepEqual([...counts], [3, 4]);
  });

  inNewFolder('a damaged database gives what can be read or one error, and never anything else', async (folder) => {
    const path = join(folder, 'session.db');
    const bytes = withWal(readFileSync(join(FIXTURES, 'ok.db')), readFileSync(join(FIXTURES, 'ok.db-wal')));
    for (let seed = 1; seed <= 150; seed++) {
      const broken = Buffer.from(bytes);
      for (let k = 0; k < 1 + (seed % 30); k++) broken[(seed * 7919 + k * 104_729) % broken.length] = (seed * 31 + k * 17) % 256;
      writeFileSync(path, broken);
      try {
        const transcript = await read(path);
        assert.equal(transcript.format, 'docker-agent');
      } catch (error) {
        assert.ok(error instanceof ReadError, String(error));
      }
    }
  });

  inNewFolder('a database that holds nothing yet has its format by its name, 0 messages and a diagnostic', async (folder) => {
    const path = join(folder, 'one-session.db');
    await made(path, 'CREATE TABLE t (a);DROP TABLE t;VACUUM');
    const transcript = await read(path);
    assert.equal(transcript.format, 'docker-agent');
    assert.deepEqual(
      transcript.diagnostics.map(({ code }) => code),
      ['no_messages'],
    );
    copyFileSync(path, join(folder, 'other.sqlite'));
    await assert.rejects(read(join(folder, 'other.sqlite')), { code: 'empty' });
  });

  inNewFolder('tables of no agent are refused, and so are views in the place of tables', async (folder) => {
    const path = join(folder, 'session.db');
    await made(path, 'CREATE TABLE sessions (id TEXT)');
    await assert.rejects(read(path), { code: 'unknownFormat' });
    const endless = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x id, x created_at, x input_tokens FROM n';
    await made(path, `CREATE TABLE migrations (name TEXT);CREATE VIEW sessions AS ${endless}`);
    await assert.rejects(read(path), { code: 'unknownFormat' });
    await made(
      path,
      'CREATE TABLE migrations (name TEXT);CREATE TABLE sessions (id TEXT, created_at TEXT, a INT, input_tokens AS (id || id));' +
        "INSERT INTO sessions (id) VALUES ('x')",
    );
    await assert.rejects(read(path), { code: 'unknownFormat' });
  });

  inNewFolder('a new commit in the log changes the open session; unchanged messages stay the same objects', async (folder) => {
    const path = copied(folder, 'ok.db');
    const wal = readFileSync(`${path}-wal`);
    writeFileSync(`${path}-wal`, wal.subarray(0, 5000));
    const file = await openTranscript(path, { watch: true, pollMs: 50 });
    const before = file.transcript;
    const changed = new Promise<void>((resolve) => {
      const listening = file.onDidChange(() => {
        if (file.transcript.messages.length < 11) return;
        listening.dispose();
        resolve();
      });
    });
    appendFileSync(`${path}-wal`, wal.subarray(5000));
    await changed;
    assert.equal(file.transcript.messages[0], before.messages[0]);
    file.dispose();
  });
});
