import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { historyFileName, historyText } from '../../../src/core/session/historyRecord';
import { historyOf, pathFrom } from '../../../src/node/engine/historyFiles';
import { createNodeFileSystem } from '../../../src/node/fs/nodeFileSystem';
import { discoverSessions } from '../../../src/node/sources/discovery';
import { VERSION } from '../../../src/node/version';
import { inFolder } from '../../support/folders';
import { historyRecord, ID } from '../session/history/historyRecords';

const fs = createNodeFileSystem();
const OTHER = ID.replace('0b6f', '1b6f');

describe('finding notes of compactions', () => {
  it('from the copy and from the original, newest first', () =>
    inFolder(async (folder) => {
      const first = historyRecord({});
      const second = historyRecord({ id: OTHER, createdAt: '2026-02-02T03:04:05.678Z', copy: { ...first.copy, name: 'b.jsonl' } });
      for (const record of [first, second]) writeFileSync(join(folder, historyFileName(record.id)), `${historyText(record)}\n`);
      const ofOriginal = await historyOf(fs, join(folder, 'session.jsonl'));
      assert.deepEqual(
        ofOriginal.map(({ record }) => record.id),
        [OTHER, ID],
      );
      const [ofCopy, ...more] = await historyOf(fs, join(folder, 'b.jsonl'));
      assert.equal(ofCopy?.record.id, OTHER);
      assert.equal(ofCopy.sourcePath, join(folder, 'session.jsonl'));
      assert.equal(ofCopy.copyPath, join(folder, 'b.jsonl'));
      assert.deepEqual(more, []);
      assert.deepEqual(await historyOf(fs, join(folder, 'c.jsonl')), []);
    }));

  it('not through a link, and not from a file that is named after another session', () =>
    inFolder(async (folder) => {
      writeFileSync(join(folder, 'elsewhere'), historyText(historyRecord({})));
      symlinkSync(join(folder, 'elsewhere'), join(folder, historyFileName(ID)));
      writeFileSync(join(folder, historyFileName(OTHER)), historyText(historyRecord({})));
      assert.deepEqual(await historyOf(fs, join(folder, 'session.jsonl')), []);
    }));

  it('in a folder that cannot be read there are none', async () => {
    assert.deepEqual(await historyOf(fs, join(process.cwd(), 'no', 'such', 'session.jsonl')), []);
  });

  it('nobody takes one for a session', () =>
    inFolder(async (folder) => {
      writeFileSync(join(folder, historyFileName(ID)), historyText(historyRecord({})));
      const { sessions } = await discoverSessions({ folders: [folder], all: false, extraPaths: {}, limit: 10 }, []);
      assert.deepEqual(sessions, []);
    }));

  it('paths are told from the folder, so that both can be moved', () =>
    inFolder((folder) => {
      mkdirSync(join(folder, 'a'));
      assert.equal(pathFrom(join(folder, 'a'), join(folder, 'a', 's.jsonl')), 's.jsonl');
      assert.equal(pathFrom(join(folder, 'a'), join(folder, 'storage', 'session', 'p', 's.json')), '../storage/session/p/s.json');
      return Promise.resolve();
    }));
});

describe('the version that notes state', () => {
  it('is that of the manifest', () => {
    const manifest: unknown = JSON.parse(readFileSync(join(process.cwd(), 'package.json'), 'utf8'));
    assert.equal((manifest as { version: unknown }).version, VERSION);
  });
});
