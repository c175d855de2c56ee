import assert from 'node:assert/strict';
import { CompactError } from '../../../src/core/errors/compactError';
import { SUMMARY_SCHEMA } from '../../../src/core/prompts/envelope';
import { HostModels, type ModelQuestion } from '../../../src/node/engine/hostModels';
import { user } from '../../support/messages';

const REQUEST = { messages: [user('do it')], direction: undefined, instructions: '', maxOutputTokens: 500 };
const REPLY = JSON.stringify({ schema: SUMMARY_SCHEMA, summary: 'All is done.' });

function models(): { readonly hub: HostModels; readonly asked: ModelQuestion[]; readonly stopped: string[] } {
  const asked: ModelQuestion[] = [];
  const stopped: string[] = [];
  const hub = new HostModels(
    (question) => asked.push(question),
    (callId) => stopped.push(callId),
  );
  return { hub, asked, stopped };
}

describe('models that only the host can reach', () => {
  it('asks the host and reads its answer like any model’s', async () => {
    const { hub, asked } = models();
    const received: number[] = [];
    const summary = hub.summarizer('Stand-In').summarize(REQUEST, new AbortController().signal, (count) => received.push(count));
    assert.deepEqual(
      asked.map(({ turns }) => turns.map(({ role }) => role)),
      [['system', 'user']],
    );
    const [{ callId } = { callId: '' }] = asked;
    hub.answer('another', { kind: 'text', text: 'no' });
    hub.answer(callId, { kind: 'received', characters: 3 });
    hub.answer(callId, { kind: 'text', text: REPLY });
    assert.equal((await summary).text, 'All is done.');
    assert.deepEqual(received, [3]);
  });

  it('asks once more for the right form, and then gives up', async () => {
    const { hub, asked } = models();
    const summary = hub.summarizer('Stand-In').summarize(REQUEST, new AbortController().signal);
    const answer = async (at: number): Promise<void> => {
      hub.answer(asked[at]?.callId ?? '', { kind: 'text', text: 'Here it is.' });
      await new Promise((done) => setTimeout(done, 5));
    };
    const failed = assert.rejects(summary, (error) => error instanceof CompactError && error.code === 'noSummary');
    await answer(0);
    await answer(1);
    await failed;
    assert.equal(asked.length, 2);
  });

  it('passes the host’s failure on, and tells the host of an abort', async () => {
    const { hub, asked, stopped } = models();
    const first = hub.summarizer('Stand-In').summarize(REQUEST, new AbortController().signal);
    hub.answer(asked[0]?.callId ?? '', { kind: 'failure', code: 'consentRequired', message: 'Not allowed.' });
    await assert.rejects(first, (error) => error instanceof CompactError && error.code === 'consentRequired');
    const controller = new AbortController();
    const second = hub.summarizer('Stand-In').summarize(REQUEST, controller.signal);
    controller.abort();
    await assert.rejects(second, (error) => error instanceof CompactError && error.code === 'aborted');
    assert.deepEqual(stopped, [asked[1]?.callId]);
  });
});
