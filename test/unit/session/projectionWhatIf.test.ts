// What a projection would do to the context of an agent that has none: its decision, its reasons, and the sizes.
import assert from 'node:assert/strict';
import type { Message } from '../../../src/core/model/message';
import { inspectTranscript } from '../../../src/core/session/inspection';
import { projectionWhatIf, type ProjectionWhatIf } from '../../../src/core/session/projectionWhatIf';
import { typedContext } from '../../../src/core/session/projectionTyped';
import { present } from '../../../src/core/util/present';
import { assistant, reported, user } from '../../support/messages';
import { transcriptOf } from '../../support/transcriptOf';

let ids = 0;

/** A call and its result. */
function uses(name: string, input: unknown, output: string, isError = false): readonly Message[] {
  const id = `t${ids++}`;
  return [
    assistant([{ type: 'toolUse', id, name, input }]),
    user('', { content: [{ type: 'toolResult', toolUseId: id, content: output, ...(isError ? { isError } : {}) }] }),
  ];
}

const LONG = Array.from({ length: 400 }, (_, line) => `${line + 1}→const value${line} = ${line};`).join('\n');
const read = (path: string, output = LONG): readonly Message[] => uses('Read', { file_path: path }, output);
const edits = (isError = false): readonly Message[] => uses('Edit', { file_path: '/a.ts' }, 'The file /a.ts has been updated.', isError);
const greps = (pattern: string): readonly Message[] => uses('Grep', { pattern, path: '/src' }, LONG);

/** A context whose last answer reports its size and what the cache gave. */
function whatIf(
  messages: readonly Message[],
  { prompt = 100_000, cached = 0, model = 'claude-opus-4-5' } = {},
): ProjectionWhatIf | undefined {
  const last = assistant('Done.', { model, ...reported(prompt - cached, 100, cached) });
  const named = [...messages, last].map((message, index) => ({ ...message, id: `m${index}` }));
  return projectionWhatIf(inspectTranscript(transcriptOf(named, { model }), {}));
}

function kept(found: ProjectionWhatIf | undefined): readonly string[] {
  return present(found)
    .results.toSorted((a, b) => a.index - b.index)
    .map(({ form, keptBecause }) => keptBecause ?? form);
}

const WORK = [user('q'), ...read('/a.ts'), ...read('/b.ts'), ...read('/c.ts'), ...greps('value'), ...edits()];

describe('projection as a what-if', () => {
  it('shortens what was read before the last change of a file, where that pays', () => {
    const found = present(whatIf(WORK));
    assert.deepEqual([found.admitted, found.reason], [true, 'netSavings']);
    assert.deepEqual(kept(found), ['rewrite', 'rewrite', 'newest', 'newest', 'otherTool']);
    assert.ok(found.tokensAfter < found.tokensBefore - 4000);
    assert.ok((found.netSavingsUsd ?? 0) > 0);
    const [first] = found.results;
    assert.deepEqual([first?.tool, first?.about, first?.index], ['Read', '/a.ts', 2]);
    assert.ok(present(first).tokensAfter < present(first).tokensBefore / 4);
    const saved = found.results.reduce((sum, result) => sum + result.tokensBefore - result.tokensAfter, 0);
    assert.equal(found.tokensBefore - found.tokensAfter, saved);
  });

  it('keeps all where a warm cache would have to be written anew', () => {
    const found = present(whatIf(WORK, { cached: 99_000 }));
    assert.deepEqual([found.admitted, found.reason], [false, 'cost']);
    assert.ok((found.netSavingsUsd ?? 0) < 0);
  });

  it('decides nothing by a guess', () => {
    assert.equal(present(whatIf(WORK, { model: 'nobody-knows-this-one' })).reason, 'unknownPricing');
    const named = WORK.map((message, index) => ({ ...message, id: `m${index}` }));
    const unreported = present(
      projectionWhatIf(inspectTranscript(transcriptOf([...named, assistant('Done.')], { model: 'claude-opus-4-5' }), {})),
    );
    assert.deepEqual([unreported.reason, unreported.netSavingsUsd], ['incompleteEstimate', undefined]);
  });

  it('is not worth it for little', () => {
    const found = present(whatIf([user('q'), ...read('/a.ts', LONG.slice(0, 1500)), ...read('/b.ts'), ...read('/c.ts'), ...edits()]));
    assert.deepEqual([found.admitted, found.reason, found.netSavingsUsd], [false, 'tokenSavings', undefined]);
  });

  it('is too early before a file was changed and while the limit is far, and shows what it would be near the limit', () => {
    const found = present(whatIf([user('q'), ...read('/a.ts'), ...read('/b.ts'), ...read('/c.ts')]));
    assert.deepEqual([found.admitted, found.reason], [false, 'tooEarly']);
    assert.ok(found.tokensAfter < found.tokensBefore);
  });

  it('comes by itself near the limit', () => {
    const found = present(whatIf([user('q'), ...read('/a.ts'), ...read('/b.ts'), ...read('/c.ts')], { prompt: 165_000 }));
    assert.notEqual(found.reason, 'tooEarly');
  });

  it('waits while the newest change has failed, and until an answer has seen a result', () => {
    assert.equal(present(whatIf([user('q'), ...read('/a.ts'), ...edits(true)])).reason, 'patchFailed');
    const named = [user('q'), ...read('/a.ts')].map((message, index) => ({ ...message, id: `m${index}` }));
    const unseen = present(projectionWhatIf(inspectTranscript(transcriptOf(named), {})));
    assert.equal(unseen.reason, 'notAnswered');
    assert.deepEqual(kept(unseen), ['notAnswered']);
  });

  it('says for each result why it stays whole', () => {
    const picture: Message = user('', { content: [{ type: 'toolResult', toolUseId: 'p', content: [{ type: 'image' }] }] });
    const found = whatIf([
      user('q'),
      ...read('/gone.ts', 'x').map((message, at) =>
        at === 0
          ? message
          : { ...message, content: message.content.map((block) => (block.type === 'toolResult' ? { ...block, isError: true } : block)) },
      ),
      assistant([{ type: 'toolUse', id: 'p', name: 'Read', input: { file_path: '/a.png' } }]),
      picture,
      ...uses('Task', { prompt: 'look' }, LONG),
      ...read('/short.ts', '1→a'),
      ...read('/a.ts'),
      ...read('/b.ts'),
      ...read('/c.ts'),
      ...edits(),
      ...read('/later.ts'),
    ]);
    assert.deepEqual(kept(found), ['failed', 'media', 'otherTool', 'notShorter', 'rewrite', 'newest', 'newest', 'otherTool', 'inUse']);
  });

  it('has nothing to say of a context without results, and changes nothing', () => {
    assert.equal(whatIf([user('q')]), undefined);
    const before = JSON.stringify(WORK);
    whatIf(WORK);
    assert.equal(JSON.stringify(WORK), before);
  });

  it('reads look-ups of a shell as what they look at, and other commands as runs', () => {
    const tools = (command: string): unknown =>
      typedContext(uses('exec_command', { cmd: command }, `Process exited with code 0\nOutput:\n${LONG}`)).results.map(
        ({ tool }) => tool,
      )[0];
    assert.deepEqual([tools('sed -n 1,40p src/a.ts'), tools('rg -n value src'), tools('npm test')], ['Inspect', 'Inspect', 'Run']);
  });
});
