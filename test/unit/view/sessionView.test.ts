import assert from 'node:assert/strict';
import type { Transcript } from '../../../src/core/model/transcript';
import type { GaugeView } from '../../../src/core/protocol/viewModel';
import type { LimitsProfile } from '../../../src/core/window/agentLimits';
import { applyPatch, diffViews } from '../../../src/core/protocol/patch';
import { inspectTranscript } from '../../../src/core/session/inspection';
import { inspectReportOf } from '../../../src/core/view/inspectReportOf';
import { finish } from '../../../src/core/util/steps';
import { firstChangedRow, rowIndexOf, rowView } from '../../../src/core/view/rows';
import { sessionView } from '../../../src/core/view/sessionView';
import { boundaryAt, call, result, text, transcriptOf, usage } from '../../support/transcripts';

const facts = { handle: 'h', revision: 1, fileName: 'session.jsonl', live: true, problem: undefined };

const story = [
  text('user', 'Why does the counter drift?'),
  call('t1', 'Read', { file_path: 'src/count.ts' }, { messageId: 'r1', usage: usage(40_000, 200) }),
  result('t1', 'export const count = 1;\n'.repeat(200)),
  text('assistant', 'It counts base64 as text.', { messageId: 'r2', usage: usage(60_000, 100, 90_000) }),
  text('user', 'Fix it, please.'),
];

describe('view of a session', () => {
  it('adds the categories up to the tokens in use, with what no message explains as unattributed', () => {
    const inspection = inspectTranscript(transcriptOf(story), {});
    const total = inspection.categories.reduce((sum, entry) => sum + entry.tokens, 0);
    assert.equal(total, inspection.usage.usedTokens);
    const rest = inspection.categories.find((entry) => entry.category === 'unattributed');
    assert.ok((rest?.tokens ?? 0) > 100_000, 'the system prompt and tools are not in the file');
  });

  it('never counts more for the visible messages than was reported', () => {
    const small = [text('user', 'x'.repeat(400_000)), text('assistant', 'ok', { messageId: 'r', usage: usage(1000, 5) })];
    const inspection = inspectTranscript(transcriptOf(small), {});
    const total = inspection.categories.reduce((sum, entry) => sum + entry.tokens, 0);
    assert.equal(total, inspection.usage.usedTokens);
    assert.equal(inspection.unattributedTokens, 0);
  });

  it('shows state, limits and distance by the formulas of a 200K window', () => {
    const view = viewOf(story);
    assert.equal(view.gauge.windowTokens, 200_000);
    assert.equal(view.gauge.state, 'error');
    assert.deepEqual(
      view.gauge.limits.map((limit) => limit.at),
      [147_000, 147_000, 167_000, 177_000],
    );
    assert.equal(view.gauge.next?.kind, 'autoCompact');
    assert.equal(view.gauge.next.tokens, 167_000 - view.gauge.usedTokens);
  });

  it('draws the agent’s own rule beside its limits, and puts a chosen one in their place', () => {
    const gaugeOf = (limitsProfile: LimitsProfile, more: Partial<Transcript> = {}): GaugeView => {
      const inspection = inspectTranscript(transcriptOf(story, more), { limitsProfile });
      return sessionView(inspection, rowIndexOf(inspection), facts).gauge;
    };
    const auto = gaugeOf('auto', { format: 'pi' });
    assert.deepEqual(auto.agentLimit, { agent: 'pi', at: 183_616, due: false, chosen: false });
    assert.equal(auto.limits.find(({ kind }) => kind === 'autoCompact')?.at, 167_000);
    assert.equal(gaugeOf('seed', { format: 'pi' }).agentLimit, null);
    const chosen = gaugeOf('gemini');
    assert.deepEqual(chosen.agentLimit, { agent: 'Gemini CLI', at: 100_000, due: true, chosen: true });
    assert.deepEqual(
      chosen.limits.map(({ at }) => at),
      [80_000, 80_000, 100_000, 200_000],
    );
    assert.equal(chosen.state, 'autoCompact');
    assert.deepEqual(
      chosen.counters.map(({ kind }) => kind),
      ['window', 'usable', 'untilCompact', 'agentShows', 'agentDecides'],
    );
  });

  it('states the limits and counters of the report', () => {
    const report = inspectReportOf(inspectTranscript(transcriptOf(story, { format: 'pi' }), {}), 'f', false);
    assert.equal(report.limits.profile, 'auto');
    assert.deepEqual(report.limits.agent, {
      profile: 'pi',
      compactsAtTokens: 183_616,
      isInclusive: false,
      blocksAtTokens: null,
      countedTokens: report.usage.usedTokens,
      isDue: false,
    });
    assert.deepEqual(
      report.counters.map(({ counter }) => counter),
      ['window', 'usable', 'until_compact', 'agent_shows', 'agent_decides'],
    );
  });

  it('has no percent, limits or next event when the window is unknown', () => {
    const inspection = inspectTranscript(transcriptOf(story, { format: 'openai-chat', model: 'local-model' }), {});
    const { gauge } = sessionView(inspection, rowIndexOf(inspection), facts);
    assert.deepEqual(
      [gauge.windowTokens, gauge.percentUsed, gauge.percentLeft, gauge.next, gauge.limits.length, gauge.agentLimit, gauge.counters.length],
      [null, null, null, null, 0, null, 0],
    );
    assert.equal(gauge.state, 'unknown');
    assert.equal(inspectReportOf(inspection, 'f', false).warning.blockingLimitTokens, null);
  });

  it('thins a long timeline out and keeps what is marked, the largest, and both sides of a compaction', () => {
    const messages = Array.from({ length: 1200 }, (_, n) => [
      text('user', 'q'),
      text('assistant', 'a', { messageId: `r${n}`, usage: usage(n === 700 ? 180_000 : 10_000 + (n % 400) * 30, 5) }),
    ]).flat();
    const inspection = inspectTranscript(transcriptOf(messages), {});
    const { timeline } = sessionView(inspection, rowIndexOf(inspection), facts);
    assert.ok(timeline !== null && timeline.points.length <= 400 && timeline.points.length >= 240);
    assert.equal(timeline.reports, 1200);
    assert.equal(timeline.peakTokens, Math.max(...timeline.points.map(({ tokens }) => tokens)));
    const drawn = new Set(timeline.points.map(({ index }) => index));
    assert.ok(timeline.marks.length > 0 && timeline.marks.every(({ index }) => drawn.has(index)));
    assert.equal(timeline.whole, true);
    const short = inspectTranscript(transcriptOf([text('user', 'q')]), {});
    assert.equal(sessionView(short, rowIndexOf(short), facts).timeline, null);
  });

  it('names the tool in the rows of a call and of its result', () => {
    const inspection = inspectTranscript(transcriptOf(story), {});
    const rows = rowIndexOf(inspection);
    assert.deepEqual(
      [rowView(inspection, rows, 1), rowView(inspection, rows, 2)].map((row) => [row?.kind, row?.label]),
      [
        ['toolUse', 'Read'],
        ['toolResult', 'Read'],
      ],
    );
    assert.equal(rowView(inspection, rows, 1)?.preview, 'src/count.ts');
    assert.equal(rowView(inspection, rows, story.length), undefined);
  });

  it('marks what is before the boundary as inactive and carried-over rows as preserved', () => {
    const kept = text('assistant', 'kept answer');
    const messages = [
      text('user', 'old'),
      kept,
      text('system', '', { kind: 'boundary', content: [] }),
      text('user', 'summary', { kind: 'summary' }),
    ];
    const boundary = boundaryAt(2, {
      summaryId: messages[3]?.id,
      preservedSegment: { startIndex: 1, count: 1, anchor: messages[3]?.id, direction: 'upTo', ids: [kept.id] },
    });
    const inspection = inspectTranscript(transcriptOf(messages, { context: [3, 1], boundaries: [boundary] }), {});
    const rows = rowIndexOf(inspection);
    const flags = messages.map((_, index) => rowView(inspection, rows, index)).map((row) => [row?.active, row?.preserved, row?.canCompact]);
    assert.deepEqual(flags, [
      [false, false, false],
      [true, true, true],
      [false, false, false],
      [true, false, true],
    ]);
    const [shown] = sessionView(inspection, rows, facts).boundaries;
    assert.equal(shown?.summary, 'summary');
    assert.equal(shown.preserved?.count, 1);
    assert.equal(shown.summarizedCount, 1);
  });

  it('patches from one revision to the next, and refuses a patch that does not follow', () => {
    const before = inspectTranscript(transcriptOf(story), {});
    const after = inspectTranscript(
      transcriptOf([...story, text('assistant', 'Done.', { messageId: 'r3', usage: usage(170_000, 10) })]),
      {},
    );
    const [rowsBefore, rowsAfter] = [rowIndexOf(before), rowIndexOf(after)];
    const [one, two] = [sessionView(before, rowsBefore, facts), sessionView(after, rowsAfter, { ...facts, revision: 2 })];
    const patch = diffViews(one, two, finish(firstChangedRow(before, rowsBefore, after, rowsAfter)));
    assert.deepEqual(applyPatch(one, patch), two);
    assert.equal(applyPatch(two, patch), undefined);
    assert.equal(finish(firstChangedRow(before, rowsBefore, before, rowsBefore)), null);
    assert.ok((patch.rowsFrom ?? Infinity) <= story.length);
    assert.equal(Object.hasOwn(patch.changes, 'agent'), false, 'what did not change is not sent');
  });

  it('keeps hostile text as text and on one line', () => {
    const inspection = inspectTranscript(transcriptOf([text('user', '<img src=x onerror=alert(1)>\n\u202Eevil\u001b[2J')]), {});
    const row = rowView(inspection, rowIndexOf(inspection), 0);
    assert.equal(row?.preview.includes('<img src=x onerror=alert(1)>'), true);
    assert.equal(/[\u0000-\u001f\u202e]/.test(row.preview), false);
  });
});

function viewOf(messages: typeof story): ReturnType<typeof sessionView> {
  const inspection = inspectTranscript(transcriptOf(messages), {});
  return sessionView(inspection, rowIndexOf(inspection), facts);
}
