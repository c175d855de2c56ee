// A second compaction keeps what the first summary had lost, as long as the original is there.
import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOfflineSummarizer } from '../../../src/core/compaction/offline/offlineSummarizer';
import { textOf } from '../../../src/core/model/message';
import type { Summarizer } from '../../../src/core/ports/summarizer';
import { parseHistory } from '../../../src/core/session/historyParse';
import { historyFileName, historyText, type HistoryRecord } from '../../../src/core/session/historyRecord';
import { readTranscript } from '../../../src/core/transcript/readTranscript';
import { findOriginals } from '../../../src/node/engine/historyOriginals';
import { OpenSession } from '../../../src/node/engine/openSession';
import type { WrittenCopy } from '../../../src/node/engine/writeCompactedCopy';
import { createNodeFileSystem } from '../../../src/node/fs/nodeFileSystem';
import { inFolder } from '../../support/folders';
import { longSessionLines, writeLongSession } from '../../support/longSession';

const AGENTS = join(process.cwd(), '..', 'shared', 'agents');
const fs = createNodeFileSystem();

const forgetful: Summarizer = {
  capabilities: { label: 'forgetful', host: undefined },
  summarize: () => Promise.resolve({ text: 'Some parts were looked at. Nothing else is known of them.', usage: undefined }),
};

async function compact(
  path: string,
  summarizer: Summarizer,
  keepMessages = 4,
): Promise<WrittenCopy & { readonly summarizedIds: readonly string[]; readonly codes: readonly string[] }> {
  const session = await OpenSession.open(path, { options: { tokenizer: 'chars' }, watch: false, pollMs: 0 });
  try {
    await session.plans.findOriginals();
    const plan = session.plans.plan({ kind: 'full', keepMessages });
    assert.ok(plan.outcome === 'plan', JSON.stringify(plan));
    const { copy, report } = await session.plans.run(plan, summarizer, { instructions: '', onProgress: () => undefined });
    return { ...copy, summarizedIds: report.summarizedIds, codes: copy.notes.map(({ code }) => code) };
  } finally {
    session.dispose();
  }
}

/** An agent goes on in a copy: some turns of a later time, hung behind its last record. */
function goOn(path: string, turns: number, mark: string): void {
  const last = readFileSync(path, 'utf8').trimEnd().split('\n').at(-1) ?? '{}';
  const { uuid, sessionId } = JSON.parse(last) as { uuid: string; sessionId: string };
  let text = longSessionLines(turns)
    .join('\n')
    .replaceAll('00000000-0000-4000-8000', `${mark}-0000-4000-8000`)
    .replaceAll('11111111-1111-4111-8111-111111111111', sessionId)
    .replaceAll('toolu_', `toolu_${mark}_`)
    .replaceAll('"msg_', `"msg_${mark}_`);
  text = text.replace('"parentUuid":null', `"parentUuid":${JSON.stringify(uuid)}`);
  appendFileSync(path, `${text}\n`);
}

function noteOf(folder: string, { sessionId }: WrittenCopy): { readonly path: string; readonly record: HistoryRecord } {
  const path = join(folder, historyFileName(sessionId));
  const record = parseHistory(readFileSync(path, 'utf8'));
  assert.ok(record);
  return { path, record };
}

describe('the second compaction of a session', function () {
  this.timeout(60_000);

  it('summarizes the original in the place of the first summary, also when an agent went on in both', () =>
    inFolder(async (folder) => {
      const file = join(folder, 'session.jsonl');
      writeLongSession(file);
      const first = await compact(file, forgetful);
      assert.ok(!first.summary.includes('part3'));
      goOn(file, 3, 'aaaaaaaa');
      goOn(first.path, 8, 'bbbbbbbb');
      const second = await compact(first.path, createOfflineSummarizer());
      assert.deepEqual(second.codes, []);
      for (const turn of [0, 3, 11, 20]) assert.match(second.summary, new RegExp(`src/part${turn}\\.ts`), `turn ${turn}`);
      assert.ok(!second.summary.includes('Nothing else is known'), 'the first summary is not quoted');
    }));

  it('and the third one goes back to the first', () =>
    inFolder(async (folder) => {
      const file = join(folder, 'session.jsonl');
      writeLongSession(file);
      const first = await compact(file, forgetful);
      goOn(first.path, 8, 'bbbbbbbb');
      const second = await compact(first.path, forgetful);
      goOn(second.path, 8, 'cccccccc');
      const third = await compact(second.path, createOfflineSummarizer());
      assert.match(third.summary, /src\/part3\.ts/);
      assert.deepEqual(third.codes, []);
    }));

  for (const [name, spoil] of [
    [
      'was changed in what was summarized',
      (file: string) => writeFileSync(file, readFileSync(file, 'utf8').replace('Request 3', 'Request 4')),
    ],
    ['is gone', (file: string) => rmSync(file)],
  ] as const) {
    it(`says that it summarizes a summary when the original ${name}`, () =>
      inFolder(async (folder) => {
        const file = join(folder, 'session.jsonl');
        writeLongSession(file);
        const first = await compact(file, forgetful);
        goOn(first.path, 8, 'bbbbbbbb');
        spoil(file);
        const second = await compact(first.path, createOfflineSummarizer());
        assert.deepEqual(second.codes, ['summaryOfSummary']);
        assert.ok(!second.summary.includes('src/part20.ts'));
      }));
  }

  it('never reads a session that the note does not prove to know', () =>
    inFolder(async (folder) => {
      const file = join(folder, 'session.jsonl');
      writeLongSession(file);
      const first = await compact(file, forgetful);
      goOn(first.path, 8, 'bbbbbbbb');
      const { path, record } = noteOf(folder, first);
      writeFileSync(join(folder, 'private.jsonl'), readFileSync(file, 'utf8').replaceAll('Request', 'Secret'));
      // The note leads to another session, whose ids are the same; its hash is not known.
      writeFileSync(path, historyText({ ...record, source: { ...record.source, path: 'private.jsonl' } }));
      const second = await compact(first.path, createOfflineSummarizer());
      assert.deepEqual(second.codes, ['summaryOfSummary']);
      assert.ok(!second.summary.includes('Secret'));
    }));

  it('is not led astray by a note whose summary is not the one in the copy', () =>
    inFolder(async (folder) => {
      const file = join(folder, 'session.jsonl');
      writeLongSession(file);
      const first = await compact(file, forgetful);
      goOn(first.path, 8, 'bbbbbbbb');
      const { path, record } = noteOf(folder, first);
      writeFileSync(path, historyText({ ...record, summary: 'Another summary.' }));
      assert.deepEqual((await compact(first.path, createOfflineSummarizer())).codes, ['summaryOfSummary']);
    }));
});

describe('the messages behind an agent’s own summary', () => {
  for (const name of [
    'claude-code-2.1.332/after-compact.jsonl',
    'codex-0.171.0/after-compact.jsonl',
    'pi-0.73.1/after-compact.jsonl',
    'qwen-code-0.15.10/after-compact.jsonl',
    'gemini-cli-0.61.0/after-autocompress.jsonl',
    'opencode-1.18.33/export-after-compact.json',
  ]) {
    const path = join(AGENTS, name);
    const isThere = existsSync(path);
    (isThere ? it : it.skip)(
      `${name}: stand before its boundary${isThere ? '' : ' (skipped: the folder ../shared/agents is missing)'}`,
      async () => {
        const transcript = readTranscript(readFileSync(path));
        assert.ok(transcript.boundaries.length > 0);
        const found = await findOriginals(fs, path, transcript);
        const [originals] = [...found.values()];
        assert.ok(originals, 'they are found');
        assert.match(originals.map(textOf).join('\n'), /\S/);
        const inContext = new Set(transcript.context.map((index) => transcript.messages[index]));
        assert.ok(
          originals.every((message) => !inContext.has(message)),
          'nothing is told twice',
        );
      },
    );
  }
});
