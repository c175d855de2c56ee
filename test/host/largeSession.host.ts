import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { writeBigSession } from '../bench/bigSession';
import { parts, until } from './support';

const MEGABYTE = 1e6;
/** Large enough to be read for a while by the engine, small enough to be written in a test. */
const BYTES = 150 * MEGABYTE;
const NS_PER_MS = 1e6;
/** The aim is 50 ms and the figure is printed. It is time on the clock, in which a busy machine counts too, so this only guards against a hang. */
const LONGEST_BLOCK_MS = 1000;

export function largeSessionSuite(): void {
  describe('large session', () => {
    let folder = '';
    before(() => (folder = mkdtempSync(join(tmpdir(), 'context-inspector-large-'))));
    after(() => rmSync(folder, { recursive: true, force: true }));

    it('opens without blocking the extension host', async function () {
      this.timeout(180_000);
      const path = join(folder, 'session.jsonl');
      const { lines, lastPrompt } = writeBigSession(path, BYTES);
      const { services } = await parts();
      const delay = monitorEventLoopDelay({ resolution: 5 });
      delay.enable();
      const lease = await services.hub.acquire(path);
      const { session } = lease;
      const first = session.view?.gauge.reportedTokens;
      // Nine of ten lines are messages; the last part alone has far fewer.
      await until(session.onDidPatch, () => (session.view?.rows.count ?? 0) > lines * 0.8);
      delay.disable();
      const last = session.view?.gauge.reportedTokens;
      lease.dispose();
      const longest = delay.max / NS_PER_MS;
      console.log(`longest block of the extension host: ${longest.toFixed(0)} ms while ${BYTES / MEGABYTE} MB were opened`);
      assert.deepEqual([first, last], [lastPrompt, lastPrompt]);
      assert.ok(longest < LONGEST_BLOCK_MS, `${longest.toFixed(0)} ms`);
    });
  });
}
