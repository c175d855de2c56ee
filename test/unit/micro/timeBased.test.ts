import assert from 'node:assert/strict';
import type { ContentBlock, Message, ToolResultBlock } from '../../../src/core/model/message';
import { CLEARED_TEXT } from '../../../src/core/micro/compactableTools';
import { DEFAULT_MICROCOMPACT, type MicrocompactOptions } from '../../../src/core/micro/config';
import { isProofOf, proofOf } from '../../../src/core/micro/proofs';
import { clearIdleToolResults } from '../../../src/core/micro/timeBased';
import { assistant, user } from '../../support/messages';

const NOW = 1_800_000_000_000;
const IDLE: MicrocompactOptions = { ...DEFAULT_MICROCOMPACT, source: 'main', keepRecent: 1, lastActivity: NOW - 60 * 60 * 1000 };

function uses(...calls: readonly (readonly [id: string, name: string])[]): Message {
  return assistant(calls.map(([id, name]) => ({ type: 'toolUse', id, name, input: {} })));
}

function answers(...content: readonly ContentBlock[]): Message {
  return user('', { content });
}

function result(toolUseId: string, content: ToolResultBlock['content'] = 'text'): ToolResultBlock {
  return { type: 'toolResult', toolUseId, content };
}

function contents(messages: readonly Message[]): readonly unknown[] {
  return messages.flatMap(({ content }) => content.flatMap((block) => (block.type === 'toolResult' ? [block.content] : [])));
}

describe('clearIdleToolResults', () => {
  it('does nothing until a source is stated', () => {
    const messages = [uses(['a', 'Read'], ['b', 'Read']), answers(result('a'), result('b'))];
    assert.equal(clearIdleToolResults(messages, { ...DEFAULT_MICROCOMPACT, lastActivity: 0 }, NOW).messages, messages);
    assert.equal(clearIdleToolResults(messages, IDLE, NOW).changed, true);
  });

  it('tells two results of one id in one message apart', () => {
    const messages = [uses(['a', 'Read']), answers(result('a', 'one'), result('a', 'two'))];
    assert.deepEqual(contents(clearIdleToolResults(messages, IDLE, NOW).messages), [CLEARED_TEXT, 'two']);
  });

  it('never clears what another tool answered under the same id', () => {
    const messages = [
      uses(['a', 'Read']),
      uses(['a', 'AskUser'], ['b', 'Read'], ['c', 'Read']),
      answers(result('a', 'yes'), result('b'), result('c')),
    ];
    assert.deepEqual(contents(clearIdleToolResults(messages, IDLE, NOW).messages), ['yes', CLEARED_TEXT, 'text']);
  });

  it('clears pictures and results in messages of the tool role too', () => {
    const picture: Message = { ...answers(result('a', [{ type: 'image' }])), role: 'tool' };
    const messages = [uses(['a', 'Read'], ['b', 'Read']), picture, answers(result('b'))];
    const cleared = clearIdleToolResults(messages, IDLE, NOW);
    assert.deepEqual(contents(cleared.messages), [CLEARED_TEXT, 'text']);
    assert.deepEqual(cleared.cleared, ['a']);
  });

  it('counts bytes and not units', () => {
    const messages = [uses(['a', 'Read'], ['b', 'Read']), answers(result('a', '漢'.repeat(20)), result('b'))];
    const { originalBytes, compactedBytes, savedBytes, kept } = clearIdleToolResults(messages, IDLE, NOW);
    assert.deepEqual([originalBytes, compactedBytes, savedBytes, kept], [60, 33, 27, 1]);
  });
});

describe('proofs', () => {
  const failed: ToolResultBlock = { ...result('r', ` ${'漢'.repeat(100)} `), isError: true };

  it('end a summary between characters and say that it is cut', () => {
    const proof = JSON.parse(proofOf('Inspect', failed)) as { readonly error: unknown };
    assert.deepEqual(proof.error, { code: 'tool_result_failed', summary: '漢'.repeat(85), summary_truncated: true });
  });

  it('leave the summary out where the steps of a run are told', () => {
    const run = { logical_execution_committed: true, total_duration_ms: 1, steps: [{ ordinal: 1 }] };
    const proof = JSON.parse(
      proofOf('Run', { ...failed, metadata: new Map([['verification.status', 'failed']]), proof: { run } }),
    ) as JsonProof;
    assert.deepEqual(proof.error, { code: 'tool_result_failed' });
    assert.deepEqual(proof.proof, { revision: { status: 'failed' }, run });
  });

  it('are known again, for their own tool, and not by a look alone', () => {
    const proof = proofOf('Run', failed);
    assert.equal(isProofOf('Run', proof), true);
    assert.equal(isProofOf('Inspect', proof), false);
    assert.equal(isProofOf('Run', `${proof} and more`), false);
    assert.equal(isProofOf('Run', proof.replace('"is_error"', '"else"')), false);
    assert.equal(isProofOf('Run', proof.replace('succeeded', 'x'.repeat(20_000)).replace('failed', 'x'.repeat(20_000))), false);
  });
});

interface JsonProof {
  readonly error: unknown;
  readonly proof: unknown;
}
