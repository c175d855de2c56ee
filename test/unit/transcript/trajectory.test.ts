import assert from 'node:assert/strict';
import { readTranscript } from '../../../src/core/transcript/readTranscript';

const run = (...texts: readonly string[]): string =>
  JSON.stringify({
    schema_version: 'ATIF-v1.4',
    session_id: 's',
    agent: { name: 'a', version: '1' },
    steps: texts.map((message, at) => ({ step_id: at + 1, source: 'user', message })),
  });

describe('a run that is written as one document', () => {
  it('takes the place of the one before it, and says what it leaves', () => {
    const { messages, diagnostics } = readTranscript(Buffer.from(`${run('one', 'two')}\n${run('three')}\n`));
    assert.deepEqual(
      messages.map(({ line }) => line),
      [2],
    );
    assert.deepEqual(diagnostics, [{ line: 1, code: 'abandoned_branch', severity: 'info', detail: '2 messages' }]);
  });

  it('alone leaves nothing, and neither does one without messages', () => {
    assert.deepEqual(readTranscript(Buffer.from(run('one'))).diagnostics, []);
    assert.deepEqual(readTranscript(Buffer.from(`${run()}\n${run('three')}\n`)).diagnostics, []);
  });
});
