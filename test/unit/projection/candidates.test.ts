import assert from 'node:assert/strict';
import { toolResultText, type Message, type ToolResultBlock } from '../../../src/core/model/message';
import { projectToolResults } from '../../../src/core/projection/apply';
import { supportsAction } from '../../../src/core/projection/candidates';
import { projectableTool } from '../../../src/core/projection/rewrites';
import { PERSISTED_OPEN } from '../../../src/core/toolResults/preview';
import { EMPTY_REPLACEMENTS } from '../../../src/core/toolResults/replacementState';
import { conversationOf, COLD, inspectResult, runResult } from '../../support/inspections';

const UNDER_PRESSURE = { ...COLD, pressure: true, minTokenSavings: 1 };
const NEWEST = { name: 'Inspect', result: inspectResult('newest', 400) };

/** Ids that are projected when the given result is the older of two. */
function projected(result: ToolResultBlock, name = 'Inspect'): readonly string[] {
  return idsOf(conversationOf([{ name, result }, NEWEST]));
}

function idsOf(messages: readonly Message[]): readonly string[] {
  return projectToolResults(messages, EMPTY_REPLACEMENTS, UNDER_PRESSURE).records.map(({ toolUseId }) => toolUseId);
}

describe('what may be projected', () => {
  const good = inspectResult('old', 4000);

  it('takes a consumed Inspect result and spares the newest', () => {
    assert.deepEqual(projected(good), ['old']);
    assert.deepEqual(projected(good, 'INSPECT'), ['old']);
  });

  const refused: readonly [string, ToolResultBlock][] = [
    ['failed', { ...good, isError: true, outcome: 'failed' }],
    ['an error in spite of its outcome', { ...good, isError: true }],
    ['cancelled', { ...good, outcome: 'cancelled' }],
    ['no outcome stated', { type: 'toolResult', toolUseId: 'old', content: good.content, proof: { inspect: {} } }],
    ['no statement of its work', { ...good, proof: { run: {} } }],
    ['a statement that holds an error', { ...good, proof: { inspect: { error_codes: ['not_found'] } } }],
    ['a statement with something deep in it', { ...good, proof: { inspect: { nested: { deep: 1 } } } }],
    ['an error code beside it', { ...good, metadata: new Map([['error.code', 'x']]) }],
    ['an error code of the tool', { ...good, metadata: new Map([['inspect.error_code', 'x']]) }],
    ['a reason of the scheduler', { ...good, metadata: new Map([['schedule.reason', 'x']]) }],
    ['no JSON', { ...good, content: 'word '.repeat(4000) }],
    ['no evidence', { ...good, content: JSON.stringify({ evidence: [], note: 'x'.repeat(9000) }) }],
    ['evidence under an inherited name', { ...good, content: `{"__proto__":{"evidence":[{"path":"a"}]},"note":"${'x'.repeat(9000)}"}` }],
    ['a picture', { ...good, content: [{ type: 'text', text: toolResultText(good) }, { type: 'image' }] }],
    ['kept in a file', { ...good, content: `${PERSISTED_OPEN}${toolResultText(good)}` }],
    ['no longer than its short form', inspectResult('old', 3)],
    ['empty', { ...good, content: '' }],
  ];
  for (const [name, result] of refused) it(`keeps a result: ${name}`, () => assert.deepEqual(projected(result), []));

  it('keeps a tool that is not allowed', () => assert.deepEqual(projected(runResult('old', 4000), 'Run'), []));

  it('keeps an id that two calls or two results share', () => {
    const twoCalls = conversationOf([
      { name: 'Inspect', result: good },
      { name: 'AskUser', result: { ...good, toolUseId: 'x' } },
      NEWEST,
    ]).map((message) => ({
      ...message,
      content: message.content.map((block) => (block.type === 'toolUse' && block.name === 'AskUser' ? { ...block, id: 'old' } : block)),
    }));
    assert.deepEqual(idsOf(twoCalls), []);
    assert.deepEqual(idsOf(conversationOf([{ name: 'Inspect', result: good }, { name: 'Inspect', result: good }, NEWEST])), []);
  });

  it('keeps what no later response has seen, also between fragments of one response', () => {
    const steps = [{ name: 'Inspect', result: good }, NEWEST];
    assert.deepEqual(idsOf(conversationOf([{ name: 'Inspect', result: good }], true)), []);
    const fragments = conversationOf(steps).map((message) => (message.role === 'assistant' ? { ...message, messageId: 'one' } : message));
    assert.deepEqual(idsOf(fragments), []);
    const errorAtEnd = conversationOf(steps).map((message, index) => (index === 5 ? { ...message, kind: 'apiError' as const } : message));
    // The error says nothing of the model: its latest response is the call of the newest result, which has seen the old one only.
    assert.deepEqual(idsOf(errorAtEnd), []);
  });
});

describe('actions that a helper proposes', () => {
  const inspect = inspectResult('i', 4000);
  const rows: readonly [tool: string, result: ToolResultBlock, action: string, expected: boolean][] = [
    ['Inspect', inspect, 'KEEP', true],
    ['Unknown', inspect, 'keep', true],
    ['inspect', inspect, 'Rewrite', true],
    ['Inspect', inspect, 'INDEX', true],
    ['Inspect', inspect, 'DROP', false],
    ['Inspect', inspect, 'constructor', false],
    ['Run', runResult('r', 4000), 'REWRITE', true],
    ['Run', runResult('r', 4000), 'INDEX', false],
    ['Run', runResult('r', 3), 'REWRITE', false],
    ['Read', inspect, 'REWRITE', false],
  ];
  for (const [tool, result, action, expected] of rows) {
    it(`${tool} ${action} ${toolResultText(result).length}: ${expected}`, () => {
      assert.equal(supportsAction(tool, result, action), expected);
    });
  }

  it('knows three tools in any case', () => {
    assert.deepEqual(['inspect', ' RUN ', 'ApplyPatch', 'Read', '__proto__'].map(projectableTool), [
      'Inspect',
      'Run',
      'ApplyPatch',
      undefined,
      undefined,
    ]);
  });
});
