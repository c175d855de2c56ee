import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { CompactError } from '../../../src/core/errors/compactError';
import { messageFor } from '../../../src/core/errors/messages';
import type { SummaryReply, SummaryRequest } from '../../../src/core/ports/summarizer';
import { createOpenAiSummarizer, type OpenAiOptions } from '../../../src/node/summarizers/openaiCompatible';
import { text } from '../../support/transcripts';
import { begin, envelope, failed, json, send, startModelServer, streamed, type Answer, type ModelServer } from './modelServer';

const KEY = 'sk-test-5f3a9c0e1b';
const SECRET = 'zebra-quartz-transcript';
const request: SummaryRequest = {
  messages: [text('user', `please fix ${SECRET}`), text('assistant', 'done')],
  direction: 'upTo',
  instructions: 'keep the names',
  maxOutputTokens: 20_000,
};
const SUMMARY = `Goal: ${SECRET}. `.repeat(12).trim();

const servers: ModelServer[] = [];

async function serverWith(...answers: readonly Answer[]): Promise<ModelServer> {
  const server = await startModelServer(...answers);
  servers.push(server);
  return server;
}

interface Asked {
  readonly options?: Partial<OpenAiOptions>;
  readonly request?: Partial<SummaryRequest>;
  readonly signal?: AbortSignal;
  readonly onReceived?: (characters: number) => void;
}

function ask(server: Pick<ModelServer, 'baseUrl'>, asked: Asked = {}): Promise<SummaryReply> {
  const summarizer = createOpenAiSummarizer({
    baseUrl: server.baseUrl,
    model: 'test-model',
    apiKey: KEY,
    headers: {},
    timeoutMs: 5000,
    ...asked.options,
  });
  return summarizer.summarize({ ...request, ...asked.request }, asked.signal ?? new AbortController().signal, asked.onReceived);
}

/** The failure as code and sentence; fails when it tells the key or the transcript anywhere, its causes included. */
async function failure(running: Promise<unknown>): Promise<{ readonly code: string; readonly sentence: string }> {
  const error = await running.then(
    () => assert.fail('it should have failed'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof CompactError, String(error));
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const told = `${cause.message} ${JSON.stringify(Object.entries(cause))}`;
    assert.ok(!told.includes(KEY) && !told.includes(SECRET), told);
  }
  const sentence = messageFor(error);
  assert.match(sentence, /^\p{Lu}[^\n]+\.$/u);
  return { code: error.code, sentence };
}

describe('a summary from an OpenAI-compatible server', () => {
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });

  describe('that answers', () => {
    it('is taken from a stream, with progress and usage', async () => {
      const server = await serverWith(streamed(envelope(SUMMARY)));
      const received: number[] = [];
      const reply = await ask(server, { onReceived: (characters) => received.push(characters) });
      assert.deepEqual(reply, { text: SUMMARY, usage: { inputTokens: 1200, outputTokens: 80 } });
      assert.equal(received.at(-1), envelope(SUMMARY).length);
      assert.ok(received.length > 3 && received.every((count, index) => count >= (received[index - 1] ?? 0)));
    });

    it('is taken from a server that does not stream', async () => {
      const body = {
        choices: [{ message: { content: envelope(SUMMARY) }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 7, completion_tokens: 3 },
      };
      const server = await serverWith(json(200, body));
      assert.deepEqual(await ask(server), { text: SUMMARY, usage: { inputTokens: 7, outputTokens: 3 } });
    });

    it('asks for text alone: no tools, no temperature, our limit, transcript in the last message only', async () => {
      const server = await serverWith(streamed(envelope(SUMMARY)));
      await ask(server, { request: { maxOutputTokens: 1234 } });
      const { body, messages, url } = server.seen[0] ?? assert.fail();
      assert.equal(url, '/v1/chat/completions');
      assert.deepEqual(Object.keys(body).sort(), ['max_tokens', 'messages', 'model', 'stream', 'stream_options']);
      assert.deepEqual([body['model'], body['max_tokens'], body['stream']], ['test-model', 1234, true]);
      const [system, user, ...more] = messages;
      assert.deepEqual([system?.role, user?.role, more.length], ['system', 'user', 0]);
      assert.ok(!system?.content.includes(SECRET));
      assert.match(user?.content ?? '', new RegExp(`${SECRET}[^]*keep the names[^]*Now write the record`));
    });

    it('uses a new nonce for each request', async () => {
      const server = await serverWith(streamed(envelope(SUMMARY)));
      await ask(server);
      await ask(server);
      const nonces = server.seen.map(({ messages }) => /<transcript (\w{32})>/.exec(messages[1]?.content ?? '')?.[1]);
      assert.ok(nonces[0] !== undefined && nonces[0] !== nonces[1]);
    });

    it('gets the key, the user’s own headers, and nothing from the environment or about the machine', async () => {
      const names = [
        'OPENAI_API_KEY',
        'OPENAI_ORG_ID',
        'OPENAI_PROJECT_ID',
        'OPENAI_BASE_URL',
        'OPENAI_ADMIN_KEY',
        'OPENAI_CUSTOM_HEADERS',
      ];
      const before = names.map((name) => [name, process.env[name]] as const);
      for (const name of names) process.env[name] = name === 'OPENAI_CUSTOM_HEADERS' ? 'x-env: leak' : 'leak';
      try {
        const server = await serverWith(streamed(envelope(SUMMARY)));
        await ask(server, { options: { headers: { 'X-Team': 'blue' } } });
        const { headers } = server.seen[0] ?? assert.fail();
        assert.equal(headers.authorization, `Bearer ${KEY}`);
        assert.equal(headers['x-team'], 'blue');
        assert.ok(!JSON.stringify(headers).includes('leak'));
        assert.deepEqual(
          Object.keys(headers).filter((name) => name.startsWith('x-') || name.startsWith('openai-')),
          ['x-team'],
        );
      } finally {
        for (const [name, value] of before) {
          if (value === undefined) Reflect.deleteProperty(process.env, name);
          else process.env[name] = value;
        }
      }
    });

    it('needs no key where the server needs none, and takes a query of the address along', async () => {
      const server = await serverWith(streamed(envelope(SUMMARY)));
      const reply = await ask({ baseUrl: `${server.baseUrl}/?api-version=7` }, { options: { apiKey: undefined } });
      assert.equal(reply.text, SUMMARY);
      assert.equal(server.seen[0]?.url, '/v1/chat/completions?api-version=7');
    });

    it('is asked for once more in the right form when the first answer had another', async () => {
      const server = await serverWith(streamed(`\`\`\`json\n${envelope(SUMMARY)}\n\`\`\``), streamed(envelope(SUMMARY)));
      assert.deepEqual(await ask(server), { text: SUMMARY, usage: { inputTokens: 2400, outputTokens: 160 } });
      const { messages } = server.seen[1] ?? assert.fail();
      assert.deepEqual(
        messages.map(({ role }) => role),
        ['system', 'user', 'assistant', 'user'],
      );
      assert.match(messages[3]?.content ?? '', /does not have the required form/);
    });

    it('does without parameters that the server does not know', async () => {
      const server = await serverWith(
        failed(400, { message: "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", param: 'max_tokens' }),
        failed(400, { message: 'max_completion_tokens is too large: 20000', param: 'max_completion_tokens' }),
        failed(422, { message: 'unknown field stream_options' }),
        streamed(envelope(SUMMARY)),
      );
      assert.equal((await ask(server)).text, SUMMARY);
      const { body } = server.seen[3] ?? assert.fail();
      assert.deepEqual([body['max_tokens'], body['max_completion_tokens'], body['stream_options']], [undefined, 16_000, undefined]);
    });

    it('tells its model and host beforehand, and loads and sends nothing for that', async () => {
      const server = await serverWith(streamed(envelope(SUMMARY)));
      const { capabilities } = createOpenAiSummarizer({ baseUrl: server.baseUrl, model: 'm', apiKey: KEY, headers: {}, timeoutMs: 1 });
      assert.deepEqual(capabilities, { label: 'm', host: server.host });
      assert.equal(server.seen.length, 0);
    });
  });

  describe('whose answer is no summary', () => {
    const answers: readonly [string, Answer, string][] = [
      ['stopped at the output limit', streamed(envelope(SUMMARY), 'length'), 'incomplete'],
      ['is empty', streamed(''), 'noSummary'],
      [
        'is a tool call',
        json(200, { choices: [{ message: { content: null, tool_calls: [{}] }, finish_reason: 'tool_calls' }] }),
        'noSummary',
      ],
      ['was filtered', streamed('', 'content_filter'), 'noSummary'],
      [
        'is a refusal',
        json(200, { choices: [{ message: { content: null, refusal: `no ${SECRET}` }, finish_reason: 'stop' }] }),
        'noSummary',
      ],
      ['has the wrong form twice', streamed('I would rather not.'), 'noSummary'],
      ['is too long', streamed(envelope('x'.repeat(80_001))), 'invalidSummary'],
      ['has no message in it', json(200, { ok: true }), 'api'],
      ['reports an error in the stream', streamError, 'api'],
      ['is not readable', (response) => (begin(response), void response.end('data: {oops\n\n')), 'incomplete'],
    ];
    for (const [name, answer, code] of answers) {
      it(`fails when it ${name}`, async () => {
        const server = await serverWith(answer);
        assert.equal((await failure(ask(server))).code, code);
      });
    }

    it('asks at most twice', async () => {
      const server = await serverWith(streamed('I would rather not.'));
      await failure(ask(server));
      assert.equal(server.seen.length, 2);
    });

    it('refuses a very short summary of a long session, and of a part one without its sections', async () => {
      const server = await serverWith(streamed(envelope('Goal, state.')));
      const long = { messages: [text('user', 'word '.repeat(2000))] };
      assert.equal((await failure(ask(server, { request: { ...long, direction: undefined } }))).code, 'invalidSummary');
      assert.match((await failure(ask(server, { request: { ...long, direction: 'from' } }))).sentence, /lacks 9 of its 9 sections/);
    });
  });

  describe('that fails', () => {
    const statuses: readonly [string, Answer, string, RegExp][] = [
      ['a wrong key', failed(401, { message: `Incorrect API key provided: ${KEY}`, code: 'invalid_api_key' }), 'api', /refused the key/],
      ['a forbidden model', failed(403, { message: 'no' }), 'api', /refused the key.*“test-model”/],
      ['an unknown model', failed(404, { message: `no model; you said ${SECRET}` }), 'api', /knows no model “test-model”/],
      ['too many requests', failed(429, { message: 'slow down' }, { 'retry-after': '3600' }), 'api', /takes no more requests/],
      ['a fault of the server', failed(500, { message: SECRET }), 'api', /a fault of its own \(status 500\)/],
      ['an overloaded server', failed(503, {}), 'api', /\(status 503\)/],
      ['a body that is too large', failed(413, {}), 'promptTooLong', /too long for this model/],
      ['a prompt that does not fit', failed(400, { code: 'context_length_exceeded', message: 'x' }), 'promptTooLong', /too long/],
      [
        'a prompt that does not fit, in words that name a parameter',
        failed(400, { message: 'This model’s maximum context length is 8192 tokens; max_tokens is 20000' }),
        'promptTooLong',
        /too long/,
      ],
      ['a request that it does not like', failed(400, { message: `bad ${SECRET}` }), 'api', /did not accept the request \(status 400\)/],
      [
        'an error page',
        (response) => (response.writeHead(502, { 'content-type': 'text/html' }), void response.end('<html>')),
        'api',
        /status 502/,
      ],
      [
        'a web page',
        (response) => (response.writeHead(200, { 'content-type': 'text/html' }), void response.end('<html>')),
        'api',
        /web page/,
      ],
    ];
    for (const [name, answer, code, sentence] of statuses) {
      it(`says so in one sentence, and asks once, for ${name}`, async () => {
        const server = await serverWith(answer);
        const begun = performance.now();
        const told = await failure(ask(server));
        assert.equal(told.code, code);
        assert.match(told.sentence, sentence);
        assert.equal(server.seen.length, 1);
        assert.ok(performance.now() - begun < 3000, 'it waited');
      });
    }

    it('asks for a key where none was given', async () => {
      const server = await serverWith(failed(401, {}));
      assert.match((await failure(ask(server, { options: { apiKey: ' ' } }))).sentence, /asks for a key/);
    });

    it('follows no redirect, neither elsewhere nor to itself', async () => {
      const other = await serverWith(streamed(envelope(SUMMARY)));
      for (const [status, location] of [
        [307, other.baseUrl],
        [302, '/v1/other'],
      ] as const) {
        const server = await serverWith((response) => {
          response.writeHead(status, { location });
          response.end();
        });
        const told = await failure(ask(server));
        assert.equal(told.code, 'summarizerUnavailable');
        assert.match(told.sentence, /not followed/);
        assert.equal(server.seen.length, 1);
      }
      assert.equal(other.seen.length, 0);
    });

    it('tries again when only the network failed, and then gives up', async () => {
      const flaky = await serverWith((response) => void response.destroy(), streamed(envelope(SUMMARY)));
      assert.equal((await ask(flaky)).text, SUMMARY);
      assert.equal(flaky.seen.length, 2);
      const broken = await serverWith((response) => void response.destroy());
      assert.equal((await failure(ask(broken))).code, 'summarizerUnavailable');
      assert.equal(broken.seen.length, 3);
    });

    it('says that nobody answers at a port', async () => {
      const listening = createServer().listen(0, '127.0.0.1');
      await once(listening, 'listening');
      const address = listening.address();
      assert.ok(typeof address === 'object' && address !== null);
      listening.close();
      await once(listening, 'close');
      const told = await failure(ask({ baseUrl: `http://127.0.0.1:${address.port}/v1` }));
      assert.equal(told.code, 'summarizerUnavailable');
      assert.match(told.sentence, new RegExp(`No server answers at 127\\.0\\.0\\.1:${address.port}`));
    });

    it('does not take the beginning of a cut-off answer, nor ask again', async () => {
      const server = await serverWith((response) => {
        begin(response);
        send(response, { choices: [{ delta: { content: envelope(SUMMARY).slice(0, 60) } }] });
        setTimeout(() => response.destroy(), 30);
      });
      assert.equal((await failure(ask(server))).code, 'incomplete');
      assert.equal(server.seen.length, 1);
    });

    it('does not take an answer that ends without its end either', async () => {
      const server = await serverWith((response) => {
        begin(response);
        send(response, { choices: [{ delta: { content: envelope(SUMMARY).slice(0, 60) } }] });
        response.end();
      });
      assert.equal((await failure(ask(server))).code, 'incomplete');
    });

    it('stops waiting for a server that says nothing, or nothing more', async () => {
      for (const answer of [
        (): void => undefined,
        (response) => {
          begin(response);
          send(response, { choices: [{ delta: { content: 'a' } }] });
        },
      ] satisfies Answer[]) {
        const server = await serverWith(answer);
        const told = await failure(ask(server, { options: { timeoutMs: 150 } }));
        assert.equal(told.code, 'api');
        assert.match(told.sentence, /sent nothing for 1 s/);
        await server.clientLeft;
        assert.equal(server.seen.length, 1);
      }
    });

    it('waits as long as something arrives', async () => {
      const parts = envelope(SUMMARY).match(/[^]{1,60}/g) ?? [];
      const server = await serverWith((response) => {
        begin(response);
        const next = (): void => {
          const part = parts.shift();
          if (part === undefined) {
            send(response, { choices: [{ delta: {}, finish_reason: 'stop' }] });
            response.end('data: [DONE]\n\n');
            return;
          }
          send(response, { choices: [{ delta: { content: part } }] });
          setTimeout(next, 60);
        };
        next();
      });
      assert.equal((await ask(server, { options: { timeoutMs: 300 } })).text, SUMMARY);
    });
  });

  describe('that the user cancels', () => {
    it('is never asked when it was cancelled before', async () => {
      const server = await serverWith(streamed(envelope(SUMMARY)));
      assert.equal((await failure(ask(server, { signal: AbortSignal.abort() }))).code, 'aborted');
      assert.equal(server.seen.length, 0);
    });

    it('is left at once, in the middle of its answer or before', async () => {
      for (const answersFirst of [true, false]) {
        const controller = new AbortController();
        const server = await serverWith((response) => {
          if (answersFirst) {
            begin(response);
            send(response, { choices: [{ delta: { content: 'abc' } }] });
          } else controller.abort();
        });
        const running = ask(server, { signal: controller.signal, onReceived: () => controller.abort() });
        assert.equal((await failure(running)).code, 'aborted');
        await server.clientLeft;
        assert.equal(server.seen.length, 1);
      }
    });

    it('is left while it waits for the next try', async () => {
      const controller = new AbortController();
      const server = await serverWith((response) => {
        response.destroy();
        setTimeout(() => controller.abort(), 50);
      });
      assert.equal((await failure(ask(server, { signal: controller.signal }))).code, 'aborted');
      assert.equal(server.seen.length, 1);
    });
  });

  describe('with an address or key that will not do', () => {
    const options: readonly [string, Partial<OpenAiOptions>, RegExp][] = [
      ['no address', { baseUrl: 'localhost' }, /no web address/],
      ['another protocol', { baseUrl: 'file:///etc/passwd' }, /no web address/],
      ['an unprotected address elsewhere', { baseUrl: 'http://models.example/v1' }, /unprotected to models\.example/],
      ['an address that only looks local', { baseUrl: 'http://127.0.0.1.models.example/v1' }, /unprotected/],
      ['a password in the address', { baseUrl: 'https://me:pw@models.example/v1' }, /name or password/],
      ['no model', { model: ' ' }, /No model is chosen/],
      ['a key with a line end in it', { apiKey: `${KEY}\n${KEY}` }, /cannot be sent/],
      ['a header that is none', { headers: { 'a b': 'c' } }, /cannot be sent/],
    ];
    for (const [name, wrong, sentence] of options) {
      it(`sends nothing: ${name}`, async () => {
        const told = await failure(ask({ baseUrl: 'http://127.0.0.1:9/v1' }, { options: wrong }));
        assert.equal(told.code, 'summarizerUnavailable');
        assert.match(told.sentence, sentence);
      });
    }

    it('sends nothing when the text fits into no window', async () => {
      const huge = { messages: [text('user', 'x'.repeat(4_000_001))] };
      assert.equal((await failure(ask({ baseUrl: 'http://127.0.0.1:9/v1' }, { request: huge }))).code, 'promptTooLong');
    });
  });
});

function streamError(...[response]: Parameters<Answer>): void {
  begin(response);
  send(response, { error: { message: SECRET, code: 'server_error' } });
  response.end();
}
