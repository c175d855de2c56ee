// A session of every kind that compacted copies are written of, on a disk in memory, and what its agent does to it while it goes on.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { MemoryDisk } from './memoryFileSystem';

const FIXTURES = join(process.cwd(), 'test/fixtures');
/** Folder of the disk in which the session lies, and its copy too. */
export const SESSION_FOLDER = '/s';

/** One thing that an agent does to its session. */
export interface Growth {
  readonly name: string;
  /** The file that is new, longer or other afterwards. */
  readonly path: string;
  apply(disk: MemoryDisk): void;
}

export interface WritableSession {
  readonly name: string;
  /** What is opened. */
  readonly path: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly growths: readonly Growth[];
}

export const WRITABLE_SESSIONS: readonly WritableSession[] = [
  lines('claude-code/ok.jsonl'),
  lines('codex/ok.jsonl'),
  lines('gemini/ok.jsonl'),
  document('gemini/document.json'),
  lines('qwen/ok.jsonl'),
  lines('pi/ok.jsonl'),
  document('docker-agent/ok.json'),
  database('docker-agent/ok.db'),
  document('opencode/ok.json'),
  opencodeStorage(),
  lines('anthropic-messages/ok.jsonl'),
  document('anthropic-messages/request.json'),
  lines('openai-chat/ok.jsonl'),
  document('openai-chat/request.json'),
];

/** Puts a session on a disk. */
export function putSession(disk: MemoryDisk, session: WritableSession): void {
  for (const [path, bytes] of session.files) disk.write(path, bytes);
}

function lines(fixture: string): WritableSession {
  const { name, path, bytes } = fixtureFile(fixture);
  const last = new TextDecoder().decode(bytes).trimEnd().split('\n').at(-1) ?? '';
  return {
    name,
    path,
    files: new Map([[path, bytes]]),
    growths: [{ name: 'a line is appended', path, apply: (disk) => disk.append(path, `${last}\n`) }],
  };
}

/** Agents write documents anew, into the same file or into another that takes its name. */
function document(fixture: string): WritableSession {
  const { name, path, bytes } = fixtureFile(fixture);
  const text = new TextDecoder().decode(bytes);
  return {
    name,
    path,
    files: new Map([[path, bytes]]),
    growths: [
      { name: 'the document is written anew', path, apply: (disk) => disk.write(path, `${text} `) },
      { name: 'the document grows in its place', path, apply: (disk) => disk.append(path, '\n') },
    ],
  };
}

function database(fixture: string): WritableSession {
  const { name, path, bytes } = fixtureFile(fixture);
  const log = `${path}-wal`;
  return {
    name,
    path,
    files: new Map([
      [path, bytes],
      [log, readFileSync(join(FIXTURES, `${fixture}-wal`))],
    ]),
    // A transaction is appended to the log; pages move into the database much later, and the log is begun anew then.
    growths: [{ name: 'the log grows', path: log, apply: (disk) => disk.append(log, 'frame') }],
  };
}

function opencodeStorage(): WritableSession {
  const folder = `${SESSION_FOLDER}/storage`;
  const names = readdirSync(join(FIXTURES, 'opencode/storage'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.json'),
  );
  const files: ReadonlyMap<string, Uint8Array> = new Map(
    names.map((name) => [`${folder}/${name.replaceAll('\\', '/')}`, readFileSync(join(FIXTURES, 'opencode/storage', name))]),
  );
  const last = `${folder}/part/msg_04/prt_043.json`;
  const message = `${folder}/message/ses_1/msg_05.json`;
  const text = (path: string): string => new TextDecoder().decode(files.get(path));
  return {
    name: 'opencode/storage',
    path: `${folder}/session/proj1/ses_1.json`,
    files,
    growths: [
      { name: 'a part is written anew', path: last, apply: (disk) => disk.write(last, `${text(last)} `) },
      { name: 'a part grows in its place', path: last, apply: (disk) => disk.append(last, ' ') },
      {
        name: 'a message comes',
        path: message,
        apply: (disk) => disk.write(message, text(`${folder}/message/ses_1/msg_03.json`).replaceAll('msg_03', 'msg_05')),
      },
    ],
  };
}

function fixtureFile(fixture: string): { readonly name: string; readonly path: string; readonly bytes: Uint8Array } {
  const path = `${SESSION_FOLDER}/${fixture.slice(fixture.lastIndexOf('/') + 1)}`;
  return { name: fixture, path, bytes: readFileSync(join(FIXTURES, fixture)) };
}
