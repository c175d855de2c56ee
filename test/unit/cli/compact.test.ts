import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import type { InspectReport, WireMessage } from '../../../src/core/view/inspectReport';
import type { CompactReport } from '../../../src/node/engine/compactReport';
import { readTranscript } from '../../../src/core/transcript/readTranscript';
import { textOf } from '../../../src/core/model/message';
import { isTurnStart } from '../../../src/core/model/turn';
import { cli } from '../../support/cli';
import { AGENT_FIXTURES, filesBelow, inFolder, NO_TRANSCRIPTS, sha256, TRANSCRIPTS } from '../../support/folders';

interface Tally {
  copies: number;
  readonly refusals: Map<string, number>;
}

/** A main-chain file above this many estimated message tokens must be compactable at 75 % and in full. */
const MUST_COMPACT_TOKENS = 20_000;
const SHARES = [0.25, 0.5, 0.75];

describe('command line: compact on sessions of real agents', function () {
  this.timeout(300_000);
  const tally: Tally = { copies: 0, refusals: new Map() };
  for (const path of filesBelow(AGENT_FIXTURES, '.jsonl').filter((file) => /(claude-code|codex)-/.test(file))) {
    it(relative(AGENT_FIXTURES, path), () => compactEverywhere(path, tally));
  }
  after(() => print('agents', tally));

  it('a dry run writes nothing and says what it would do', () =>
    inFolder(async (folder) => {
      const path = join(AGENT_FIXTURES, 'claude-code-2.1.332', 'before-compact.jsonl');
      const out = join(folder, 'copy.jsonl');
      const { status, out: text } = await cli(['compact', path, '--full', '--keep', '4', '--dry-run', '--out', out, '--json']);
      if (status === 0) {
        const report = JSON.parse(text) as CompactReport;
        assert.equal(report.written, null);
        assert.ok(report.summary.length > 0);
      } else assert.equal(status, 3);
      assert.equal(existsSync(out), false);
    }));
});

describe('command line: compact on plain lists of messages', function () {
  this.timeout(120_000);
  const tally: Tally = { copies: 0, refusals: new Map() };
  const long = 'A long passage about the counter and its callers. '.repeat(400);
  const chat = [
    { role: 'system', content: 'Be brief and exact.' },
    ...Array.from({ length: 12 }, (_, turn) => [
      { role: 'user', content: `Request ${turn}: ${long}` },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: `c${turn}`, type: 'function', function: { name: 'read', arguments: '{"path":"a.ts"}' } }],
      },
      { role: 'tool', tool_call_id: `c${turn}`, content: long },
      { role: 'assistant', content: `Answer ${turn}.` },
    ]).flat(),
  ];
  const anthropic = Array.from({ length: 12 }, (_, turn) => [
    { role: 'user', content: [{ type: 'text', text: `Request ${turn}: ${long}` }] },
    { role: 'assistant', content: [{ type: 'tool_use', id: `t${turn}`, name: 'Read', input: { file_path: 'a.ts' } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${turn}`, content: long }] },
    { role: 'assistant', content: [{ type: 'text', text: `Answer ${turn}.` }] },
  ]).flat();
  const forms: readonly (readonly [name: string, text: string])[] = [
    ['chat.json', JSON.stringify(chat, null, 2)],
    ['chat.jsonl', chat.map((message) => `${JSON.stringify(message)}\n`).join('')],
    ['chat-request.json', JSON.stringify({ model: 'gpt-5', messages: chat })],
    ['anthropic.json', JSON.stringify(anthropic)],
    ['anthropic.jsonl', anthropic.map((message) => `${JSON.stringify(message)}\n`).join('')],
    ['anthropic-request.json', JSON.stringify({ model: 'claude-sonnet-4-5', system: 'Be brief and exact.', messages: anthropic })],
  ];
  for (const [name, text] of forms) {
    it(name, () =>
      inFolder(async (folder) => {
        const path = join(folder, name);
        writeFileSync(path, text);
        const copies = tally.copies;
        await compactEverywhere(path, tally);
        assert.equal(tally.copies - copies, 7, 'every direction at every share gives a copy');
      }),
    );
  }
});

describe(`command line: compact on the collection${NO_TRANSCRIPTS}`, function () {
  this.timeout(900_000);
  if (TRANSCRIPTS === undefined) return;
  const root = TRANSCRIPTS;
  const tally: Tally = { copies: 0, refusals: new Map() };
  for (const folder of ['claude', 'codex']) {
    for (const path of filesBelow(join(root, folder), '.jsonl')) it(relative(root, path), () => compactEverywhere(path, tally));
  }
  after(() => print('collection', tally));
});

/** Compacts one file in full and at the user turns at 25, 50 and 75 % in both directions, and checks every outcome. */
async function compactEverywhere(path: string, tally: Tally): Promise<void> {
  const before = await inspected(path);
  const messages = before.messages ?? [];
  const byIndex = (index: number): WireMessage | undefined => messages[index];
  const source = readTranscript(readFileSync(path));
  const turns = source.context.filter((index) => {
    const message = source.messages[index];
    return message !== undefined && isTurnStart(message);
  });
  const visible = source.context.reduce((sum, index) => sum + (byIndex(index)?.tokens ?? 0), 0);
  const outcomes = new Map<string, boolean>();
  for (const share of SHARES) {
    const pivot = turns[Math.floor(turns.length * share)];
    if (pivot === undefined) continue;
    for (const direction of ['--up-to', '--from']) {
      outcomes.set(`${direction} ${share}`, await compactOnce(path, before, [direction, byIndex(pivot)?.id ?? ''], tally));
    }
  }
  outcomes.set('--full', await compactOnce(path, before, ['--full'], tally));
  if (source.messages.length > 0 && visible > MUST_COMPACT_TOKENS) {
    assert.equal(outcomes.get('--full'), true, '--full gives a copy');
    // Where all user turns stand at the very beginning, nothing worth a summary lies before them: then three quarters of the messages count.
    const late = source.context[Math.floor(source.context.length * 0.75)] ?? 0;
    const upTo = outcomes.get('--up-to 0.75') === true || (await compactOnce(path, before, ['--up-to', byIndex(late)?.id ?? ''], tally));
    assert.equal(upTo, true, '--up-to at 75 % gives a copy');
  }
}

async function compactOnce(path: string, before: InspectReport, how: readonly string[], tally: Tally): Promise<boolean> {
  return inFolder(async (folder) => {
    const hash = sha256(path);
    const out = join(folder, `copy-of-${basename(path)}`);
    const result = await cli(['compact', path, ...how, '--summarizer', 'offline', '--out', out, '--json']);
    assert.equal(sha256(path), hash, 'the source is never changed');
    if (result.status !== 0) {
      const { code } = JSON.parse(result.out) as { code: string };
      assert.equal(result.status, 3, `${how.join(' ')}: ${result.out}`);
      assert.equal(existsSync(out), false, 'a refusal writes nothing');
      tally.refusals.set(code, (tally.refusals.get(code) ?? 0) + 1);
      return false;
    }
    const report = JSON.parse(result.out) as CompactReport;
    assert.equal(report.written, out);
    assert.equal(statSync(out).mode & 0o777, 0o600);
    assert.ok(report.tokensAfter < report.tokensBefore, `${report.tokensAfter} < ${report.tokensBefore}`);
    await assertReadsBack(out, path, before, report);
    tally.copies += 1;
    return true;
  });
}

async function assertReadsBack(copy: string, source: string, before: InspectReport, report: CompactReport): Promise<void> {
  const after = await inspected(copy);
  const known = new Set(before.diagnostics.map((diagnostic) => diagnostic.code));
  assert.deepEqual(
    after.diagnostics.filter((diagnostic) => !known.has(diagnostic.code)),
    [],
    'no new diagnostic',
  );
  assert.equal(after.usage.reportedTokens, null, 'no usage is carried over');
  if (before.sessionId !== null) assert.notEqual(after.sessionId, before.sessionId);
  assert.ok(after.usage.usedTokens < before.usage.usedTokens, 'fewer tokens');
  const [original, copied] = [readTranscript(readFileSync(source)), readTranscript(readFileSync(copy))];
  const keptIds = new Set(report.keptIds);
  const kept = original.context
    .flatMap((index) => original.messages[index] ?? [])
    .filter((message) => keptIds.has(message.id) && message.kind !== 'boundary');
  const context = copied.context.flatMap((index) => copied.messages[index] ?? []);
  const summaries = context.filter((message) => textOf(message).includes(report.summary));
  assert.equal(summaries.length, 1, 'the summary is in the context, once');
  if (before.sessionId !== null) assert.equal(after.boundaries.at(-1)?.summaryId, summaries[0]?.id);
  assert.deepEqual(
    context.filter((message) => message !== summaries[0]).map(({ role, content }) => ({ role, content })),
    kept.map(({ role, content }) => ({ role, content })),
    'kept messages are as they were, in order',
  );
}

async function inspected(path: string): Promise<InspectReport> {
  const result = await cli(['inspect', path, '--json', '--messages']);
  assert.equal(result.status, 0, result.out);
  return JSON.parse(result.out) as InspectReport;
}

function print(name: string, tally: Tally): void {
  const refusals = [...tally.refusals].map(([code, count]) => `${code} ${count}`).join(', ');
  console.log(`      ${name}: ${tally.copies} copies, refused: ${refusals === '' ? 'none' : refusals}`);
}
