import assert from 'node:assert/strict';
import { readableTranscriptPath } from '../../../src/core/compaction/transcriptPath';
import { ReadError } from '../../../src/core/errors/readError';
import type { FileStat } from '../../../src/core/ports/fileSystem';

const REGULAR: FileStat = { size: 10, mtimeMs: 0, inode: '1', isFile: true, isLink: false };

function files(stat: FileStat | undefined, content: string | Error): Parameters<typeof readableTranscriptPath>[0] {
  return {
    stat: () => Promise.resolve(stat),
    read: (_, from, to) =>
      typeof content === 'string' ? Promise.resolve(new TextEncoder().encode(content).slice(from, to)) : Promise.reject(content),
  };
}

describe('the place of the full record that a summary may name', () => {
  const table: readonly [name: string, stat: FileStat | undefined, content: string | Error, expected: string | undefined][] = [
    ['a regular file with something in it', REGULAR, '{"a":1}', '/t'],
    ['nothing there', undefined, '', undefined],
    ['a link', { ...REGULAR, isLink: true }, '{}', undefined],
    ['a folder', { ...REGULAR, isFile: false }, '{}', undefined],
    ['an empty file', { ...REGULAR, size: 0 }, '', undefined],
    ['blanks at the start', { ...REGULAR, size: 5000 }, `${' \n'.repeat(2048)}{}`, undefined],
    ['something among the first bytes', { ...REGULAR, size: 5000 }, `${' '.repeat(4095)}{`, '/t'],
    ['a file that cannot be read', REGULAR, new ReadError('denied'), undefined],
  ];
  for (const [name, stat, content, expected] of table) {
    it(name, async () => assert.equal(await readableTranscriptPath(files(stat, content), '/t'), expected));
  }

  it('passes on an error that is no matter of the file', async () => {
    await assert.rejects(readableTranscriptPath(files(REGULAR, new TypeError('bug')), '/t'), TypeError);
  });
});
