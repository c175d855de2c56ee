import assert from 'node:assert/strict';
import { checkSummary } from '../../../src/core/compaction/checkSummary';
import { LEDGER_HEADING, ledgerOf } from '../../../src/core/compaction/ledger';
import { summarizeWithModel, type AskedReply, type ModelTurn } from '../../../src/core/compaction/modelSummary';
import { readFileStatements } from '../../../src/core/compaction/offline/fileStatements';
import { isCompactError } from '../../../src/core/errors/compactError';
import { messageFor } from '../../../src/core/errors/messages';
import { SUMMARY_SECTIONS } from '../../../src/core/prompts/summaryPrompt';
import { asks, bash, says, talk, uses } from './offline/talk';

const NONCE = '0123456789abcdef';
const KEY = 'ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8';

const SESSION = talk(
  asks(`Move the parser into its own file. Never touch the legacy folder. The key is ${KEY}.`),
  uses('Read', { file_path: '/repo/src/reader.ts' }, 'const value = readAll();\n'.repeat(400)),
  uses('Write', { file_path: '/repo/src/parser.ts' }, 'File created successfully at: /repo/src/parser.ts'),
  uses('Edit', { file_path: '/repo/src/reader.ts' }, 'The file /repo/src/reader.ts has been updated.'),
  bash('npm test', 'Tests: 42 passed'),
  says('The parser stands in src/parser.ts now, and all 42 tests pass.'),
  asks('Now update the documentation of the reader.'),
);
const REQUEST = { messages: SESSION, direction: undefined, instructions: '', maxOutputTokens: 20_000 };

/** A good record, with one of its parts replaced. */
function record(more: Readonly<Record<string, string>> = {}): string {
  const bodies: Readonly<Record<string, string>> = {
    'Goal and requests': 'Move the parser into its own file. Never touch the legacy folder. Now update the documentation of the reader.',
    'Files and code': '`src/parser.ts` was created, `src/reader.ts` read and changed; it calls `readAll()`.',
    ...more,
  };
  return SUMMARY_SECTIONS.map(([title]) => `## ${title}\n${bodies[title] ?? 'None.'}`).join('\n');
}

function envelope(summary: string): string {
  return JSON.stringify({ schema: 'compact-summary/v2', summary });
}

interface Told {
  readonly text: string;
  readonly turns: readonly (readonly ModelTurn[])[];
}

/** Asks a model that gives these answers in turn, the last one for ever. */
async function ask(...answers: readonly (string | Partial<AskedReply>)[]): Promise<Told & { readonly notes: readonly string[] }> {
  const turns: (readonly ModelTurn[])[] = [];
  const reply = await summarizeWithModel(
    REQUEST,
    {
      name: 'model.invalid',
      ask: (asked) => {
        turns.push(asked);
        const answer = answers[Math.min(turns.length, answers.length) - 1] ?? '';
        return Promise.resolve({
          text: '',
          stopReason: 'stop',
          usage: undefined,
          isRefused: false,
          ...(typeof answer === 'string' ? { text: answer } : answer),
        });
      },
    },
    NONCE,
  );
  return { text: reply.text, turns, notes: (reply.notes ?? []).map(({ code }) => code) };
}

describe('a model’s summary that cannot be used', () => {
  const big = 'word '.repeat(4_000);
  const table: readonly (readonly [name: string, answer: string | Partial<AskedReply>, code: string, sentence: RegExp, asked: number])[] = [
    [
      'drops facts',
      envelope(record({ 'Goal and requests': 'Various things.', 'Files and code': 'Some files.' })),
      'invalidSummary',
      /leaves out 4 of 4 things that must not be lost/,
      2,
    ],
    [
      'invents a path',
      envelope(record({ 'Current work': 'Editing src/ghost.ts.' })),
      'invalidSummary',
      /names a file or address that stands nowhere in the transcript \(src\/ghost\.ts\)/,
      2,
    ],
    [
      'invents an address',
      envelope(record({ 'Current work': 'See https://ghost.invalid/x and lib/ghost.py.' })),
      'invalidSummary',
      /names 2 files or addresses/,
      2,
    ],
    [
      'lacks sections',
      envelope(
        '## Goal and requests\nMove the parser into its own file. Never touch the legacy folder. Now update the documentation of the reader. src/parser.ts src/reader.ts and so on and on, for a size of it that is plausible for the record of a session of so many words.',
      ),
      'invalidSummary',
      /lacks 8 of its 9 sections/,
      2,
    ],
    [
      'ends inside of a quotation',
      envelope(record({ 'Next step': '```ts\nconst value =' })),
      'invalidSummary',
      /ends inside of a quotation/,
      2,
    ],
    [
      'is larger than what it replaces',
      envelope(record({ 'Problem solving': big })),
      'invalidSummary',
      /is larger than what it would replace/,
      2,
    ],
    ['refuses', 'I’m sorry, but I can’t help with summarizing this conversation.', 'noSummary', /declined to summarize/, 1],
    ['refuses in the provider’s way', { isRefused: true }, 'noSummary', /declined to summarize/, 1],
    ['is cut off', { text: envelope(record()).slice(0, 300), stopReason: 'length' }, 'incomplete', /broke off before its end/, 1],
    ['breaks off on the way', { text: envelope(record()).slice(0, 300), stopReason: undefined }, 'incomplete', /broke off/, 1],
    ['calls a tool', { text: '', stopReason: 'tool_calls' }, 'noSummary', /called a tool instead of writing a summary/, 2],
    ['writes a call of a tool', '{"name":"Read","arguments":{"file_path":"/repo/src/reader.ts"}}', 'noSummary', /called a tool/, 2],
    ['writes a call in tags', '<function_calls><invoke name="Read">', 'noSummary', /called a tool/, 2],
    ['answers HTML', '<!DOCTYPE html><html><body>Sign in</body></html>', 'noSummary', /A web page came from model\.invalid/, 1],
    ['answers in another form', 'Here is your summary: the parser moved.', 'noSummary', /no usable summary/, 2],
    ['is blank', '  ', 'noSummary', /no usable summary/, 1],
    ['is an error message', 'API Error: 529 overloaded', 'api', /reported an error/, 1],
  ];
  for (const [name, answer, code, sentence, asked] of table) {
    it(`${name}: its sentence, after ${asked - 1} repairs`, async () => {
      let count = 0;
      const failing = summarizeWithModel(
        REQUEST,
        {
          name: 'model.invalid',
          ask: () => {
            count++;
            return Promise.resolve({
              text: '',
              stopReason: 'stop',
              usage: undefined,
              isRefused: false,
              ...(typeof answer === 'string' ? { text: answer } : answer),
            });
          },
        },
        NONCE,
      );
      const error = await failing.then(
        () => assert.fail('it was used'),
        (reason: unknown) => reason,
      );
      assert.ok(isCompactError(error), String(error));
      assert.equal(error.code, code);
      assert.match(messageFor(error), sentence);
      assert.match(messageFor(error), /^\p{Lu}[^\n]+\.$/u);
      assert.equal(count, asked);
    });
  }
});

describe('a model’s summary that can be used', () => {
  it('is the record with our own ledger behind it, and no secret was sent', async () => {
    const { text, turns, notes } = await ask(envelope(record()));
    assert.ok(text.startsWith(`${record()}\n\n## ${LEDGER_HEADING}\n`), text);
    assert.deepEqual(
      readFileStatements(text).map(({ action, path }) => `${action} ${path}`),
      ['created /repo/src/parser.ts', 'changed /repo/src/reader.ts', 'read /repo/src/reader.ts'],
    );
    assert.equal(turns.length, 1);
    assert.ok(!JSON.stringify(turns).includes(KEY));
    assert.deepEqual(notes, ['secretsMasked']);
  });

  it('may be put right once, and is told what was wrong', async () => {
    const { text, turns } = await ask(envelope(record({ 'Current work': 'Editing src/ghost.ts.' })), envelope(record()));
    assert.ok(!text.includes('ghost'));
    assert.equal(turns.length, 2);
    assert.match(turns[1]?.at(-1)?.content ?? '', /stand nowhere in the transcript; correct them .*src\/ghost\.ts/);
    assert.ok(!JSON.stringify(turns).includes(KEY));
  });

  it('may have headings of another language', async () => {
    const german = record().replace(/^## .*$/gm, (_, at: number) => `## Abschnitt ${at}`);
    assert.ok((await ask(envelope(german))).text.startsWith('## Abschnitt'));
  });

  it('has names of code marked that stand nowhere', async () => {
    const { text, notes } = await ask(envelope(record({ 'Problem solving': 'It calls `ghostReader()` and `readAll()`, in TypeScript.' })));
    assert.ok(text.includes('It calls `ghostReader()` [not in the transcript] and `readAll()`, in TypeScript.'), text);
    assert.deepEqual(notes, ['secretsMasked', 'namesMarked']);
  });
});

describe('the check of a summary', () => {
  const source = { messages: SESSION, sections: undefined };

  it('accepts paths in any spelling that the source has', () => {
    for (const path of ['/repo/src/parser.ts', 'src/parser.ts', '`parser.ts`', './src/parser.ts', 'repo/src/reader.ts:12']) {
      assert.deepEqual(checkSummary(`${record()}\nSee ${path}.`, source).problems, [], path);
    }
    assert.deepEqual(
      checkSummary(`${record()}\nSee lib/parser.ts.`, source).problems.map(({ code }) => code),
      ['inventedNames'],
    );
  });

  it('is not slowed down by hostile text', () => {
    const before = process.cpuUsage().user;
    for (const piece of ['`', 'a/b.ts ', '## x\n', '```\n', '_a_']) checkSummary(piece.repeat(80_000 / piece.length), source);
    assert.ok(process.cpuUsage().user - before < 4_000_000);
  });
});

describe('our own ledger', () => {
  it('holds last request, constraints, files and commands, and says whose it is', () => {
    const ledger = ledgerOf(SESSION);
    assert.ok(ledger.startsWith(`## ${LEDGER_HEADING}\nThe sections below were not written by the model`));
    for (const part of [
      'Now update the documentation of the reader.',
      '- Never touch the legacy folder.',
      '/repo/src/: parser.ts',
      '- `npm test` — ok',
    ]) {
      assert.ok(ledger.includes(part), part);
    }
  });

  it('of nothing is nothing', () => assert.equal(ledgerOf(talk(says('hello'))), ''));
});
