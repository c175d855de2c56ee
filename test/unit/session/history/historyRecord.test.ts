// Notes of compactions are read from folders that anybody may write to.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseHistory } from '../../../../src/core/session/historyParse';
import { historyFileName, historyText, isCopyId, isHistoryFileName } from '../../../../src/core/session/historyRecord';
import { historyRecord, ID } from './historyRecords';

describe('notes of compactions', () => {
  it('read back as they were written', () => {
    for (const record of [
      historyRecord({}),
      historyRecord({ kind: 'micro', summary: '', summaryId: null, clearedIds: ['toolu_1'] }),
      historyRecord({ cost: { inputTokens: 10, outputTokens: null, usd: 0.25 }, summarizer: 'openai', model: 'gpt-5-mini' }),
      historyRecord({ summary: 'Zeile\u2028eins\ud83d\ude00 \\ "quoted"\n' }),
    ]) {
      assert.deepEqual(parseHistory(`${historyText(record)}\n`), record);
    }
  });

  const bad: readonly (readonly [string, unknown])[] = [
    ['a copy outside of the folder', { copy: { ...historyRecord({}).copy, name: '../settings.json' } }],
    ['a copy on another drive', { copy: { ...historyRecord({}).copy, name: 'C:\\x' } }],
    ['a copy that is the folder', { copy: { ...historyRecord({}).copy, name: '..' } }],
    ['an id that is a command', { id: 'x; rm -rf ~' }],
    ['an id with an end of line', { id: `${ID}\n` }],
    ['no hash', { copy: { name: 'a.jsonl', sha256: 'abc', bytes: 3 } }],
    [
      'an empty source, whose hash everybody knows',
      { source: { ...historyRecord({}).source, state: { kind: 'file', sha256: '0'.repeat(64), bytes: 0 } } },
    ],
    ['a source on another machine', { source: { ...historyRecord({}).source, path: '\\\\server\\share\\s.jsonl' } }],
    ['a source on another machine by slashes', { source: { ...historyRecord({}).source, path: '//server/share/s.jsonl' } }],
    ['another schema', { schema: 'context-inspector/history/v2' }],
    ['an unknown format', { format: 'toString' }],
    ['a kind of our prototypes', { kind: 'constructor' }],
    ['a field more', { command: 'rm' }],
    ['a time that is none', { createdAt: 'yesterday' }],
    ['ids that are no texts', { keptIds: [1] }],
    ['tokens below zero', { tokensAfter: -1 }],
    ['a cost that is no number', { cost: { inputTokens: 1, outputTokens: 1, usd: '1' } }],
  ];
  for (const [name, change] of bad) {
    it(`are not believed with ${name}`, () => {
      assert.equal(parseHistory(JSON.stringify({ ...historyRecord({}), ...(change as object) })), undefined);
    });
  }

  it('are not believed without one of the fields', () => {
    const whole = historyRecord({});
    for (const name of Object.keys(whole)) {
      const rest = Object.fromEntries(Object.entries(whole).filter(([key]) => key !== name));
      assert.equal(parseHistory(JSON.stringify(rest)), undefined, name);
    }
  });

  it('never make the reader throw, whatever they are', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), fc.constant('['.repeat(100_000)), fc.constant('{"a":'.repeat(50_000))), (text) => {
        assert.equal(parseHistory(text), undefined);
      }),
      { seed: 11, numRuns: 200 },
    );
  });

  it('have names that no agent takes for a session, and that name their session alone', () => {
    const name = historyFileName(ID);
    assert.ok(isHistoryFileName(name));
    assert.match(name, /^\./);
    assert.doesNotMatch(name, /\.(?:jsonl?|db|traj|md)$/);
    assert.ok(!isHistoryFileName('.context-inspector-../../x.history'));
    assert.ok(!isHistoryFileName(`${name}.jsonl`));
    assert.ok(isCopyId(`ses_${'0'.repeat(26)}`));
    assert.ok(!isCopyId('ses_short'));
  });
});
