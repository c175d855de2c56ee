// A session that an agent is writing to: the page, the status bar and the list follow it, and say what the command line says.
import assert from 'node:assert/strict';
import { ClaudeSession } from './support/claudeSession';
import { inspect } from './support/cli';
import { Inspector } from './support/inspector';
import { SAMPLE, SAMPLE_ID, SAMPLE_TITLE, writeSampleBelow } from './support/sample';
import { until } from './support/wait';
import { pictureOfFailures } from './support/pictures';
import { Workbench } from './support/workbench';
import { addClaudeSession } from './support/workspace';

const HOUR_MS = 3_600_000;

describe('a live session', function () {
  this.timeout(300_000);
  let workbench: Workbench;
  let inspector: Inspector;
  let session: ClaudeSession;
  let path = '';
  let documentId: string | undefined;

  before(async () => {
    workbench = await Workbench.open((workspace) => {
      addClaudeSession(workspace, SAMPLE, '11111111-2222-4333-8444-555555555555.jsonl', 48 * HOUR_MS);
      path = addClaudeSession(workspace, SAMPLE, `${SAMPLE_ID}.jsonl`);
      writeSampleBelow(132_000, path);
    });
    session = new ClaudeSession(path);
  });
  pictureOfFailures(() => workbench);
  after(() => workbench.close());

  it('is found by itself and shown in the status bar', async () => {
    const percent = Math.floor((inspect(path).usage.usedTokens / 200_000) * 100);
    await workbench.statusItem(new RegExp(`${percent}\\s*%|${percent + 1}\\s*%`)).waitFor();
  });

  it('opens in the inspector from the status bar, with the gauge in sight', async () => {
    await workbench.statusItem(/\d\s*%/).click();
    inspector = await Inspector.find(workbench, 'panel', SAMPLE_TITLE);
    await inspector.gauge.waitFor({ state: 'visible' });
    await sameAsCommandLine();
    documentId = await inspector.documentId();
    assert.ok(documentId);
  });

  it('stands first in the list of sessions', async () => {
    await workbench.page.locator('.activitybar [aria-label^="Context"]').first().click();
    await workbench.sideBarRow(SAMPLE_TITLE).waitFor();
    const rows = workbench.page.locator('.sidebar .monaco-list-row', { hasText: SAMPLE_TITLE });
    await until('two sessions in the list', async () => (await rows.count()) === 2);
    const texts = await rows.allInnerTexts();
    assert.match(texts[1] ?? '', /2 ?d|days|yesterday/i);
    assert.doesNotMatch(texts[0] ?? '', /days|yesterday/i);
  });

  it('moves the gauge when the agent writes, in the same document', async () => {
    await inspector.watchPatches();
    const before = await inspector.used();
    session.say('One more look at the table, please.');
    session.answer('The table is as it was.', before + 900);
    await until('a higher gauge', async () => (await inspector.used()) > before);
    await sameAsCommandLine();
    assert.equal(await inspector.documentId(), documentId);
  });

  it('waits for the end of a line that is being written', async () => {
    const before = inspect(path);
    session.answerTorn('And here is the rest.', before.usage.usedTokens + 700, () => {
      const torn = inspect(path);
      assert.equal(torn.usage.usedTokens, before.usage.usedTokens);
      // The unfinished line may be told of, and nothing else.
      assert.deepEqual(
        torn.diagnostics.filter(({ code }) => code !== 'truncated_tail'),
        before.diagnostics,
      );
    });
    const after = await sameAsCommandLine();
    assert.equal(after.messages?.length, (before.messages?.length ?? 0) + 1);
    assert.deepEqual(after.diagnostics, before.diagnostics);
  });

  it('crosses the warning limit', async () => {
    assert.equal(await inspector.state(), 'normal');
    session.say('Read everything once more.');
    session.answer('Done; nothing new.', 151_000);
    await until('the state behind the limit', async () => ['warning', 'error'].includes((await inspector.state()) ?? ''));
    await sameAsCommandLine();
    await workbench.statusItem(/75\s*%|76\s*%/).waitFor();
  });

  it('shows a compaction that happens now, and what it carried over', async () => {
    const rowsBefore = await listLength();
    const boundariesBefore = inspect(path).boundaries.length;
    const { boundary, kept } = session.compact('The drift is fixed; the table is checked.', 2);
    await until('the state after the compaction', async () => (await inspector.state()) === 'normal');
    await until('the new rows', async () => (await listLength()) > rowsBefore);
    const report = await sameAsCommandLine();
    assert.equal(report.boundaries.length, boundariesBefore + 1);
    assert.deepEqual(report.boundaries.at(-1)?.preservedSegment?.ids, kept);
    await until('the card of the compaction', async () => (await inspector.byId('boundary').count()) === boundariesBefore + 1);
    for (const id of kept) await inspector.frame.locator(`[data-testid="row"][data-id="${id}"][data-preserved="true"]`).waitFor();
    await inspector.row(boundary).waitFor();
    assert.equal(await inspector.documentId(), documentId);
  });

  it('got every change, one revision after the other', async () => {
    const patches = await inspector.patches();
    assert.ok(patches.length > 0);
    const ends = patches.map((patch) => patch.split('-').map(Number));
    for (const [index, [from = NaN, to = NaN]] of ends.entries()) {
      assert.equal(to, from + 1);
      if (index > 0) assert.equal(from, ends[index - 1]?.[1]);
    }
    assert.equal(await inspector.revision(), ends.at(-1)?.[1]);
  });

  it('asks for the whole view after a change was lost', async () => {
    await inspector.watchPatches(1);
    session.say('Are you there?');
    await until('the lost change', async () => (await inspector.patches()).some((patch) => patch.endsWith('dropped')));
    session.answer('Yes.', 52_000);
    await until('the numbers after the loss', async () => (await inspector.used()) === inspect(path).usage.usedTokens);
    await sameAsCommandLine();
    assert.equal(await inspector.documentId(), documentId);
  });

  it('asked nothing of another machine and threw nothing', () => {
    assert.deepEqual(workbench.foreign, []);
    assert.deepEqual(workbench.errors, []);
  });

  async function listLength(): Promise<number> {
    return Number(await inspector.frame.locator('[role="option"]').first().getAttribute('aria-setsize'));
  }

  /** Page and command line agree on usage, state, messages and boundaries, as soon as the page has caught up. */
  async function sameAsCommandLine(): Promise<ReturnType<typeof inspect>> {
    return until('the numbers of the command line on the page', async () => {
      const report = inspect(path);
      const same =
        (await inspector.used()) === report.usage.usedTokens &&
        (await inspector.state()) === report.warning.state &&
        (await listLength()) === report.messages?.length;
      return same ? report : undefined;
    });
  }
});
