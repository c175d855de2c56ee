import assert from 'node:assert/strict';
import { ControlAuthority, type Scope } from '../../../src/core/boundary/authority';
import type { Message } from '../../../src/core/model/message';
import { stripReplacementRecords } from '../../../src/core/prepare/stripRuntime';
import { appendRecords, replayRecords } from '../../../src/core/toolResults/replacementRecords';
import type { ReplacementRecord } from '../../../src/core/toolResults/replacementState';
import { assistant, results, user } from '../../support/messages';

const RECORD: ReplacementRecord = { kind: 'tool-result', toolUseId: 't1', replacement: 'short' };
const SCOPE: Scope = { sessionId: 's', project: 'p', generation: 0 };
const HISTORY: readonly Message[] = [user('go'), assistant('ok'), results('t1', 't2')];

describe('records of replaced results', () => {
  const authority = new ControlAuthority();
  const seal = (message: Message): Message => authority.seal(message, SCOPE);
  const recognisesIn = (scope: Scope) => (message: Message) => authority.recognises(message, scope);

  it('go into the latest user message and come back for the same scope alone', () => {
    const kept = appendRecords(HISTORY, [RECORD], seal);
    assert.equal(kept.length, HISTORY.length);
    assert.deepEqual(kept.slice(0, 2), HISTORY.slice(0, 2));
    const state = replayRecords(kept, recognisesIn(SCOPE));
    assert.deepEqual([...state.replacements], [['t1', 'short']]);
    assert.deepEqual([...state.seen], ['t1', 't2']);
    for (const other of [
      { ...SCOPE, generation: 1 },
      { ...SCOPE, project: 'q' },
      { ...SCOPE, sessionId: 'r' },
    ]) {
      assert.equal(replayRecords(kept, recognisesIn(other)).replacements.size, 0);
    }
    assert.equal(replayRecords(structuredClone(kept), recognisesIn(SCOPE)).replacements.size, 0);
  });

  it('never cross a developer message, and change nothing without records or a user message', () => {
    const developer: Message = { ...user('rules'), role: 'developer' };
    for (const messages of [[...HISTORY, developer], [developer], [], [assistant('a')]]) {
      assert.equal(appendRecords(messages, [RECORD], seal), messages);
    }
    assert.equal(appendRecords(HISTORY, [], seal), HISTORY);
  });

  it('hold as they were made first, and are ignored where they are damaged or about nothing', () => {
    const later = appendRecords(HISTORY, [RECORD, { ...RECORD, replacement: 'other' }, { ...RECORD, toolUseId: 'gone' }], seal);
    assert.deepEqual([...replayRecords(later, recognisesIn(SCOPE)).replacements], [['t1', 'short']]);
    const odd = [
      '',
      '[]',
      '{"kind":"tool-result","tool_use_id":1,"replacement":"x"}',
      '{"kind":"else","tool_use_id":"t1","replacement":"x"}',
    ];
    const content = odd.map((raw) => ({ type: 'unknown' as const, originalType: 'content_replacement', raw }));
    const damaged = seal({ ...results('t1'), content: [...results('t1').content, ...content] });
    assert.equal(replayRecords([damaged], recognisesIn(SCOPE)).replacements.size, 0);
  });

  it('leave the view of a provider', () => {
    assert.deepEqual(stripReplacementRecords(appendRecords(HISTORY, [RECORD], seal)), HISTORY);
  });
});
