import assert from 'node:assert/strict';
import { clearCandidates, type ClearReason, type Protection } from '../../../src/core/compaction/clearCandidates';
import { planMicro } from '../../../src/core/compaction/microPlan';
import type { PlanInput } from '../../../src/core/compaction/planInput';
import { CLEARED_TEXT } from '../../../src/core/micro/compactableTools';
import { toolResultText, type Message } from '../../../src/core/model/message';
import { assistant, user } from '../../support/messages';

interface Step {
  readonly tool: string;
  readonly input?: unknown;
  readonly text?: string;
  readonly isError?: boolean;
  readonly media?: boolean;
}

const long = 'x'.repeat(4000);

/** One call and its result; its id is the position. */
function work(steps: readonly (Step | 'turn')[]): PlanInput {
  const messages = steps.flatMap((step, at): Message[] => {
    if (step === 'turn') return [user(`request ${at}`, { id: `m${at}` })];
    const { tool, input = {}, text = `${long}${at}`, isError } = step;
    const content = step.media === true ? ([{ type: 'image' }] as const) : text;
    return [
      assistant([{ type: 'toolUse', id: `c${at}`, name: tool, input }], { id: `a${at}` }),
      user('', { id: `r${at}`, content: [{ type: 'toolResult', toolUseId: `c${at}`, content, ...(isError === true ? { isError } : {}) }] }),
    ];
  });
  const context = messages.map((_, index) => index);
  return { messages, context, tokens: messages.map(sizeOf), unattributedTokens: 7, revision: 3 };
}

function sizeOf(message: Message): number {
  return message.content.reduce((sum, block) => sum + (block.type === 'toolResult' ? Math.ceil(toolResultText(block).length / 4) : 10), 5);
}

function reasons(steps: readonly (Step | 'turn')[], keep = 1): readonly (readonly [string, ClearReason, Protection | undefined])[] {
  return clearCandidates(work(steps), keep).map(({ toolUseId, reason, protection }) => [toolUseId, reason, protection]);
}

describe('what may be cleared', () => {
  const a = { file_path: '/a.ts' };
  it('a file that is read again whole: superseded', () => {
    assert.deepEqual(reasons([{ tool: 'Read', input: a }, { tool: 'read_file', input: { path: '/a.ts' } }, { tool: 'Bash' }]), [
      ['c0', 'superseded', undefined],
      ['c1', 'none', undefined],
      ['c2', 'none', 'newest'],
    ]);
  });
  it('a later reading of a part takes the place of no other one', () => {
    const [first] = reasons([{ tool: 'Read', input: a }, { tool: 'Read', input: { ...a, offset: 3 } }, { tool: 'Bash' }]);
    assert.deepEqual(first, ['c0', 'none', undefined]);
  });
  it('a file that was changed since: changed; a change that failed does not count', () => {
    const [first] = reasons([{ tool: 'Read', input: a }, { tool: 'Edit', input: a, text: 'done' }, { tool: 'Bash' }]);
    assert.deepEqual(first, ['c0', 'changed', undefined]);
    const [second] = reasons([{ tool: 'Read', input: a }, { tool: 'Edit', input: a, text: 'no', isError: true }, { tool: 'Bash' }]);
    assert.deepEqual(second, ['c0', 'none', undefined]);
  });
  it('the same call with the same answer: duplicate', () => {
    const ls: Step = { tool: 'Bash', input: { command: 'ls' }, text: long };
    assert.deepEqual(reasons([ls, ls, { tool: 'Grep' }])[0], ['c0', 'duplicate', undefined]);
    assert.deepEqual(reasons([ls, { ...ls, text: 'other' }, { tool: 'Grep' }])[0], ['c0', 'none', undefined]);
  });
  it('an error that was got over, and one that was not', () => {
    const failed: Step = { tool: 'Bash', input: { command: 'make' }, isError: true };
    assert.deepEqual(reasons([failed, { tool: 'Bash' }, { tool: 'Bash' }])[0], ['c0', 'error', undefined]);
    assert.deepEqual(reasons([{ tool: 'Bash' }, failed, { tool: 'Grep' }])[1], ['c1', 'none', undefined]);
  });
  it('three turns ago: old', () => {
    const found = reasons(['turn', { tool: 'Bash' }, 'turn', { tool: 'Grep' }, 'turn', 'turn', { tool: 'Bash', input: 1 }]);
    assert.deepEqual(found.slice(0, 2), [
      ['c1', 'old', undefined],
      ['c3', 'none', undefined],
    ]);
  });
  it('a person’s answer, an agent’s report and a picture are never proposed', () => {
    const found = reasons([
      { tool: 'AskUserQuestion' },
      { tool: 'Task' },
      { tool: 'Read', media: true },
      { tool: 'Bash' },
      { tool: 'Bash' },
    ]);
    assert.deepEqual(
      found.map(([, , protection]) => protection),
      ['person', 'person', 'media', undefined, 'newest'],
    );
  });
  it('a cleared result, an empty one and one without its call are none', () => {
    const input = work([{ tool: 'Bash', text: CLEARED_TEXT }, { tool: 'Bash', text: '' }, { tool: 'Bash' }, { tool: 'Bash' }]);
    const orphan = { ...input, context: input.context.filter((index) => input.messages[index]?.id !== 'a2') };
    assert.deepEqual(
      clearCandidates(orphan, 1).map(({ toolUseId }) => toolUseId),
      ['c3'],
    );
  });
  it('names that are keys of every object are names like any other', () => {
    assert.deepEqual(reasons([{ tool: 'constructor' }, { tool: '__proto__' }])[0], ['c0', 'none', 'person']);
  });
});

describe('clearing by hand', () => {
  const steps: readonly (Step | 'turn')[] = ['turn', ...Array.from({ length: 8 }, (): Step => ({ tool: 'Bash' })), { tool: 'Task' }];
  it('clears all but the newest unprotected results', () => {
    const plan = planMicro({ keepResults: 5 }, work(steps), sizeOf);
    assert.ok(plan.outcome === 'plan');
    assert.deepEqual(
      plan.cleared.map(({ toolUseId }) => toolUseId),
      ['c1', 'c2', 'c3'],
    );
    assert.equal(plan.tokensBefore - plan.tokensAfter, 3 * (Math.ceil((long.length + 1) / 4) - Math.ceil(CLEARED_TEXT.length / 4)));
    assert.deepEqual(plan.kept, work(steps).context);
  });
  it('clears what a person chose, protected or not', () => {
    const plan = planMicro({ keepResults: 5, toolUseIds: ['c9', 'c1'] }, work(steps), sizeOf);
    assert.ok(plan.outcome === 'plan');
    assert.deepEqual(
      plan.cleared.map(({ toolUseId }) => toolUseId),
      ['c1', 'c9'],
    );
  });
  it('refuses what cannot be done', () => {
    const of = (keepResults: number, input: PlanInput, toolUseIds?: readonly string[]): unknown => {
      const plan = planMicro({ keepResults, ...(toolUseIds === undefined ? {} : { toolUseIds }) }, input, sizeOf);
      return plan.outcome === 'refusal' ? `${plan.code}/${plan.detail ?? ''}` : plan.outcome;
    };
    assert.equal(of(8, work(steps)), 'nothingToDo/noResults');
    assert.equal(of(1, work(steps), ['nobody']), 'unknownMessage/noResult');
    assert.equal(of(1, work([{ tool: 'Bash', text: 'short' }, { tool: 'Bash' }])), 'notSmaller/fewResults');
    assert.equal(of(NaN, work([{ tool: 'Bash' }])), 'nothingToDo/noResults');
  });
  it('looks at 20,000 results in linear time', () => {
    const input = work(Array.from({ length: 20_000 }, (_, at): Step => ({ tool: 'Read', input: { path: `/f${at % 50}` }, text: `${at}` })));
    const started = process.cpuUsage();
    assert.equal(clearCandidates(input, 5).length, 20_000);
    assert.ok(process.cpuUsage(started).user < 5_000_000);
  });
});
