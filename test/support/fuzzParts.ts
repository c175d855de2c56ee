// Inputs of the fuzzer that are no single JSON file: databases with their logs, and sessions in folders. One file of each is damaged at a time.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ReadError } from '../../src/core/errors/readError';
import type { FormatId, Transcript } from '../../src/core/model/transcript';
import type { FileSystem } from '../../src/core/ports/fileSystem';
import { transcriptOfParts } from '../../src/core/transcript/readParts';
import { partSourceOf } from '../../src/node/sources/partSource';
import { loadSqlJs } from '../../src/node/sources/sqlite/loadSqlJs';
import type { SqlValue } from '../../src/node/sources/sqlite/sqlite';
import type { FuzzFile } from './fuzzOnce';

const FIXTURES = join(process.cwd(), 'test', 'fixtures');

/** A session of several files: where it is opened, and what lies there. */
interface PartSession {
  readonly name: string;
  readonly format: FormatId;
  readonly path: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** Each file of each session with several, to be damaged while the others stay as they are. */
export async function fuzzParts(): Promise<readonly FuzzFile[]> {
  const opencode = new Map([['/opencode.db', await opencodeDatabase()]]);
  const databases: readonly PartSession[] = [
    { name: 'docker-agent/ok.db', format: 'docker-agent', path: '/session.db', files: databaseFiles('docker-agent/ok.db') },
    {
      name: 'docker-agent/uncommitted.db',
      format: 'docker-agent',
      path: '/session.db',
      files: databaseFiles('docker-agent/uncommitted.db'),
    },
    { name: 'goose/sessions.db', format: 'goose', path: '/session.db', files: databaseFiles('goose/sessions.db') },
    { name: 'opencode/opencode.db', format: 'opencode', path: '/opencode.db#ses_1', files: opencode },
  ];
  const folders: readonly PartSession[] = [
    { name: 'cline/task', format: 'cline', path: '/cline/task', files: folderFiles('cline/task', '/cline/task') },
    { name: 'roo/ok', format: 'roo', path: '/roo/ok', files: folderFiles('roo/ok', '/roo/ok') },
    { name: 'kilo/ok', format: 'kilo', path: '/kilo/ok', files: folderFiles('kilo/ok', '/kilo/ok') },
    {
      name: 'opencode/storage',
      format: 'opencode',
      path: '/storage/session/proj1/ses_1.json',
      files: new Map([...folderFiles('opencode/storage', '/storage')].filter(([path]) => !/ses_2|msg_11/u.test(path))),
    },
  ];
  const sealed = databases
    .filter(({ files }) => files.has('/session.db-wal'))
    .map((session) => damagedFile(session, '/session.db-wal', sealedLog));
  return [
    ...[...databases, ...folders].flatMap((session) => [...session.files.keys()].map((path) => damagedFile(session, path))),
    ...sealed,
  ];
}

type Change = (bytes: Uint8Array) => Uint8Array;

function damagedFile(session: PartSession, path: string, change?: Change): FuzzFile {
  return {
    name: `${session.name} with ${path}${change === undefined ? '' : ', sealed again,'} damaged`,
    format: session.format,
    bytes: session.files.get(path) ?? new Uint8Array(),
    isPaged: isDatabase(session),
    read: (damaged) => readSession(session, path, change === undefined ? damaged : change(damaged)),
  };
}

function isDatabase({ files }: PartSession): boolean {
  return [...files.keys()].some((path) => path.endsWith('.db'));
}

let readings = 0;

/** Undefined where the readers say that they cannot read this, which is an answer. */
async function readSession(session: PartSession, path: string, damaged: Uint8Array): Promise<Transcript | undefined> {
  const fs = readOnly(new Map([...session.files, [path, damaged]]), ++readings);
  try {
    const source = await partSourceOf(fs, session.path);
    if (source === undefined) return undefined;
    const { records, diagnostics } = await source.read();
    const transcript = transcriptOfParts(records, diagnostics, undefined);
    if (!isDatabase(session) && !isJson(damaged) && transcript.diagnostics.length === 0)
      throw new Error(`${path} is no JSON and nothing says so`);
    return transcript;
  } catch (error) {
    if (error instanceof ReadError) return undefined;
    throw error;
  }
}

function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder().decode(bytes));
    return true;
  } catch {
    return false;
  }
}

/** Files in memory as they were at one moment. */
function readOnly(files: ReadonlyMap<string, Uint8Array>, moment: number): FileSystem {
  const refuse = (): Promise<never> => Promise.reject(new Error('nothing may be written'));
  const folders = new Set([...files.keys()].flatMap((path) => foldersOf(path)));
  return {
    stat: (path) => {
      const bytes = files.get(path);
      if (bytes === undefined && !folders.has(path)) return Promise.resolve(undefined);
      const size = bytes?.length ?? 0;
      return Promise.resolve({ size, mtimeMs: moment, inode: `1:${moment}`, isFile: bytes !== undefined, isLink: false });
    },
    read: (path, from, to) => {
      const bytes = files.get(path);
      return bytes === undefined ? Promise.reject(new ReadError('notFound')) : Promise.resolve(bytes.slice(from, to));
    },
    list: (folder) => {
      const inside = [...files.keys(), ...folders].filter((path) => path.startsWith(`${folder}/`));
      return Promise.resolve([...new Set(inside.map((path) => path.slice(folder.length + 1).split('/')[0] ?? ''))]);
    },
    join: (folder, name) => `${folder}/${name}`,
    pause: () => Promise.resolve(),
    createExclusive: refuse,
    sync: refuse,
    publish: refuse,
    syncDirectory: refuse,
    remove: refuse,
  };
}

function foldersOf(path: string): readonly string[] {
  const parts = path.split('/');
  return parts.slice(1, -1).map((_, at) => parts.slice(0, at + 2).join('/'));
}

function databaseFiles(name: string): ReadonlyMap<string, Uint8Array> {
  const folder = join(FIXTURES, name, '..');
  const file = name.slice(name.indexOf('/') + 1);
  const files = readdirSync(folder).filter((one) => one === file || one === `${file}-wal`);
  return new Map(files.map((one) => [`/session.db${one.slice(file.length)}`, new Uint8Array(readFileSync(join(folder, one)))]));
}

function folderFiles(folder: string, at: string): ReadonlyMap<string, Uint8Array> {
  const names = readdirSync(join(FIXTURES, folder), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));
  return new Map(names.map((name) => [`${at}/${name.replaceAll('\\', '/')}`, new Uint8Array(readFileSync(join(FIXTURES, folder, name)))]));
}

/** The rows of opencode since 1.2, made of the files that it wrote before. */
async function opencodeDatabase(): Promise<Uint8Array> {
  const { Database } = await loadSqlJs();
  const database = new Database();
  const add = (table: string, ...values: readonly SqlValue[]): void => {
    database.run(`INSERT INTO ${table} VALUES (${values.map(() => '?').join()})`, values);
  };
  database.run('CREATE TABLE session (id, parent_id, title, directory, version, time_created, time_updated)');
  database.run('CREATE TABLE message (id, session_id, time_created, data)');
  database.run('CREATE TABLE part (id, message_id, session_id, data)');
  for (const [path, bytes] of folderFiles('opencode/storage', '')) {
    const data = new TextDecoder().decode(bytes);
    const value = JSON.parse(data) as Readonly<Record<string, string>>;
    const [table, , file = ''] = path.slice(1).split('/');
    const id = file.replace('.json', '');
    if (table === 'session')
      add('session', id, null, value['title'] ?? '', value['directory'] ?? '', '1.2.0', 1_764_000_000_000, 1_764_000_009_000);
    else if (table === 'message') add('message', id, value['sessionID'] ?? 'ses_1', 1_764_000_000_000, data);
    else add('part', id, value['messageID'] ?? '', value['sessionID'] ?? 'ses_1', data);
  }
  const image = database.export();
  database.close();
  return image;
}

const HEADER_BYTES = 32;
const FRAME_BYTES = 24;

/** A write-ahead log with the checksums that its content asks for, so that damaged pages are taken for committed ones. */
function sealedLog(damaged: Uint8Array): Uint8Array {
  const log = damaged.slice();
  const view = new DataView(log.buffer);
  if (log.length < HEADER_BYTES) return log;
  const pageSize = view.getUint32(8);
  if (pageSize < 512 || pageSize > 65_536) return log;
  const isLittle = (view.getUint32(0) & 1) === 0;
  let sums: readonly [number, number] = [0, 0];
  const add = (from: number, length: number): void => {
    let [a, b] = sums;
    for (let at = from; at < from + length; at += 8) {
      a = (a + view.getUint32(at, isLittle) + b) >>> 0;
      b = (b + view.getUint32(at + 4, isLittle) + a) >>> 0;
    }
    sums = [a, b];
  };
  const seal = (at: number): void => {
    view.setUint32(at, sums[0]);
    view.setUint32(at + 4, sums[1]);
  };
  add(0, HEADER_BYTES - 8);
  seal(HEADER_BYTES - 8);
  for (let at = HEADER_BYTES; at + FRAME_BYTES + pageSize <= log.length; at += FRAME_BYTES + pageSize) {
    view.setUint32(at + 8, view.getUint32(16));
    view.setUint32(at + 12, view.getUint32(20));
    add(at, 8);
    add(at + FRAME_BYTES, pageSize);
    seal(at + 16);
  }
  return log;
}
