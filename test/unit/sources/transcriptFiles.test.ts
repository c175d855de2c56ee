import assert from 'node:assert/strict';
import { appendFileSync, chmodSync, mkdirSync, renameSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FileSystem } from '../../../src/core/ports/fileSystem';
import { createNodeFileSystem } from '../../../src/node/fs/nodeFileSystem';
import { looksBinary } from '../../../src/node/sources/fileKind';
import { readTail } from '../../../src/node/sources/fileTail';
import { openTranscript, type TranscriptFile } from '../../../src/node/sources/transcriptFiles';
import { textOf } from '../../../src/core/model/message';
import { inFolder, sha256 } from '../../support/folders';
import { says, user } from '../transcript/claudeLines';

const ONE = `${user({ uuid: 'u1', parent: null }, 'one')}\n`;
const TWO = `${says('a1', 'u1', 'm1', 'two')}\n`;
const THREE = `${user({ uuid: 'u2', parent: 'a1' }, 'three')}\n`;

const texts = (file: { readonly transcript: TranscriptFile['transcript'] }): readonly string[] => file.transcript.messages.map(textOf);

/** Resolves when the file has changed so that `isThere` holds; fails after 20 s. */
async function until(file: TranscriptFile, isThere: () => boolean): Promise<void> {
  if (isThere()) return;
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no change: ${texts(file).join()} ${file.problem ?? ''}`)), 20_000);
    const subscription = file.onDidChange(() => {
      if (!isThere()) return;
      clearTimeout(timer);
      subscription.dispose();
      resolve();
    });
  });
}

function inFile(name: string, work: (path: string, folder: string) => Promise<void>): void {
  it(name, async function () {
    this.timeout(30_000);
    await inFolder((folder) => work(join(folder, 'session.jsonl'), folder));
  });
}

const watching = { watch: true, pollMs: 50 } as const;
const once = { watch: false, pollMs: 0 } as const;

describe('transcript files', () => {
  describe('refuse with a reason', () => {
    const refusals: readonly (readonly [string, (path: string) => void, string])[] = [
      ['a missing file', () => undefined, 'notFound'],
      ['a folder', (path) => mkdirSync(path), 'notAFile'],
      ['an empty file', (path) => writeFileSync(path, ''), 'empty'],
      ['a file of line ends', (path) => writeFileSync(path, '\n \r\n'), 'empty'],
      ['a picture', (path) => writeFileSync(path, Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, ...new Uint8Array(200)])), 'binary'],
      [
        'a damaged database',
        (path) => writeFileSync(path, Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(4000)])),
        'damaged',
      ],
      ['text', (path) => writeFileSync(path, 'just some words\n'), 'unknownFormat'],
      ['JSON of another kind', (path) => writeFileSync(path, '{"level":"info"}\n'), 'unknownFormat'],
    ];
    for (const [name, make, code] of refusals) {
      inFile(name, async (path) => {
        make(path);
        await assert.rejects(openTranscript(path, once), { name: 'ReadError', code });
      });
    }

    const isRoot = process.getuid?.() === 0;
    inFile(`a file that may not be read${isRoot ? ' (skipped: root may read everything)' : ''}`, async (path) => {
      if (isRoot) return;
      writeFileSync(path, ONE);
      chmodSync(path, 0);
      await assert.rejects(openTranscript(path, once), { code: 'denied' });
    });

    inFile('a file above 4 GiB, without reading it', async (path) => {
      writeFileSync(path, ONE);
      truncateSync(path, 4 * 1024 * 1024 * 1024 + 1);
      await assert.rejects(openTranscript(path, once), { code: 'tooLarge' });
    });
  });

  it('tell text with a stretch of zero bytes from other content', () => {
    assert.equal(looksBinary(Buffer.concat([Buffer.alloc(5000), Buffer.from(`\n${ONE}`)])), false);
    assert.equal(looksBinary(Buffer.from('caf\xe9 und \xfcber alles, lange', 'latin1')), false);
    assert.equal(looksBinary(Buffer.alloc(100)), true);
    assert.equal(looksBinary(new Uint8Array()), false);
  });

  inFile('are read as they stand, and not changed', async (path) => {
    writeFileSync(path, ONE + TWO, { mode: 0o400 });
    const hash = sha256(path);
    const { mtimeMs } = statSync(path);
    const file = await openTranscript(path, once);
    assert.deepEqual([texts(file), file.bytesRead, file.problem], [['one', 'two'], statSync(path).size, undefined]);
    file.dispose();
    assert.deepEqual([sha256(path), statSync(path).mtimeMs], [hash, mtimeMs]);
  });

  inFile('stop reading when they are told to', async (path) => {
    writeFileSync(path, ONE);
    await assert.rejects(openTranscript(path, { ...once, signal: AbortSignal.abort() }), { name: 'AbortError' });
  });

  describe('read on', () => {
    const fs = createNodeFileSystem();
    /** Every change is made on a file of three lines of which two were read. */
    const changes: readonly (readonly [string, (path: string) => void, readonly string[], boolean])[] = [
      ['nothing', () => undefined, ['one', 'two'], true],
      ['appended lines', (path) => appendFileSync(path, THREE), ['one', 'two', 'three'], true],
      ['a shorter file', (path) => writeFileSync(path, ONE), ['one'], false],
      ['an empty middle', (path) => writeFileSync(path, ONE + THREE), ['one', 'three'], false],
      ['another beginning', (path) => writeFileSync(path, ONE.replace('one', 'uno') + TWO + THREE), ['uno', 'two', 'three'], false],
      [
        'another end of what was read',
        (path) => writeFileSync(path, ONE + TWO.replace('two', 'due') + THREE),
        ['one', 'due', 'three'],
        false,
      ],
      [
        'the same size, written anew',
        (path) => {
          writeFileSync(path, ONE + TWO.replace('two', 'due'));
          utimesSync(path, 1, 1);
        },
        ['one', 'due'],
        false,
      ],
      [
        'another file of that name',
        (path) => {
          writeFileSync(`${path}.new`, ONE + TWO + THREE);
          renameSync(`${path}.new`, path);
        },
        ['one', 'two', 'three'],
        false,
      ],
    ];
    for (const [name, change, expected, isSameReader] of changes) {
      inFile(name, async (path) => {
        writeFileSync(path, ONE + TWO);
        const before = await readTail(fs, path, undefined);
        const [first] = before.transcript.messages;
        change(path);
        const after = await readTail(fs, path, before);
        assert.deepEqual(texts(after), expected);
        assert.equal(after.reader === before.reader, isSameReader);
        if (isSameReader) assert.equal(after.transcript.messages[0], first);
      });
    }

    inFile('a line that comes in two parts', async (path) => {
      writeFileSync(path, ONE + TWO.slice(0, 40));
      const before = await readTail(fs, path, undefined);
      assert.deepEqual([texts(before), before.transcript.diagnostics[0]?.code], [['one'], 'truncated_tail']);
      appendFileSync(path, TWO.slice(40));
      const after = await readTail(fs, path, before);
      assert.deepEqual([texts(after), after.transcript.diagnostics], [['one', 'two'], []]);
    });

    inFile('a document that is written anew with more in it', async (path) => {
      const list = [{ role: 'user', content: 'one' }];
      writeFileSync(path, JSON.stringify(list, null, 2));
      const before = await readTail(fs, path, undefined);
      writeFileSync(path, JSON.stringify([...list, { role: 'assistant', content: 'two' }], null, 2));
      assert.deepEqual(texts(await readTail(fs, path, before)), ['one', 'two']);
    });
  });

  describe('that are watched', () => {
    inFile('tell of what is appended', async (path) => {
      writeFileSync(path, ONE);
      const file = await openTranscript(path, watching);
      appendFileSync(path, TWO);
      await until(file, () => texts(file).length === 2);
      assert.equal(file.bytesRead, statSync(path).size);
      appendFileSync(path, THREE);
      await until(file, () => texts(file).length === 3);
      file.dispose();
    });

    inFile('tell why they cannot be read, and go on when they can again', async (path) => {
      writeFileSync(path, ONE + TWO);
      const file = await openTranscript(path, watching);
      rmSync(path);
      await until(file, () => file.problem !== undefined);
      assert.deepEqual(texts(file), ['one', 'two'], 'the last transcript stays');
      assert.match(file.problem ?? '', /\.$/);
      writeFileSync(path, ONE);
      await until(file, () => file.problem === undefined && texts(file).length === 1);
      writeFileSync(path, '');
      await until(file, () => file.problem !== undefined);
      writeFileSync(path, ONE + TWO + THREE);
      await until(file, () => file.problem === undefined && texts(file).length === 3);
      file.dispose();
    });

    inFile('tell of what happens by polling alone, where the folder gives no notice', async (path) => {
      writeFileSync(path, ONE);
      const looks: string[] = [];
      const real = createNodeFileSystem();
      const fs: FileSystem = {
        ...real,
        stat: (name) => {
          looks.push(name);
          return real.stat(name);
        },
      };
      const file = await openTranscript(path, { ...watching, pollMs: 20, fs });
      const before = looks.length;
      utimesSync(path, 1, 1);
      await until(file, () => file.mtimeMs === 1000);
      assert.ok(looks.length > before);
      file.dispose();
    });

    inFile('fall silent when they are disposed', async (path) => {
      writeFileSync(path, ONE);
      const file = await openTranscript(path, watching);
      const other = await openTranscript(path, watching);
      let changes = 0;
      file.onDidChange(() => changes++);
      file.dispose();
      file.dispose();
      appendFileSync(path, TWO);
      await until(other, () => texts(other).length === 2);
      assert.deepEqual([changes, texts(file)], [0, ['one']]);
      other.dispose();
    });

    inFile('update at most every 100 ms while they are written to', async (path) => {
      writeFileSync(path, ONE);
      const file = await openTranscript(path, watching);
      const times: number[] = [];
      file.onDidChange(() => times.push(performance.now()));
      const lines = 40;
      for (let line = 0; line < lines; line++) {
        appendFileSync(path, `${user({ uuid: `x${line}`, parent: line === 0 ? 'u1' : `x${line - 1}` }, 'x')}\n`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      await until(file, () => texts(file).length === lines + 1);
      const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
      // From the end of one reading to the end of the next; the readings themselves take a little.
      assert.ok(
        gaps.every((gap) => gap > 60),
        gaps.map((gap) => gap.toFixed(0)).join(),
      );
      file.dispose();
    });
  });
});
