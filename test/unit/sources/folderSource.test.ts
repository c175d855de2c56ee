// Sessions that lie in folders and databases: each fixture beside what it gives (UPDATE_GOLDEN=1 writes that anew and says so), and how they are followed.
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Transcript } from '../../../src/core/model/transcript';
import { openTranscript } from '../../../src/node/sources/transcriptFiles';
import { createNodeFileSystem } from '../../../src/node/fs/nodeFileSystem';
import { partSourceOf } from '../../../src/node/sources/partSource';
import { inFolder } from '../../support/folders';
import { toldTranscript } from '../../support/told';

const FIXTURES = join(process.cwd(), 'test', 'fixtures');
const FOLDERS = [
  'cline/task',
  'roo/ok',
  'roo/damaged',
  'kilo/ok',
  'kilo/damaged',
  'opencode/storage/session/proj1/ses_1.json',
  'opencode/storage/session/proj1/ses_2.json',
  'aider/ok.md',
  'aider/damaged.md',
  'goose/sessions.db',
  'goose/sessions.db#20251123_1',
];

async function read(path: string): Promise<Transcript> {
  const file = await openTranscript(path, { watch: false, pollMs: 0 });
  file.dispose();
  return file.transcript;
}

describe('sessions in several parts', () => {
  for (const name of FOLDERS) {
    it(`${name} gives what stands beside it`, async () => {
      const told = toldTranscript(await read(join(FIXTURES, name)));
      const [format = ''] = name.split('/');
      const beside = join(
        FIXTURES,
        format,
        `${name
          .slice(format.length + 1)
          .replace(/[/#]/gu, '-')
          .replace(/\.(?:json|md)$/u, '')}.expected.json`,
      );
      if (process.env['UPDATE_GOLDEN'] === '1' && (!existsSync(beside) || readFileSync(beside, 'utf8') !== textOf(told))) {
        writeFileSync(beside, textOf(told));
        console.log(`      wrote ${beside}`);
      }
      assert.deepEqual(told, JSON.parse(readFileSync(beside, 'utf8')));
    });
  }

  it('a task is the same by its folder and by each of its files', async () => {
    const folder = join(FIXTURES, 'cline', 'task');
    const whole = await read(folder);
    for (const name of ['ui_messages.json', 'api_conversation_history.json', 'task_metadata.json']) {
      assert.deepEqual(await read(join(folder, name)), whole, name);
    }
  });

  it('whose a task is: by the extension above it, else by what the files hold', async () => {
    await inFolder(async (folder) => {
      const places: readonly (readonly [string, string, string])[] = [
        ['roo/ok', 'kilocode.kilo-code/tasks/1', 'kilo'],
        ['kilo/ok', 'rooveterinaryinc.roo-cline/tasks/1', 'roo'],
        ['roo/ok', 'saoudrizwan.claude-dev/tasks/1', 'cline'],
        ['roo/ok', 'elsewhere/1', 'roo'],
        ['kilo/ok', 'elsewhere/2', 'roo'],
        ['cline/task', 'elsewhere/3', 'cline'],
      ];
      for (const [fixture, place, format] of places) {
        cpSync(join(FIXTURES, fixture), join(folder, place), { recursive: true });
        assert.equal((await read(join(folder, place))).format, format, place);
      }
    });
  });

  it('a file that is being written keeps what it was before; unchanged messages stay the same objects', async () => {
    await inFolder(async (folder) => {
      const task = join(folder, 'cline');
      cpSync(join(FIXTURES, 'cline', 'task'), task, { recursive: true });
      const file = await openTranscript(task, { watch: true, pollMs: 30 });
      const before = file.transcript;
      const history = readFileSync(join(task, 'api_conversation_history.json'), 'utf8');
      writeFileSync(join(task, 'api_conversation_history.json'), history.slice(0, 500));
      await until(file, (transcript) => transcript.diagnostics.some(({ code }) => code === 'bad_json'));
      assert.equal(file.transcript.messages.length, before.messages.length);
      const longer: unknown[] = [...(JSON.parse(history) as unknown[]), { role: 'user', content: 'One more.' }];
      writeFileSync(join(task, 'api_conversation_history.json'), JSON.stringify(longer));
      await until(file, (transcript) => transcript.messages.length === before.messages.length + 1);
      assert.equal(file.transcript.messages[3], before.messages[3]);
      assert.deepEqual(file.transcript.diagnostics, []);
      file.dispose();
    });
  });

  it('events of OpenHands come in the order of their numbers, by the folder and by each file', async () => {
    await inFolder(async (folder) => {
      const conversation = join(folder, 'conversations', 'c1');
      mkdirSync(join(conversation, 'events'), { recursive: true });
      writeFileSync(join(conversation, 'base_state.json'), '{"id":"c1"}');
      for (const [n, id] of [
        [10, 'b'],
        [9, 'a'],
      ] as const)
        writeFileSync(join(conversation, 'events', `event-${String(n).padStart(5, '0')}-${id}.json`), `{"id":"${id}","kind":"PauseEvent"}`);
      writeFileSync(join(conversation, 'events', 'notes.txt'), 'no event');
      for (const path of [conversation, join(conversation, 'events'), join(conversation, 'events', 'event-00009-a.json')]) {
        const source = await partSourceOf(createNodeFileSystem(), path);
        const { records } = (await source?.read()) ?? { records: [] };
        assert.deepEqual(
          records.map(({ value }) => (value as { part: string }).part),
          ['base_state.json', 'events/event-00009-a.json', 'events/event-00010-b.json'],
        );
      }
    });
  });

  it('links are not followed, and ids lead out of no folder', async () => {
    await inFolder(async (folder) => {
      const storage = join(folder, 'storage');
      cpSync(join(FIXTURES, 'opencode', 'storage'), storage, { recursive: true });
      const outside = join(folder, 'secret.json');
      writeFileSync(outside, '{"id":"msg_99","sessionID":"ses_1","role":"user","time":{"created":1}}');
      symlinkSync(outside, join(storage, 'message', 'ses_1', 'msg_99.json'));
      const session = join(storage, 'session', 'proj1', 'ses_1.json');
      assert.equal(
        (await read(session)).messages.some(({ id }) => id === 'msg_99'),
        false,
      );
      writeFileSync(session, readFileSync(session, 'utf8').replace('"ses_1"', '"../../x"'));
      assert.equal((await read(session)).messages.length, 0);
    });
  });
});

function textOf(told: unknown): string {
  return `${JSON.stringify(told, undefined, 2)}\n`;
}

function until(
  file: { readonly transcript: Transcript; readonly onDidChange: (listener: () => void) => { dispose(): void } },
  holds: (transcript: Transcript) => boolean,
): Promise<void> {
  if (holds(file.transcript)) return Promise.resolve();
  return new Promise((resolve) => {
    const listening = file.onDidChange(() => {
      if (!holds(file.transcript)) return;
      listening.dispose();
      resolve();
    });
  });
}
