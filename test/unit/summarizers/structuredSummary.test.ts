import assert from 'node:assert/strict';
import type { SummaryRequest } from '../../../src/core/ports/summarizer';
import { CONCISE_SUMMARY_SYSTEM } from '../../../src/core/prompts/conciseSummary';
import { SUMMARY_SYSTEM } from '../../../src/core/prompts/summaryPrompt';
import { createOpenAiSummarizer, type OpenAiOptions } from '../../../src/node/summarizers/openaiCompatible';
import { text } from '../../support/transcripts';
import { envelope, failed, startModelServer, streamed, type Answer, type SeenRequest } from './modelServer';

const REQUEST: SummaryRequest = {
  messages: [text('user', 'please fix it'), text('assistant', 'done')],
  direction: 'upTo',
  instructions: '',
  maxOutputTokens: 4000,
};

/** What a server was asked until it gave a summary. */
async function asked(
  options: Partial<OpenAiOptions>,
  request: Partial<SummaryRequest>,
  ...answers: readonly Answer[]
): Promise<readonly SeenRequest[]> {
  const server = await startModelServer(...answers, streamed(envelope('Goal: fixed.')));
  try {
    const summarizer = createOpenAiSummarizer({
      baseUrl: server.baseUrl,
      model: 'test-model',
      apiKey: undefined,
      headers: {},
      timeoutMs: 5000,
      ...options,
    });
    const reply = await summarizer.summarize({ ...REQUEST, ...request }, new AbortController().signal);
    assert.equal(reply.text, 'Goal: fixed.');
    return server.seen;
  } finally {
    await server.close();
  }
}

describe('the options of a structured summary', () => {
  it('pass the class of scheduling on, and none that nobody named', async () => {
    const [flex] = await asked({ serviceTier: 'flex' }, {});
    assert.equal(flex?.body['service_tier'], 'flex');
    const [plain] = await asked({}, {});
    assert.equal(Object.hasOwn(plain?.body ?? {}, 'service_tier'), false);
  });

  it('give the class of scheduling up where a server does not know it, and nothing else', async () => {
    const refusal = failed(400, { message: 'Unknown parameter: service_tier', param: 'service_tier', type: 'invalid_request_error' });
    const [first, second, ...more] = await asked({ serviceTier: 'priority' }, {}, refusal);
    assert.ok(first !== undefined && second !== undefined && more.length === 0);
    const { service_tier: tier, ...rest } = first.body;
    assert.equal(tier, 'priority');
    assert.deepEqual(Object.keys(second.body), Object.keys(rest));
    assert.equal(second.body['max_tokens'], 4000);
  });

  for (const [style, system] of [
    ['full', SUMMARY_SYSTEM],
    ['concise', CONCISE_SUMMARY_SYSTEM],
    [undefined, SUMMARY_SYSTEM],
  ] as const) {
    it(`ask in the style: ${style ?? 'none named'}`, async () => {
      const [seen] = await asked({}, style === undefined ? {} : { style });
      assert.equal(seen?.messages[0]?.content, system);
      assert.equal(seen.messages.length, 2);
    });
  }
});
