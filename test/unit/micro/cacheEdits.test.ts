import assert from 'node:assert/strict';
import type { Message } from '../../../src/core/model/message';
import { planCacheEdits } from '../../../src/core/micro/cacheEdits';
import { EMPTY_CACHE_EDITS } from '../../../src/core/micro/cacheEditState';
import { DEFAULT_MICROCOMPACT, usesCacheEdits, type MicrocompactOptions } from '../../../src/core/micro/config';
import { proofOf } from '../../../src/core/micro/proofs';
import { assistant, user } from '../../support/messages';

const OPTIONS: MicrocompactOptions = {
  ...DEFAULT_MICROCOMPACT,
  source: 'main',
  cacheEdits: true,
  cacheTriggerCount: 1,
  cacheKeepRecent: 1,
};

function pair(id: string, name = 'Read', text = 'text'): readonly Message[] {
  return [
    assistant([{ type: 'toolUse', id, name, input: {} }]),
    user('', { content: [{ type: 'toolResult', toolUseId: id, content: text }] }),
  ];
}

function types(message: Message | undefined): readonly string[] {
  return (message?.content ?? []).map((block) => (block.type === 'unknown' ? block.originalType : block.type));
}

describe('planCacheEdits', () => {
  it('is off by default, for other sources, and without a trigger', () => {
    assert.equal(usesCacheEdits(OPTIONS), true);
    for (const change of [{ cacheEdits: false }, { source: 'other' as const }, { source: undefined }, { cacheTriggerCount: 0 }]) {
      const messages = [...pair('a'), ...pair('b')];
      const planned = planCacheEdits(messages, { ...OPTIONS, ...change }, EMPTY_CACHE_EDITS);
      assert.equal(planned.result.messages, messages);
      assert.equal(planned.state, EMPTY_CACHE_EDITS);
    }
    assert.equal(usesCacheEdits(DEFAULT_MICROCOMPACT), false);
  });

  it('puts orders after the last result, and a text behind them where they would end the message', () => {
    const { result } = planCacheEdits([...pair('a'), ...pair('b')], OPTIONS, EMPTY_CACHE_EDITS);
    assert.deepEqual(result.deleted, ['a']);
    assert.deepEqual(types(result.messages[3]), ['toolResult', 'cache_edits', 'text']);
    assert.deepEqual(result.messages[3]?.content[2], { type: 'text', text: '.' });
    const [, use, answer] = [...pair('a'), ...pair('b')].slice(1);
    const more = { ...answer, content: [...(answer?.content ?? []), { type: 'text', text: 'and' }] } as Message;
    const later = planCacheEdits([...pair('a'), use ?? user(''), more], OPTIONS, EMPTY_CACHE_EDITS);
    assert.deepEqual(types(later.result.messages[3]), ['toolResult', 'cache_edits', 'text']);
  });

  it('makes no orders when a developer message is the latest', () => {
    const developer: Message = { ...user('rules'), role: 'developer' };
    const { result, state } = planCacheEdits([...pair('a'), ...pair('b'), developer], OPTIONS, EMPTY_CACHE_EDITS);
    assert.equal(result.changed, false);
    assert.deepEqual(state.registered, ['a', 'b']);
    assert.deepEqual(state.groups, [['a'], ['b']]);
  });

  it('tells in a ledger, by id, what deleted results of proof tools had proved', () => {
    const long = 'found '.repeat(200);
    const messages = [...pair('z', 'Inspect', long), ...pair('b', 'Run', long), ...pair('c')];
    const { result } = planCacheEdits(messages, OPTIONS, EMPTY_CACHE_EDITS);
    const message = result.messages.at(-1);
    assert.deepEqual(types(message), ['toolResult', 'cache_edits', 'text']);
    const ledger = message?.content[2];
    const proof = (tool: 'Inspect' | 'Run', toolUseId: string): unknown =>
      JSON.parse(proofOf(tool, { type: 'toolResult', toolUseId, content: long }));
    assert.deepEqual(JSON.parse(ledger?.type === 'text' ? ledger.text : ''), {
      schema: 'agentic-v2-cache-proof-ledger/v1',
      entries: [
        { tool_use_id: 'b', proof: proof('Run', 'b') },
        { tool_use_id: 'z', proof: proof('Inspect', 'z') },
      ],
    });
    assert.equal(result.reclaimedBytes, long.length * 2);
    assert.equal(result.savedBytes, result.reclaimedBytes - result.proofBytes);
  });

  it('puts no earlier orders into a history that has no such message any more', () => {
    const first = planCacheEdits([...pair('a'), ...pair('b')], OPTIONS, EMPTY_CACHE_EDITS);
    const other = [user('new'), assistant('start')];
    const next = planCacheEdits(other, OPTIONS, first.state);
    assert.deepEqual(next.result.messages, other);
  });
});
