// A session whose long texts stay in its file: opened with its last part, followed line by line, and always what a fresh reading shows.
import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyPatch } from '../../../src/core/protocol/patch';
import type { SessionPatch, SessionView } from '../../../src/core/protocol/viewModel';
import { OpenSession } from '../../../src/node/engine/openSession';
import { appendedResponse, appendedUuid, writeBigSession, type BigSession } from '../../bench/bigSession';

const OPTIONS = { options: { tokenizer: 'chars' }, pollMs: 20, lastPartFirst: true } as const;

describe('a large session', function () {
  this.timeout(60_000);
  let folder = '';
  let path = '';
  let facts: BigSession;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'context-inspector-large-'));
    path = join(folder, 'session.jsonl');
    // Above the size from which texts stay in the file.
    facts = writeBigSession(path, 10_000_000);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is partial until all of it was read, with the same gauge', async () => {
    const session = await OpenSession.open(path, { ...OPTIONS, watch: false });
    const first = session.view;
    assert.equal(first.partial, true);
    await session.ready();
    const { partial, gauge, rows } = session.view;
    assert.deepEqual([partial, gauge.reportedTokens, first.gauge.reportedTokens], [false, facts.lastPrompt, facts.lastPrompt]);
    assert.ok(rows.count > first.rows.count);
    session.dispose();
  });

  it('follows what is written while the rest is still being read', async () => {
    const long = join(folder, 'long.jsonl');
    const { lastUuid, lastPrompt } = writeBigSession(long, 40_000_000);
    const session = await OpenSession.open(long, { ...OPTIONS, watch: true });
    const toldWhilePartial = new Set<number | null>();
    session.onPatch(({ changes }) => {
      if (session.view.partial && changes.gauge !== undefined) toldWhilePartial.add(changes.gauge.reportedTokens);
    });
    const read = session.ready();
    let written = 0;
    while (session.view.partial) {
      const parent = written === 0 ? lastUuid : appendedUuid(written - 1);
      appendFileSync(long, appendedResponse({ number: written, parent, prompt: lastPrompt + 1 + written, output: 40 }));
      written++;
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    await read;
    assert.ok(toldWhilePartial.size > 0, `${written} responses were written`);
    const fresh = await OpenSession.open(long, { ...OPTIONS, watch: false, lastPartFirst: false });
    const last = lastPrompt + written;
    while (session.view.gauge.reportedTokens !== last) await new Promise((resolve) => session.onPatch(resolve));
    await session.setOptions(OPTIONS.options);
    assert.deepEqual(comparable(session.view), comparable(fresh.view));
    fresh.dispose();
    session.dispose();
  });

  it('tells the gauge of an append at once and the rest later, by patches without a gap', async () => {
    const session = await OpenSession.open(path, { ...OPTIONS, watch: true });
    await session.ready();
    let shown: SessionView = session.view;
    const told: (readonly string[])[] = [];
    const until = (isThere: () => boolean): Promise<void> =>
      new Promise((resolve) => {
        const subscription = session.onPatch((patch: SessionPatch) => {
          const next = applyPatch(shown, patch);
          assert.ok(next !== undefined, `a patch from ${patch.from} to ${patch.to} at ${shown.revision}`);
          shown = next;
          told.push(Object.keys(patch.changes));
          if (!isThere()) return;
          subscription.dispose();
          resolve();
        });
      });
    for (let number = 0; number < 3; number++) {
      const parent = number === 0 ? facts.lastUuid : appendedUuid(number - 1);
      const prompt = facts.lastPrompt + 5000 + number;
      const isThere = until(() => shown.gauge.reportedTokens === prompt);
      appendFileSync(path, appendedResponse({ number, parent, prompt, output: 40 }));
      await isThere;
      assert.deepEqual(told.at(-1), ['gauge']);
    }
    await session.setOptions({ ...OPTIONS.options, windowTokens: 500_000 });
    const fresh = await OpenSession.open(path, { options: { ...OPTIONS.options, windowTokens: 500_000 }, watch: false, pollMs: 0 });
    assert.deepEqual(comparable(session.view), comparable(fresh.view));
    fresh.dispose();
    session.dispose();
  });

  it('takes a rewind and what follows it for what a fresh reading takes it', async () => {
    const session = await OpenSession.open(path, { ...OPTIONS, watch: true });
    await session.ready();
    const prompt = facts.lastPrompt + 9000;
    const isThere = new Promise<void>((resolve) => {
      session.onPatch(() => {
        if (session.view.gauge.reportedTokens === prompt) resolve();
      });
    });
    // Beside the responses that were appended before.
    appendFileSync(path, appendedResponse({ number: 77, parent: facts.lastUuid, prompt, output: 40 }));
    await isThere;
    await session.setOptions(OPTIONS.options);
    assert.ok(session.view.diagnostics.some(({ code }) => code === 'abandoned_branch'));
    const fresh = await OpenSession.open(path, { ...OPTIONS, watch: false, lastPartFirst: false });
    assert.deepEqual(comparable(session.view), comparable(fresh.view));
    fresh.dispose();
    session.dispose();
  });
});

/** Without what each opening has of its own, and without sizes that are measured when they leave the measured contexts. */
function comparable(view: SessionView): unknown {
  const boundaries = view.boundaries.map((boundary) => ({ ...boundary, summaryTokens: null }));
  return { ...view, handle: '', revision: 0, live: false, boundaries, rows: { ...view.rows, maxTokens: 0 } };
}
