import assert from 'node:assert/strict';
import { summaryUsd } from '../../../src/core/compaction/cost';
import { planCompaction } from '../../../src/core/compaction/strategies';
import type { Summarizer } from '../../../src/core/ports/summarizer';
import { summaryCallOf } from '../../../src/node/engine/summaryCall';
import { text } from '../../support/transcripts';
import { inputOf } from '../compaction/planInputs';

const input = inputOf(Array.from({ length: 20 }, (_, at) => text(at % 2 === 0 ? 'user' : 'assistant', `message ${at} `.repeat(200))));

function callOf(
  capabilities: Summarizer['capabilities'],
  usage?: { inputTokens: number; outputTokens: number },
  priceOverrides?: Readonly<Record<string, unknown>>,
) {
  const plan = planCompaction({ kind: 'full', keepMessages: 4 }, input);
  assert.ok(plan.outcome === 'plan');
  const summarizer: Summarizer = { capabilities, summarize: () => Promise.reject(new Error('nobody asks')) };
  return summaryCallOf({ plan, input, summarizer, instructions: '', priceOverrides }, usage);
}

describe('call of a model for a summary', () => {
  it('is none where nothing leaves the machine', () => {
    assert.equal(callOf({ label: 'Offline', host: undefined }), undefined);
  });

  it('is what the provider reported, at the prices of the model that was asked', () => {
    const call = callOf({ label: 'gpt-5-mini', host: 'api.openai.com' }, { inputTokens: 9000, outputTokens: 700 });
    assert.deepEqual([call?.inputTokens, call?.outputTokens, call?.prices?.model], [9000, 700, 'gpt-5-mini']);
  });

  it('costs what the user says', () => {
    const call = callOf({ label: 'gpt-5-mini', host: 'h' }, { inputTokens: 9000, outputTokens: 700 }, { 'gpt-*': { input: 1, output: 2 } });
    assert.deepEqual([call?.prices?.source, summaryUsd(call)], ['setting', 0.0104]);
  });

  it('is what was to be expected where nothing was reported', () => {
    const call = callOf({ label: 'A model of the editor', host: 'A model of the editor' });
    // 16 messages of 2,200 to 2,600 characters each, at 3.5 bytes a token, and the fixed words of the request.
    assert.ok(call !== undefined && call.inputTokens > 10_000 && call.inputTokens < 13_000, String(call?.inputTokens));
    assert.equal(call.outputTokens, 1000);
    assert.equal(call.prices, undefined);
  });
});
