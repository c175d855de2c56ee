// What stood around a compaction, whether its records hang together, and how full the context was on both sides.
import assert from 'node:assert/strict';
import type { Message } from '../../../src/core/model/message';
import { boundaryReport, type BoundaryReport } from '../../../src/core/session/boundaryReport';
import { inspectTranscript } from '../../../src/core/session/inspection';
import { readTranscript } from '../../../src/core/transcript/readTranscript';
import { finish } from '../../../src/core/util/steps';
import { present } from '../../../src/core/util/present';
import { CLEARED_TEXT } from '../../../src/core/micro/compactableTools';
import { transcriptOf } from '../../support/transcriptOf';
import { assistant as reply, boundary as mark, results, user as says } from '../../support/messages';
import * as claude from '../transcript/claudeLines';
import * as codex from '../transcript/codexLines';

interface Shown {
  readonly report: BoundaryReport;
  /** Ids of the messages at these rows. */
  readonly ids: (rows: readonly number[]) => readonly string[];
}

function shown(bytes: Uint8Array, ordinal = 0): Shown {
  const inspection = inspectTranscript(readTranscript(bytes), {});
  const report = present(finish(boundaryReport(inspection, ordinal)));
  return { report, ids: (rows) => rows.map((row) => inspection.transcript.messages[row]?.id ?? '?') };
}

function faultsOf({ report }: Shown): readonly (readonly [string, readonly string[]])[] {
  return report.faults.map(({ kind, ids }) => [kind, ids]);
}

const asks = (uuid: string, parent: string | null, text = uuid): string => claude.user({ uuid, parent }, text);
const says1 = (uuid: string, parent: string, text = uuid): string => claude.says(uuid, parent, `m-${uuid}`, text);
const keeps = (anchor: string, ...uuids: readonly string[]): object => ({
  preservedMessages: { anchorUuid: anchor, uuids, allUuids: uuids },
});
const reminder = (uuid: string, parent: string, content: string): string =>
  claude.line('attachment', uuid, parent, { attachment: { type: 'file', filename: '/repo/a.ts', content } });

const FIRST = [asks('u1', null), says1('a1', 'u1'), asks('u2', 'a1'), says1('a2', 'u2')];
const SECOND = [asks('u3', 's1'), says1('a3', 'u3'), asks('u4', 'a3'), says1('a4', 'u4')];

describe('the report on a compaction of the past', () => {
  it('knows what was in the context, what stayed, what left and what was added', () => {
    const all = shown(
      claude.bytes(
        ...FIRST,
        claude.boundary('b1', keeps('s1', 'a2'), { logicalParentUuid: 'a2' }),
        claude.summary('s1', 'b1'),
        reminder('r1', 's1', 'text'),
        asks('u3', 'r1'),
        says1('a3', 'u3'),
      ),
    );
    const { contexts, faults, ofSummary } = all.report;
    assert.deepEqual(all.ids(contexts.before), ['u1', 'a1', 'u2', 'a2']);
    assert.deepEqual(all.ids(contexts.kept), ['a2']);
    assert.deepEqual(all.ids(contexts.left), ['u1', 'a1', 'u2']);
    assert.deepEqual(all.ids(contexts.added), ['r1']);
    assert.deepEqual(all.ids(contexts.later), ['u3', 'a3']);
    assert.deepEqual([faults, ofSummary], [[], false]);
  });

  it('takes the command that asked for it, with what follows its answer, for a part of it', () => {
    const command = (uuid: string, parent: string): string =>
      asks(uuid, parent, '<command-name>/compact</command-name> <command-args></command-args>');
    const answer = (uuid: string, parent: string): string => asks(uuid, parent, '<local-command-stdout>Compacted</local-command-stdout>');
    const behind = (...more: readonly string[]): readonly string[] => {
      const all = shown(
        claude.bytes(...FIRST, claude.boundary('b1', {}, { logicalParentUuid: 'a2' }), claude.summary('s1', 'b1'), ...more),
      );
      return all.ids(all.report.contexts.added);
    };
    assert.deepEqual(behind(command('c1', 's1'), answer('c2', 'c1'), reminder('r1', 'c2', 'text'), asks('u3', 'r1')), ['c1', 'c2', 'r1']);
    assert.deepEqual(behind(command('c1', 's1'), says1('a3', 'c1')), []);
  });

  it('starts a second context with what the first compaction left, and tells that its summary was summarized', () => {
    const all = shown(
      claude.bytes(
        ...FIRST,
        claude.boundary('b1', keeps('s1', 'a2'), { logicalParentUuid: 'a2' }),
        claude.summary('s1', 'b1'),
        ...SECOND,
        claude.boundary('b2', {}, { logicalParentUuid: 'a4' }),
        claude.summary('s2', 'b2'),
      ),
      1,
    );
    assert.deepEqual(all.ids(all.report.contexts.before), ['a2', 's1', 'u3', 'a3', 'u4', 'a4']);
    assert.deepEqual(all.report.contexts.kept, []);
    assert.equal(all.report.ofSummary, true);
  });

  it('takes a Codex line that states the whole history for what stood right after it', () => {
    const kept = codex.message('user', 'KEPT');
    const all = shown(
      codex.bytes(
        codex.meta(),
        codex.item(codex.message('user', 'gone')),
        codex.item(codex.message('assistant', 'gone too')),
        codex.item(kept),
        codex.record('compacted', {
          message: 'SUM',
          replacement_history: [kept, codex.message('user', 'SUM'), codex.message('assistant', 'new')],
        }),
        codex.item(codex.message('user', 'next')),
      ),
    );
    const { contexts } = all.report;
    assert.deepEqual([contexts.left.length, contexts.kept.length, contexts.added.length, contexts.later.length], [2, 1, 1, 1]);
  });

  it('says nothing of what was lost where the summary is encrypted', () => {
    const hidden = { type: 'compaction', encrypted_content: 'gAAAA' };
    const { report } = shown(
      codex.bytes(
        codex.meta(),
        codex.item(codex.message('user', 'Never touch src/a.ts.')),
        codex.record('compacted', { message: '', replacement_history: [hidden] }),
      ),
    );
    assert.equal(report.lost, undefined);
  });

  it('counts as lost what an agent cut without a summary', () => {
    const { report } = shown(
      codex.bytes(
        codex.meta(),
        codex.item(codex.message('user', 'Never touch src/a.ts.')),
        codex.record('compacted', { message: '', replacement_history: [] }),
      ),
    );
    assert.deepEqual(
      report.lost?.map(({ kind, value }) => [kind, value]),
      [['constraint', 'Never touch src/a.ts.']],
    );
    assert.deepEqual(report.faults, []);
  });

  it('answers nothing for a boundary that there is not', () => {
    const inspection = inspectTranscript(readTranscript(claude.bytes(...FIRST)), {});
    assert.equal(finish(boundaryReport(inspection, 0)), undefined);
  });
});

describe('the chain of records around a compaction', () => {
  const compacted = (metadata: object, more: readonly string[] = [], summary = claude.summary('s1', 'b1')): Shown =>
    shown(claude.bytes(...FIRST, claude.boundary('b1', metadata, { logicalParentUuid: 'a2' }), summary, ...more));

  it('names kept messages that are not in the conversation, as after a fork that gave all records new ids', () =>
    assert.deepEqual(faultsOf(compacted(keeps('s1', 'a2', 'gone'))), [['missingPreserved', ['gone']]]));

  it('names kept messages that a rewind left on another branch', () => {
    const all = shown(
      claude.bytes(
        asks('u1', null),
        says1('a1', 'u1'),
        asks('left', 'a1'),
        says1('left2', 'left'),
        asks('u2', 'a1'),
        says1('a2', 'u2'),
        claude.boundary('b1', keeps('s1', 'left2', 'a2'), { logicalParentUuid: 'a2' }),
        claude.summary('s1', 'b1'),
      ),
    );
    assert.deepEqual(faultsOf(all), [['stalePreserved', ['left2']]]);
  });

  it('names kept messages that an earlier compaction had taken out', () => {
    const all = shown(
      claude.bytes(
        ...FIRST,
        claude.boundary('b1', {}, { logicalParentUuid: 'a2' }),
        claude.summary('s1', 'b1'),
        ...SECOND,
        claude.boundary('b2', keeps('s2', 'u2', 'a4'), { logicalParentUuid: 'a4' }),
        claude.summary('s2', 'b2'),
      ),
      1,
    );
    assert.deepEqual(faultsOf(all), [['stalePreserved', ['u2']]]);
  });

  it('does not call stale what the earlier compaction had kept', () => {
    const all = shown(
      claude.bytes(
        ...FIRST,
        claude.boundary('b1', keeps('s1', 'u2', 'a2'), { logicalParentUuid: 'a2' }),
        claude.summary('s1', 'b1'),
        ...SECOND,
        claude.boundary('b2', keeps('s2', 'u2', 'a4'), { logicalParentUuid: 'a4' }),
        claude.summary('s2', 'b2'),
      ),
      1,
    );
    assert.deepEqual(faultsOf(all), []);
  });

  it('misses a summary', () => assert.deepEqual(faultsOf(compacted({}, [], asks('u3', 'b1'))), [['missingSummary', []]]));

  it('names records without their parent, from the boundary before on', () => {
    const broken = shown(
      claude.bytes(
        asks('u1', null),
        says1('a1', 'gone'),
        claude.boundary('b1', {}, { logicalParentUuid: 'a1' }),
        claude.summary('s1', 'b1'),
      ),
    );
    assert.deepEqual(faultsOf(broken), [['missingParent', ['a1']]]);
    assert.deepEqual(faultsOf(compacted({}, [asks('u3', 's1'), says1('a3', 'gone')])), []);
  });

  it('names repeated ids', () => {
    const twice = shown(
      claude.bytes(
        asks('u1', null),
        says1('a1', 'u1', 'one'),
        says1('a1', 'u1', 'other'),
        claude.boundary('b1', {}, { logicalParentUuid: 'a1' }),
        claude.summary('s1', 'b1'),
      ),
    );
    assert.deepEqual(
      faultsOf(twice).map(([kind, ids]) => [kind, ids.length]),
      [['duplicateId', 1]],
    );
  });

  it('names kept messages in another order than theirs', () =>
    assert.deepEqual(faultsOf(compacted(keeps('s1', 'a2', 'u2'))), [['wrongOrder', ['u2']]]));

  it('names what was written on the wrong side of the boundary', () => {
    const late = claude.bytes(
      asks('u1', null),
      claude.line('system', 'b1', 'a1', { subtype: 'compact_boundary', content: '', compactMetadata: { trigger: 'auto' } }),
      says1('a1', 'u1'),
      claude.summary('s1', 'b1'),
    );
    assert.deepEqual(faultsOf(shown(late)), [['wrongOrder', ['a1']]]);
    const early = claude.bytes(
      asks('u1', null),
      claude.summary('s1', 'b1'),
      claude.boundary('b1', {}, { logicalParentUuid: 'u1' }),
      asks('u2', 's1'),
    );
    assert.deepEqual(faultsOf(shown(early)), [['wrongOrder', ['s1']]]);
  });
});

describe('sizes around a compaction', () => {
  const usage = (input: number, output: number): object => ({
    input_tokens: input,
    output_tokens: output,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
  });
  const answers = (uuid: string, parent: string, input: number): string =>
    claude.assistant({ uuid, parent }, `m-${uuid}`, { type: 'text', text: 'x'.repeat(350) }, usage(input, 100));

  it('are what was reported before, and the messages after with what the next request held beyond them', () => {
    const { report } = shown(
      claude.bytes(
        asks('u1', null),
        answers('a1', 'u1', 50_000),
        claude.boundary('b1', {}, { logicalParentUuid: 'a1' }),
        claude.summary('s1', 'b1', 'y'.repeat(3500)),
        asks('u2', 's1'),
        answers('a2', 'u2', 30_000),
      ),
    );
    const { before, after } = report.sizes;
    assert.equal(before.tokens, 50_100);
    const sum = (list: typeof before.categories): number => list.reduce((total, { tokens }) => total + tokens, 0);
    assert.equal(sum(before.categories), before.tokens);
    assert.equal(sum(after.categories), after.tokens);
    assert.deepEqual(
      after.categories.map(({ category }) => category),
      ['summary', 'unattributed'],
    );
    // The request behind it is the context and the user's short message.
    assert.ok(after.tokens > 29_900 && after.tokens <= 30_000, `${after.tokens}`);
  });

  it('are estimates alone where nothing is reported', () => {
    const { report } = shown(claude.bytes(...FIRST, claude.boundary('b1', {}, { logicalParentUuid: 'a2' }), claude.summary('s1', 'b1')));
    assert.ok(report.sizes.before.tokens > 0);
    assert.deepEqual(
      report.sizes.after.categories.map(({ category }) => category),
      ['summary'],
    );
  });

  it('are nothing before a file that begins with its compaction', () => {
    const { report } = shown(claude.bytes(claude.boundary('b1'), claude.summary('s1', 'b1'), asks('u1', 's1')));
    assert.deepEqual([report.sizes.before.tokens, report.contexts.before, report.lost], [0, [], []]);
  });
});

describe('results that a compaction cleared', () => {
  const reportOn = (messages: readonly Message[]): BoundaryReport => {
    const named = messages.map((message, index) => ({ ...message, id: `m${index}`, line: index + 1 }));
    const transcript = transcriptOf(named, { format: 'codex' });
    return present(finish(boundaryReport(inspectTranscript(transcript, {}), 0)));
  };
  const answer = (text: string): Message => ({ ...results('t'), content: [{ type: 'toolResult', toolUseId: 't', content: text }] });

  it('are those that say less for the same call, or hold the mark of a cleared one', () => {
    const call = reply([{ type: 'toolUse', id: 't', name: 'Read', input: {} }]);
    const summary = says('s', { kind: 'summary' });
    const on = (text: string): readonly number[] => {
      const messages = [call, answer('long text'), mark(), summary, { ...answer(text), line: 3 }];
      const named = messages.map((message, index) => ({ ...message, id: `m${index}`, line: index < 2 ? index + 1 : 3 }));
      const inspection = inspectTranscript(transcriptOf(named, { format: 'codex' }), {});
      return present(finish(boundaryReport(inspection, 0))).cleared;
    };
    assert.deepEqual(on('long text'), []);
    assert.deepEqual(on('short'), [4]);
    assert.deepEqual(on(CLEARED_TEXT), [4]);
    assert.deepEqual(reportOn([call, answer('a'), mark(), summary]).cleared, []);
  });
});
