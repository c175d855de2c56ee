import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readTranscript } from '../../src/core/transcript/readTranscript';
import { answering, parts, until, writeSession } from './support';

const LIVE = '00000000-0000-4000-8000-00000000000a';
/** Nobody listens there. */
const NOWHERE = 'http://127.0.0.1:9/v1';

export function automaticSuite(): void {
  describe('automatic mode', () => {
    let path = '';
    const files = (): readonly string[] => readdirSync(dirname(path)).filter((name) => name.endsWith('.jsonl'));
    let filesBefore: readonly string[] = [];

    before(async () => {
      const { services } = await parts();
      path = writeSession(LIVE, 0);
      filesBefore = files();
      await services.sessions.refresh();
      services.current.follow();
      await until(services.current.onDidChange, () => services.current.view?.fileName === `${LIVE}.jsonl`);
    });
    after(async () => {
      const { services } = await parts();
      for (const key of ['automatic.enabled', 'window.overrides', 'summarizer.provider', 'openai.baseUrl', 'openai.model'] as const)
        await services.configuration.update(key, undefined);
      for (const file of files()) if (!filesBefore.includes(file) || file === `${LIVE}.jsonl`) rmSync(join(dirname(path), file));
      await services.sessions.refresh();
    });

    /** Chooses a window in which the session is so many tokens away from its agent's own compaction. */
    async function bringNear(distance: number): Promise<void> {
      const { services } = await parts();
      let windowTokens = 200_000;
      for (let tries = 0; tries < 3; tries++) {
        await services.configuration.update('window.overrides', { '*': windowTokens });
        const wanted = windowTokens;
        await until(services.current.onDidChange, () => services.current.view?.gauge.windowTokens === wanted);
        const { gauge } = services.current.view ?? assert.fail('there is a session');
        const limit = gauge.agentLimit?.at ?? gauge.limits.find(({ kind }) => kind === 'autoCompact')?.at;
        assert.ok(limit !== undefined);
        windowTokens += gauge.usedTokens + distance - limit;
      }
    }

    /** Looks now, and answers what the user was told. */
    async function look(): Promise<readonly string[]> {
      const { automatic } = await parts();
      const said: string[] = [];
      await answering({ showInformationMessage: (message) => void said.push(String(message)) }, () => automatic.look());
      return said;
    }

    it('is off by default: near the limit nothing is written, said or shown', async () => {
      const { services } = await parts();
      await bringNear(3000);
      assert.equal(services.configuration.current['automatic.enabled'], false);
      assert.deepEqual(await look(), []);
      assert.equal(services.automatic.status, undefined);
      assert.deepEqual(files(), filesBefore);
    });

    it('waits while the limit is far', async () => {
      const { services } = await parts();
      await bringNear(20_000);
      await services.configuration.update('automatic.enabled', true);
      assert.deepEqual(await look(), []);
      assert.deepEqual(services.automatic.status, { action: 'wait', reason: 'far' });
      assert.deepEqual(files(), filesBefore);
    });

    it('prepares one copy near it and tells once, without sending to a server that was not allowed', async () => {
      const { services } = await parts();
      await services.configuration.update('summarizer.provider', 'openai');
      await services.configuration.update('openai.baseUrl', NOWHERE);
      await services.configuration.update('openai.model', 'm1');
      await bringNear(3000);
      const original = readFileSync(path);
      const said = await look();
      assert.equal(said.length, 1, said.join(' '));
      assert.match(
        said[0] ?? '',
        /^A compacted copy of the current session is ready: [\d.]+K → [\d.]+K? tokens\. The original is unchanged\.$/,
      );
      assert.ok(readFileSync(path).equals(original), 'the original is unchanged');
      const [copy = '', ...more] = files().filter((file) => !filesBefore.includes(file));
      assert.deepEqual(more, []);
      assert.equal(readTranscript(readFileSync(join(dirname(path), copy))).boundaries.length, 1);
      assert.deepEqual(await look(), []);
      assert.equal(files().length, filesBefore.length + 1);
      assert.deepEqual(services.automatic.status, { action: 'wait', reason: 'prepared' });
    });

    it('leaves the session that is worked on the current one, though the copy is newer', async () => {
      const { services } = await parts();
      await services.sessions.refresh();
      services.current.follow();
      assert.equal(services.sessions.found.workspace.length >= 2, true);
      assert.equal(services.current.view?.fileName, `${LIVE}.jsonl`);
    });

    it('does nothing any more when it is turned off', async () => {
      const { services } = await parts();
      await services.configuration.update('automatic.enabled', false);
      const before = files();
      assert.deepEqual(await look(), []);
      assert.equal(services.automatic.status, undefined);
      assert.deepEqual(files(), before);
    });
  });
}
