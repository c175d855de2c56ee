// A model that gives no usable summary, on the engine's whole way from an open session to its copy: a server on this machine, and a model of the
// editor. Each gets its sentence, nothing is written, and the session is as it was.
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CompactionPlan } from '../../../src/core/compaction/plan';
import { createOfflineSummarizer } from '../../../src/core/compaction/offline/offlineSummarizer';
import { CompactError } from '../../../src/core/errors/compactError';
import { messageFor } from '../../../src/core/errors/messages';
import type { Summarizer } from '../../../src/core/ports/summarizer';
import { SUMMARY_SECTIONS } from '../../../src/core/prompts/summaryPrompt';
import { HostModels, type ModelAnswer } from '../../../src/node/engine/hostModels';
import { OpenSession } from '../../../src/node/engine/openSession';
import { createOpenAiSummarizer } from '../../../src/node/summarizers/openaiCompatible';
import { inFolder, sha256 } from '../../support/folders';
import { begin, envelope, send, startModelServer, streamed, type Answer } from '../summarizers/modelServer';

const RESULT = `File created successfully at: /repo/src/parser.ts\n${'const value = 1;\n'.repeat(3000)}`;
const SESSION = [
  { role: 'user', content: 'Move the parser into its own file. Never touch the legacy folder.' },
  {
    role: 'assistant',
    content: [{ type: 'tool_use', id: 't1', name: 'Write', input: { file_path: '/repo/src/parser.ts', content: 'x' } }],
  },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: RESULT }] },
  { role: 'assistant', content: 'The parser stands in src/parser.ts now.' },
  { role: 'user', content: 'Now go on.' },
  { role: 'assistant', content: 'Done.' },
];
const REQUESTS = 'Move the parser into its own file: src/parser.ts. Never touch the legacy folder.';

function record(first: string, more = ''): string {
  return `${SUMMARY_SECTIONS.map(([title], at) => `## ${title}\n${at === 0 ? first : 'None.'}`).join('\n')}${more}`;
}

const GOOD = record(REQUESTS);

interface Stub {
  readonly name: string;
  /** What the model says, each time that it is asked. */
  readonly text: string;
  /** Why the server says that it stopped. */
  readonly stop?: string;
  readonly code: string;
  /** Times that it is asked. */
  readonly asked: number;
  /** `NAME` is the host or the model. */
  readonly sentence: string;
}

const REPAIRED = ', so nothing was written; try again, use another model, or use the offline summary.';
const STUBS: readonly Stub[] = [
  {
    name: 'drops facts',
    text: envelope(record('Various things were done here.')),
    code: 'invalidSummary',
    asked: 2,
    sentence: `The summary of NAME leaves out 3 of 3 things that must not be lost (requests, constraints and changed files)${REPAIRED}`,
  },
  {
    name: 'invents a path',
    text: envelope(record(`${REQUESTS} Then src/ghost.ts was changed.`)),
    code: 'invalidSummary',
    asked: 2,
    sentence: `The summary of NAME names a file or address that stands nowhere in the transcript (src/ghost.ts)${REPAIRED}`,
  },
  {
    name: 'returns something larger than its input',
    text: envelope(record(REQUESTS, `\n${'word '.repeat(12_000)}`)),
    code: 'invalidSummary',
    asked: 2,
    sentence: `The summary of NAME is larger than what it would replace${REPAIRED}`,
  },
  {
    name: 'refuses',
    text: 'I’m sorry, but I can’t help with that.',
    code: 'noSummary',
    asked: 1,
    sentence: 'The model at NAME declined to summarize this text; use another model or the offline summary.',
  },
  {
    name: 'is cut off',
    text: envelope(GOOD).slice(0, 300),
    stop: 'length',
    code: 'incomplete',
    asked: 1,
    sentence: 'The summary broke off before its end, so nothing was written; try again, choose a smaller part, or use another model.',
  },
  {
    name: 'calls a tool',
    text: '{"name":"Read","arguments":{"file_path":"/repo/src/parser.ts"}}',
    code: 'noSummary',
    asked: 2,
    sentence: 'The model at NAME called a tool instead of writing a summary; use another model or the offline summary.',
  },
  {
    name: 'answers HTML',
    text: '<!DOCTYPE html><html><body>Sign in</body></html>',
    code: 'noSummary',
    asked: 1,
    sentence: 'A web page came from NAME instead of a summary; check its address, or use the offline summary.',
  },
  {
    name: 'says nothing',
    text: '',
    code: 'noSummary',
    asked: 1,
    sentence: 'The summarizer gave no usable summary, so nothing was written; try again, use another model, or use the offline summary.',
  },
  {
    name: 'answers in another form, twice',
    text: 'Here is what happened: a parser was moved.',
    code: 'noSummary',
    asked: 2,
    sentence: 'The summarizer gave no usable summary, so nothing was written; try again, use another model, or use the offline summary.',
  },
];

describe('a server that gives no usable summary', function () {
  this.timeout(60_000);

  for (const { name, text, stop, code, asked, sentence } of STUBS) {
    it(`because it ${name}: its sentence, and nothing else happens`, () =>
      withServer(streamed(text, stop), async (summarizer, server) => {
        await failsWith(summarizer, code, sentence.replace('NAME', server.host));
        assert.equal(server.seen.length, asked);
      }));
  }

  it('because it sends a page in the place of a stream: its sentence', () =>
    withServer(
      (response) => {
        response.writeHead(200, { 'content-type': 'text/html' });
        response.end('<!DOCTYPE html><html><body>Sign in</body></html>');
      },
      (summarizer) =>
        failsWith(
          summarizer,
          'api',
          'The address of the summarizer answers with a web page and not as a model’s server; check the address.',
        ),
    ));

  it('because it calls a tool in the way of servers: its sentence', () =>
    withServer(
      (response) => {
        const call = { index: 0, id: 'c1', type: 'function', function: { name: 'Read', arguments: '{}' } };
        begin(response);
        send(response, { choices: [{ index: 0, delta: { tool_calls: [call] } }] });
        send(response, { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] });
        response.end('data: [DONE]\n\n');
      },
      (summarizer, { host }) =>
        failsWith(
          summarizer,
          'noSummary',
          `The model at ${host} called a tool instead of writing a summary; use another model or the offline summary.`,
        ),
    ));

  for (const [name, stalls] of [
    ['before it begins', () => undefined],
    ['in the midst of its answer', (response) => begin(response)],
  ] as const satisfies readonly (readonly [string, Answer])[]) {
    it(`because it stalls ${name}: its sentence`, () =>
      withServer(
        stalls,
        (summarizer, { host }) =>
          failsWith(
            summarizer,
            'api',
            `The server ${host} sent nothing for 1 s; try again, choose a smaller part, or use the offline summary.`,
          ),
        400,
      ));
  }

  it('may put it right once: then the copy is written', () =>
    withServer([streamed(envelope(record('Various things were done here.'))), streamed(envelope(GOOD))], async (summarizer, server) => {
      await succeedsWith(summarizer);
      assert.equal(server.seen.length, 2);
      assert.match(server.seen[1]?.messages.at(-1)?.content ?? '', /It leaves out: .*Never touch the legacy folder/);
    }));
});

describe('a model of the editor that gives no usable summary', () => {
  for (const { name, text, stop, code, asked, sentence } of STUBS) {
    // The editor does not tell why a model stopped: an answer that is cut off has another form.
    const isCut = stop !== undefined;
    it(`because it ${name}: its sentence, and nothing else happens`, async () => {
      const model = editorModel(() => ({ kind: 'text', text }));
      const expected = isCut ? STUBS.find((stub) => stub.name.startsWith('answers in another form')) : { code, sentence, asked };
      await failsWith(model.summarizer, expected?.code ?? '', expected?.sentence.replace('NAME', 'Stand-In') ?? '');
      assert.equal(model.asked(), expected?.asked);
    });
  }

  it('because it stalls: the sentence of who waited for it', async () => {
    const message = 'Stand-In did not answer for 120 seconds; try again or use the offline summary.';
    await failsWith(editorModel(() => ({ kind: 'failure', code: 'api', message })).summarizer, 'api', message);
  });

  it('because the user ends it: nothing was changed', async () => {
    const controller = new AbortController();
    const model = editorModel(() => {
      controller.abort();
      return undefined;
    });
    await failsWith(
      model.summarizer,
      'aborted',
      'The action was cancelled and nothing was changed; start it again whenever you like.',
      controller.signal,
    );
  });
});

type Server = Awaited<ReturnType<typeof startModelServer>>;

const PATIENT_MS = 30_000;

async function withServer(
  answers: Answer | readonly Answer[],
  work: (summarizer: Summarizer, server: Server) => Promise<void>,
  timeoutMs = PATIENT_MS,
): Promise<void> {
  const server = await startModelServer(...(typeof answers === 'function' ? [answers] : answers));
  try {
    const summarizer = createOpenAiSummarizer({ baseUrl: server.baseUrl, model: 'test', apiKey: undefined, headers: {}, timeoutMs });
    await work(summarizer, server);
  } finally {
    await server.close();
  }
}

/** A model behind the host's channel that answers as it is told; undefined is no answer at all. */
function editorModel(answer: () => ModelAnswer | undefined): { readonly summarizer: Summarizer; readonly asked: () => number } {
  let asked = 0;
  const models: HostModels = new HostModels(
    ({ callId }) => {
      asked++;
      const given = answer();
      if (given !== undefined) models.answer(callId, given);
    },
    () => undefined,
  );
  return { summarizer: models.summarizer('Stand-In'), asked: () => asked };
}

interface Scene {
  readonly session: OpenSession;
  readonly plan: CompactionPlan;
  readonly folder: string;
  readonly path: string;
}

async function withSession(work: (scene: Scene) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    const path = join(folder, 'session.jsonl');
    writeFileSync(path, SESSION.map((message) => `${JSON.stringify(message)}\n`).join(''));
    const session = await OpenSession.open(path, { options: { tokenizer: 'chars' }, watch: false, pollMs: 0 });
    try {
      const plan = session.plans.plan({ kind: 'full', keepMessages: 2 });
      assert.ok(plan.outcome === 'plan');
      await work({ session, plan, folder, path });
    } finally {
      session.dispose();
    }
  });
}

/** Runs a plan and holds what came of it against the sentence; then everything is as before, and the offline summary works at once. */
async function failsWith(summarizer: Summarizer, code: string, sentence: string, signal?: AbortSignal): Promise<void> {
  await withSession(async ({ session, plan, folder, path }) => {
    const before = { view: JSON.stringify(session.view), source: sha256(path), plan: JSON.stringify(plan) };
    const options = { instructions: '', onProgress: () => undefined };
    await assert.rejects(session.plans.run(plan, summarizer, options, signal), (error) => {
      assert.ok(error instanceof CompactError);
      assert.deepEqual([error.code, messageFor(error)], [code, sentence]);
      return true;
    });
    assert.deepEqual(readdirSync(folder), ['session.jsonl']);
    assert.deepEqual({ view: JSON.stringify(session.view), source: sha256(path), plan: JSON.stringify(plan) }, before);
    const { copy } = await session.plans.run(plan, createOfflineSummarizer(), options);
    assert.ok(readdirSync(folder).includes(copy.fileName), 'the same plan runs with the offline summary');
    assert.equal(sha256(path), before.source);
  });
}

async function succeedsWith(summarizer: Summarizer): Promise<void> {
  await withSession(async ({ session, plan, folder, path }) => {
    const before = sha256(path);
    const { copy } = await session.plans.run(plan, summarizer, { instructions: '', onProgress: () => undefined });
    assert.ok(readdirSync(folder).includes(copy.fileName));
    assert.equal(sha256(path), before);
  });
}
