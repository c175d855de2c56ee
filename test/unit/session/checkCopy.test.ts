import assert from 'node:assert/strict';
import { checkCopy } from '../../../src/core/session/checkCopy';
import { buildCopy } from '../../../src/core/session/copy/copyWriter';
import { WIRE_FORMS } from '../../support/wireSessions';
import { copyInput, planFor, session, SUMMARY } from './copy/roundTrip';

const TURNS = [0, 1, 2].map((turn) => ({ asked: `question ${turn}`, calls: [], said: `answer ${turn}` }));

/** What is wrong with the records of a copy after a change; the copy itself is right. */
function faultsOf(
  name: string,
  kind: 'partialUpTo' | 'partialFrom',
  change: (records: readonly string[]) => readonly string[],
): readonly string[] {
  const form = WIRE_FORMS.find((one) => one.name === name);
  assert.ok(form);
  const source = session(form.render(TURNS));
  const { messages } = source.transcript;
  const pivotId = messages.find(({ content }) => content[0]?.type === 'text' && content[0].text === 'question 1')?.id ?? '';
  const plan = planFor(source, kind === 'partialUpTo' ? { kind, pivotId } : { kind, pivotId });
  assert.ok(plan);
  const input = copyInput(source, plan);
  const { records } = buildCopy(input);
  assert.deepEqual(checkCopy(input, records).faults, []);
  return checkCopy(input, change(records)).faults;
}

const without =
  (at: number) =>
  (records: readonly string[]): readonly string[] =>
    records.filter((_, index) => index !== at);
const swapped = (records: readonly string[], one: number, other: number): readonly string[] =>
  records.map((record, index) => (index === one ? (records[other] ?? '') : index === other ? (records[one] ?? '') : record));

describe('the check of a copy', () => {
  it('finds that the summary is missing, or in the wrong place', () => {
    assert.deepEqual(faultsOf('openai-chat lines', 'partialUpTo', without(1)), ['the summary is not in the context']);
    assert.ok(
      faultsOf('openai-chat lines', 'partialUpTo', (records) => swapped(records, 1, 2)).includes('the summary stands in the wrong place'),
    );
    assert.ok(
      faultsOf('openai-chat lines', 'partialFrom', (records) => swapped(records, records.length - 1, records.length - 2)).includes(
        'the summary stands in the wrong place',
      ),
    );
  });

  it('finds a summary that is an instruction', () => {
    assert.ok(
      faultsOf('openai-chat lines', 'partialUpTo', () => [JSON.stringify({ role: 'system', content: SUMMARY })]).includes(
        'the summary stands in the wrong place',
      ),
    );
  });

  it('finds that nobody thanks for the summary, where the agent does', () => {
    const thanks = 'nothing stands for the answer to the summary';
    assert.ok(faultsOf('gemini', 'partialUpTo', without(2)).includes(thanks));
    assert.ok(faultsOf('gemini', 'partialFrom', (records) => records.slice(0, -1)).includes(thanks));
  });

  it('finds messages that are missing, added or changed', () => {
    assert.deepEqual(faultsOf('openai-chat lines', 'partialUpTo', without(3)), [
      '5 messages are kept but 4 were copied',
      'kept message 2 is not as it was',
    ]);
    assert.deepEqual(
      faultsOf('openai-chat lines', 'partialUpTo', (records) => records.map((record) => record.replace('answer 2', 'answer 3'))),
      ['kept message 4 is not as it was'],
    );
  });

  it('finds usage that was carried over, on messages and beside them', () => {
    const usage = '"usage":{"input_tokens":5,"output_tokens":6}';
    assert.deepEqual(
      faultsOf('anthropic-messages lines', 'partialUpTo', (records) =>
        records.map((record) => (record.includes('"assistant"') ? record.replace('{', `{${usage},`) : record)),
      ),
      ['usage was carried over'],
    );
    const tokens = { input_tokens: 9, cached_input_tokens: 0, output_tokens: 1, reasoning_output_tokens: 0, total_tokens: 10 };
    const info = { total_token_usage: tokens, last_token_usage: tokens, model_context_window: 1000 };
    const report = JSON.stringify({ timestamp: '2026-01-01T00:00:00Z', type: 'event_msg', payload: { type: 'token_count', info } });
    assert.deepEqual(
      faultsOf('codex', 'partialUpTo', (records) => [...records, report]),
      ['usage was carried over'],
    );
  });

  it('finds damage that the original does not have', () => {
    assert.deepEqual(
      faultsOf('claude-code', 'partialUpTo', (records) => [...records, '{"torn":']),
      ['reading it back reports bad_json'],
    );
  });
});
