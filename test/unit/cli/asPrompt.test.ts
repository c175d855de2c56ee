import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord, stringOf } from '../../../src/core/util/json';
import { cli } from '../../support/cli';
import { inFolder } from '../../support/folders';

const LONG = 'A long passage about the jars and their pebbles, none of which is like another one. '.repeat(200);
const session = {
  sessionId: 's-1',
  title: 'Stones',
  workspaceDirectory: '/p',
  history: Array.from({ length: 8 }, (_, turn) => [
    { message: { role: 'user', content: `Request ${turn}: ${LONG}` }, contextItems: [] },
    { message: { role: 'assistant', content: `Answer ${turn}.` }, contextItems: [] },
  ]).flat(),
};

describe('command line: sessions that no copy can be written of', () => {
  it('are refused before anything is summarized, with what helps', () =>
    inFolder(async (folder) => {
      const path = join(folder, 's-1.json');
      writeFileSync(path, JSON.stringify(session));
      for (const kind of [['--full'], ['--up-to', '4'], ['--from', '4'], ['--micro'], ['--full', '--dry-run']]) {
        const { status, err } = await cli(['compact', path, ...kind, '--summarizer', 'offline']);
        assert.equal(status, 3, kind.join(' '));
        assert.match(err, /--as-prompt/);
      }
      assert.deepEqual(readdirSync(folder), ['s-1.json']);
    }));

  it('become a prompt that says the summary and what is kept', () =>
    inFolder(async (folder) => {
      const path = join(folder, 's-1.json');
      writeFileSync(path, JSON.stringify(session));
      const { status, out, err } = await cli(['compact', path, '--full', '--keep', '2', '--as-prompt']);
      assert.equal(status, 0, err);
      assert.match(out, /^Go on from an earlier session/);
      assert.ok(out.includes(`Request 7: ${LONG}`) && out.includes('Answer 7.'));
      assert.ok(!out.includes(`Request 3: ${LONG}`));
      const json = await cli(['compact', path, '--full', '--keep', '2', '--as-prompt', '--json']);
      const report: unknown = JSON.parse(json.out);
      assert.ok(isRecord(report));
      assert.deepEqual([report['schema'], report['written'], stringOf(report, 'prompt')], ['context-inspector/compact/v1', null, out]);
      assert.deepEqual(readdirSync(folder), ['s-1.json']);
    }));

  it('a prompt is not written, so that it goes with neither --out nor --dry-run', async () => {
    for (const more of [['--out', 'x'], ['--dry-run']]) {
      assert.equal((await cli(['compact', 'x.json', '--full', '--as-prompt', ...more])).status, 2);
    }
  });
});
