// A local server in the place of a model: whatever it answers, nothing is written unless the summary can be used, and no secret leaves.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SUMMARY_SECTIONS } from '../../../src/core/prompts/summaryPrompt';
import type { CompactReport } from '../../../src/node/engine/compactReport';
import { cli } from '../../support/cli';
import { inFolder, sha256 } from '../../support/folders';
import { begin, envelope, startModelServer, streamed, type Answer } from '../summarizers/modelServer';

const KEY = 'ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8';
const SESSION = [
  { role: 'user', content: `Move the parser into its own file. Never touch the legacy folder. The key is ${KEY}.` },
  {
    role: 'assistant',
    content: [{ type: 'tool_use', id: 't1', name: 'Write', input: { file_path: '/repo/src/parser.ts', content: 'x' } }],
  },
  {
    role: 'user',
    content: [
      {
        type: 'tool_result',
        tool_use_id: 't1',
        content: `File created successfully at: /repo/src/parser.ts\n${'const value = 1;\n'.repeat(3_000)}`,
      },
    ],
  },
  { role: 'assistant', content: 'The parser stands in src/parser.ts now.' },
  { role: 'user', content: 'Now go on.' },
  { role: 'assistant', content: 'Done.' },
];
const GOOD = SUMMARY_SECTIONS.map(
  ([title], i) =>
    `## ${title}\n${i === 0 ? 'Move the parser into its own file: src/parser.ts. Never touch the legacy folder. The key is a secret.' : 'None.'}`,
).join('\n');

const html: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end('<!DOCTYPE html><html><body>Sign in</body></html>');
};
/** Begins to answer and says no more. */
const stalls: Answer = (response) => begin(response);

async function compactWith(answer: Answer, abortAfterMs?: number) {
  return inFolder(async (folder) => {
    const server = await startModelServer(answer);
    try {
      const path = join(folder, 'session.jsonl');
      writeFileSync(path, SESSION.map((message) => `${JSON.stringify(message)}\n`).join(''));
      const before = sha256(path);
      const signal = abortAfterMs === undefined ? undefined : AbortSignal.timeout(abortAfterMs);
      const argv = [
        'compact',
        path,
        '--full',
        '--keep',
        '2',
        '--summarizer',
        'openai',
        '--base-url',
        server.baseUrl,
        '--model',
        'test',
        '--allow-send',
        server.host,
      ];
      const result = await cli([...argv, '--json'], { ...(signal === undefined ? {} : { signal }) });
      const report = JSON.parse(result.out) as CompactReport & { readonly message?: string };
      const isUnchanged = sha256(path) === before;
      const files = readdirSync(folder);
      const copy = files.filter((name) => name !== 'session.jsonl').map((name) => readFileSync(join(folder, name), 'utf8'))[0];
      return { ...result, report, files, copy, isUnchanged, asked: server.seen.map(({ messages }) => JSON.stringify(messages)) };
    } finally {
      await server.close();
    }
  });
}

describe('command line: a model that gives no usable summary', function () {
  this.timeout(60_000);
  const table: readonly (readonly [name: string, answer: Answer, sentence: RegExp])[] = [
    ['drops facts', streamed(envelope(GOOD.replace(/Move the parser.*/, 'Various things were done here.'))), /leaves out 3 of 3 things/],
    ['invents a path', streamed(envelope(`${GOOD}\nEditing src/ghost.ts.`)), /stands nowhere in the transcript \(src\/ghost\.ts\)/],
    ['refuses', streamed('I’m sorry, but I can’t help with that.'), /declined to summarize/],
    ['is cut off', streamed(envelope(GOOD).slice(0, 200), 'length'), /broke off before its end/],
    ['calls a tool', streamed('', 'tool_calls'), /called a tool instead/],
    ['answers HTML', html, /^\p{Lu}.*(?:offline summary|address)/u],
    ['writes more than it read', streamed(envelope(`${GOOD}\n${'word '.repeat(12_000)}`)), /larger than what it would replace/],
  ];
  for (const [name, answer, sentence] of table) {
    it(`because it ${name}: the sentence, and nothing is written`, async () => {
      const { status, report, files, isUnchanged } = await compactWith(answer);
      assert.notEqual(status, 0);
      assert.match(report.message ?? '', sentence);
      assert.deepEqual(files, ['session.jsonl']);
      assert.ok(isUnchanged);
    });
  }

  it('because it stalls: it can be cancelled, and nothing is written', async () => {
    const { status, report, files, isUnchanged } = await compactWith(stalls, 1_000);
    assert.notEqual(status, 0);
    assert.match(report.message ?? '', /cancelled and nothing was changed/);
    assert.deepEqual(files, ['session.jsonl']);
    assert.ok(isUnchanged);
  });
});

describe('command line: a model’s summary', function () {
  this.timeout(60_000);

  it('is written with our own ledger behind it; the secret stays here', async () => {
    const { status, report, copy, asked, isUnchanged } = await compactWith(streamed(envelope(GOOD)));
    assert.equal(status, 0, report.message);
    assert.ok(report.summary.includes('## Taken from the transcript') && report.summary.includes('- /repo/src/: parser.ts'));
    assert.ok(copy?.includes('Taken from the transcript'));
    assert.deepEqual(
      report.notes.map(({ message }) => message),
      ['1 likely secret was masked before the text was sent.'],
    );
    assert.equal(asked.length, 1);
    // As the server reported it; nobody publishes prices of a model called "test".
    const { summaryInputTokens, summaryOutputTokens, summaryUsd, usd } = report.cost;
    assert.deepEqual([summaryInputTokens, summaryOutputTokens, summaryUsd, usd], [1200, 80, null, null]);
    assert.ok(asked.every((text) => !text.includes(KEY) && text.includes('[secret]')));
    assert.ok(isUnchanged);
  });

  it('is not asked for without consent', async () =>
    inFolder(async (folder) => {
      const server = await startModelServer(streamed(envelope(GOOD)));
      try {
        const path = join(folder, 'session.jsonl');
        writeFileSync(path, SESSION.map((message) => `${JSON.stringify(message)}\n`).join(''));
        const { status } = await cli([
          'compact',
          path,
          '--full',
          '--keep',
          '2',
          '--summarizer',
          'openai',
          '--base-url',
          server.baseUrl,
          '--model',
          'test',
        ]);
        assert.equal(status, 3);
        assert.equal(server.seen.length, 0);
      } finally {
        await server.close();
      }
    }));
});
