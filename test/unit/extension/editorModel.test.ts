import assert from 'node:assert/strict';
import { askEditorModel, type ChatModel } from '../../../src/extension/summarizer/editorModel';

const QUESTION = {
  callId: 'c',
  turns: [
    { role: 'system', content: 'rules' },
    { role: 'user', content: 'data' },
    { role: 'assistant', content: 'no' },
  ],
  maxOutputTokens: 100,
} as const;

async function* parts(...texts: readonly string[]): AsyncGenerator<string, undefined> {
  for (const text of texts) yield await Promise.resolve(text);
}

function model(more: Partial<ChatModel<string>> = {}): ChatModel<string> & { readonly sent: string[][] } {
  const sent: string[][] = [];
  return {
    name: 'Stand-In',
    maxInputTokens: 1000,
    countTokens: (message) => Promise.resolve(message.length),
    send: (messages) => {
      sent.push(messages);
      return Promise.resolve(parts('one ', 'two'));
    },
    ...more,
    sent,
  };
}

const TALK = {
  message: (role: string, text: string) => `${role}: ${text}`,
  codeOf: (error: unknown) => (error instanceof Error && error.message.startsWith('code ') ? error.message.slice(5) : undefined),
  timeoutMs: 10_000,
};

describe('asking a language model of the editor', () => {
  it('sends the instruction in the user’s name, since there is no system role, and tells what has come', async () => {
    const one = model();
    const received: number[] = [];
    const answer = await askEditorModel(one, TALK, QUESTION, new AbortController().signal, (count) => received.push(count));
    assert.deepEqual(answer, { kind: 'text', text: 'one two' });
    assert.deepEqual(one.sent, [['user: rules', 'user: data', 'assistant: no']]);
    assert.deepEqual(received, [4, 7]);
  });

  it('sends nothing that is larger than the model takes', async () => {
    const one = model({ maxInputTokens: 20 });
    const answer = await askEditorModel(one, TALK, QUESTION, new AbortController().signal, () => undefined);
    assert.ok(answer.kind === 'failure' && answer.code === 'promptTooLong');
    assert.deepEqual(one.sent, []);
  });

  const failures = [
    ['NoPermissions', 'consentRequired'],
    ['NotFound', 'summarizerUnavailable'],
    ['Blocked', 'api'],
    ['SomethingNew', 'api'],
  ] as const;
  for (const [code, expected] of failures) {
    it(`${code} is ${expected}, in a sentence that holds nothing of the error`, async () => {
      const failing = model({ send: () => Promise.reject(new Error(`code ${code}`)) });
      const answer = await askEditorModel(failing, TALK, QUESTION, new AbortController().signal, () => undefined);
      assert.ok(answer.kind === 'failure');
      assert.equal(answer.code, expected);
      assert.match(answer.message, /Stand-In.*[.]$/);
      assert.doesNotMatch(answer.message, /code /);
    });
  }

  it('an error in the middle of the answer is one too', async () => {
    async function* broken(): AsyncGenerator<string, undefined> {
      yield await Promise.resolve('one');
      throw new Error('code Blocked');
    }
    const answer = await askEditorModel(
      model({ send: () => Promise.resolve(broken()) }),
      TALK,
      QUESTION,
      new AbortController().signal,
      () => undefined,
    );
    assert.equal(answer.kind, 'failure');
  });

  it('an abort ends it at once, also where the model does not listen', async () => {
    const controller = new AbortController();
    const silent = model({ send: () => new Promise(() => undefined) });
    const asked = askEditorModel(silent, TALK, QUESTION, controller.signal, () => undefined);
    controller.abort();
    assert.deepEqual(await asked, { kind: 'failure', code: 'aborted', message: '' });
  });

  it('a model that says nothing is given up', async () => {
    const silent = model({ send: () => new Promise(() => undefined) });
    const answer = await askEditorModel(silent, { ...TALK, timeoutMs: 30 }, QUESTION, new AbortController().signal, () => undefined);
    assert.ok(answer.kind === 'failure' && answer.code === 'api');
    assert.match(answer.message, /did not answer/);
  });

  it('an answer without an end is cut off', async () => {
    async function* endless(): AsyncGenerator<string, undefined> {
      for (;;) yield await Promise.resolve('x'.repeat(100_000));
    }
    const answer = await askEditorModel(
      model({ send: () => Promise.resolve(endless()) }),
      TALK,
      QUESTION,
      new AbortController().signal,
      () => undefined,
    );
    assert.ok(answer.kind === 'failure' && answer.code === 'invalidSummary');
  });
});
