// Previews and runs through the engine, as the host asks for them.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { QUOTES_HEADING } from '../../../src/core/compaction/quotes';
import type { PlanRequestView, PlanView, PutBackView, RunView } from '../../../src/core/protocol/planView';
import { createEngine } from '../../../src/node/engine/engine';
import { inFolder } from '../../support/folders';
import { longSessionLines } from '../../support/longSession';

const OPTIONS = { tokenizer: 'chars', windowTokens: 200_000 } as const;
const never = new AbortController().signal;

interface Opened {
  readonly engine: ReturnType<typeof createEngine>;
  readonly handle: string;
  readonly folder: string;
  readonly events: readonly [string, unknown][];
  readonly preview: (request: PlanRequestView, signal?: AbortSignal) => Promise<PlanView>;
}

/** A session of 30 turns, each with a call, whose numbers are all different; some of them are told nowhere else. */
async function withSession(body: (opened: Opened) => Promise<void>, turns = 30): Promise<void> {
  await inFolder(async (folder) => {
    const path = join(folder, 'session.jsonl');
    const lines = longSessionLines(turns).map((line, at) =>
      line.replace('exports one constant', `exports constant_${at} of ${7000 + at} ms`),
    );
    writeFileSync(path, `${lines.join('\n')}\n`);
    const events: [string, unknown][] = [];
    const engine = createEngine((name, value) => {
      events.push([name, value]);
      if (name === 'model/asked' && 'callId' in value && 'turns' in value) {
        const answer = { kind: 'text', text: 'I cannot do that.' } as const;
        void engine.handlers['model/answer']({ callId: value.callId, answer }, never);
      }
    });
    try {
      const { handle } = await engine.handlers['session/open']({ path, options: OPTIONS, watch: false, pollMs: 2000 }, never);
      const preview: Opened['preview'] = (request, signal = never) => engine.handlers['compaction/preview']({ handle, request }, signal);
      await body({ engine, handle, folder, events, preview });
    } finally {
      engine.dispose();
    }
  });
}

function planOf(view: PlanView): Extract<PlanView, { outcome: 'plan' }> {
  assert.ok(view.outcome === 'plan', JSON.stringify(view));
  return view;
}

function microOf(view: PlanView): Extract<PlanView, { outcome: 'micro' }> {
  assert.ok(view.outcome === 'micro', JSON.stringify(view));
  return view;
}

function writtenOf(view: RunView): Extract<RunView, { outcome: 'written' }> {
  assert.ok(view.outcome === 'written', JSON.stringify(view));
  return view;
}

/** The first lost things of a view, as a page names them. */
function lostIn(view: { readonly lost: Extract<PlanView, { outcome: 'plan' }>['lost'] }, count: number): readonly PutBackView[] {
  return view.lost.groups.flatMap(({ kind, items }) => items.map(({ value, messageId }) => ({ kind, value, messageId }))).slice(0, count);
}

describe('plans through the engine', function () {
  this.timeout(60_000);

  it('are made at a place, by turns and by tokens, with the cuts beside them', () =>
    withSession(async ({ preview }) => {
      const whole = planOf(await preview({ kind: 'partialUpTo', position: 60 }));
      assert.deepEqual([whole.cutPosition, whole.previousPosition, whole.nextPosition], [60, 59, 61]);
      assert.deepEqual([whole.contextCount, whole.keptTurns], [120, 15]);
      assert.equal(planOf(await preview({ kind: 'partialUpTo', keepTurns: 15 })).cutPosition, 60);
      assert.equal(planOf(await preview({ kind: 'partialUpTo', keepTurns: 14 })).cutPosition, 64);
      const tokens = planOf(await preview({ kind: 'partialUpTo', keepTokens: 5_000 }));
      assert.ok(tokens.tokensKept >= 5_000 && tokens.tokensKept < 7_000);
      const from = planOf(await preview({ kind: 'partialFrom', position: 62 }));
      assert.deepEqual([from.cutPosition, from.keptTurns], [63, 15]);
      const named = await preview({ kind: 'partialUpTo', pivotId: 'nobody', position: 60 });
      assert.ok(named.outcome === 'refusal' && named.code === 'unknownMessage');
    }));

  it('tell safety, refill, cost and what is lost; the figures alone tell no summary', () =>
    withSession(async ({ preview }) => {
      const request = { kind: 'partialUpTo', position: 60, detail: 'brief' } as const;
      const whole = planOf(await preview(request));
      const figures = planOf(await preview({ ...request, figuresOnly: true }));
      assert.ok(whole.figuresOnly === undefined && figures.figuresOnly === true);
      assert.ok(whole.safety.some(({ kind, fate }) => kind === 'lastRequest' && fate === 'kept'));
      assert.ok(whole.safety.some(({ kind, fate }) => kind === 'constraint' && fate !== 'kept'));
      assert.ok(whole.refillTurns !== null && whole.refillTurns > 0);
      assert.ok(whole.cost !== null && whole.cost.summaryUsd === 0 && whole.cost.cacheRewriteTokens > 0);
      assert.ok(whole.lost.count > 0 && whole.summaryPreview !== '');
      assert.deepEqual([figures.safety, figures.lost.count, figures.summaryPreview], [[], 0, '']);
      assert.deepEqual([figures.cutPosition, figures.previousPosition, figures.keptIds], [60, 59, whole.keptIds]);
      const share = figures.summaryTokens / whole.summaryTokens;
      assert.ok(share > 0.8 && share < 2, `${figures.summaryTokens} ${whole.summaryTokens}`);
    }));

  it('follow the summarizer, its price and the detail that are asked for', () =>
    withSession(async ({ engine, handle, preview }) => {
      const pricing = { 'our-*': { input: 10, output: 50 } };
      await engine.handlers['session/options']({ handle, options: { ...OPTIONS, pricing, summarizerModel: 'our-model' } }, never);
      const request = { kind: 'full', keepMessages: 4 } as const;
      const offline = planOf(await preview(request));
      const model = planOf(await preview({ ...request, summarizer: 'openai' }));
      assert.ok(model.cost !== null && (model.cost.summaryUsd ?? 0) > 0 && model.cost.summaryInputTokens > model.tokensSummarized / 2);
      assert.ok(model.summaryTokens > offline.summaryTokens);
      const editor = planOf(await preview({ ...request, summarizer: 'vscode' }));
      assert.ok(editor.cost !== null && editor.cost.summaryUsd === null && editor.cost.summaryInputTokens > 0);
      const sizes = [];
      for (const detail of ['brief', 'normal', 'full'] as const) sizes.push(planOf(await preview({ ...request, detail })).summaryTokens);
      const [brief = 0, normal = 0, full = 0] = sizes;
      assert.ok(brief < normal && normal <= full, sizes.join(' '));
    }));

  it('can be given up between their steps', () =>
    withSession(async ({ preview }) => {
      const controller = new AbortController();
      const asked = preview({ kind: 'full', keepMessages: 4 }, controller.signal);
      setImmediate(() => controller.abort());
      await assert.rejects(asked, { code: 'aborted' });
    }));

  it('quote what is put back, count it, and lose it no more', () =>
    withSession(async ({ engine, handle, preview }) => {
      const plan = planOf(await preview({ kind: 'full', keepMessages: 4, detail: 'brief' }));
      const putBack = lostIn(plan, 3);
      assert.equal(putBack.length, 3);
      const params = { handle, planId: plan.planId, summarizer: { kind: 'offline' }, instructions: '' } as const;
      const { view } = await engine.handlers['compaction/run']({ ...params, putBack }, never);
      const written = writtenOf(view);
      assert.ok(written.summary.includes(`\n${QUOTES_HEADING}\n`));
      for (const { value } of putBack) assert.ok(written.summary.split(QUOTES_HEADING)[1]?.includes(`\n${value}\n`), value);
      assert.ok(written.tokensAfter > plan.tokensAfter && written.lost.count <= plan.lost.count - putBack.length);
      const forged = { ...putBack[0], value: 'rm -rf /' } as PutBackView;
      const refused = await engine.handlers['compaction/run']({ ...params, putBack: [forged] }, never);
      assert.ok(refused.view.outcome === 'refused' && refused.view.code === 'staleSource' && refused.path === null);
    }));

  it('quote in a copy that was written already, without asking again, and leave the first copy', () =>
    withSession(async ({ engine, handle, folder, preview, events }) => {
      const plan = planOf(await preview({ kind: 'full', keepMessages: 4, detail: 'brief' }));
      const params = { handle, planId: plan.planId, summarizer: { kind: 'offline' }, instructions: '' } as const;
      const first = writtenOf((await engine.handlers['compaction/run'](params, never)).view);
      const items = lostIn(first, 2);
      const putBack = engine.handlers['compaction/putBack'];
      const { view, path } = await putBack({ handle, newSessionId: first.newSessionId, items }, never);
      const second = writtenOf(view);
      assert.ok(path !== null && basename(path) === second.fileName && second.fileName !== first.fileName);
      assert.ok(second.summary.startsWith(first.summary) && readFileSync(path, 'utf8').includes('Put back at the user'));
      assert.ok(readdirSync(folder).includes(first.fileName));
      const [item] = lostIn(second, 1);
      assert.ok(item !== undefined && !items.some(({ value }) => value === item.value));
      const third = writtenOf((await putBack({ handle, newSessionId: second.newSessionId, items: [item] }, never)).view);
      for (const { value } of [...items, item]) assert.ok(third.summary.split(QUOTES_HEADING)[1]?.includes(value));
      assert.equal(third.summary.split(QUOTES_HEADING).length, 2);
      assert.ok(!events.some(([name]) => name === 'model/asked'));
      for (const params of [
        { newSessionId: 'none', items },
        { newSessionId: first.newSessionId, items: [{ ...item, messageId: 'x' }] },
      ]) {
        const refused = await putBack({ handle, ...params }, never);
        assert.ok(refused.view.outcome === 'refused' && refused.view.code === 'staleSource');
      }
    }));

  it('clear results that a person ticks, while the choice is still too small too', () =>
    withSession(async ({ engine, handle, preview }) => {
      const all = microOf(await preview({ kind: 'micro' }));
      assert.deepEqual([all.resultCount, all.clearedCount, all.problem], [30, 25, null]);
      assert.equal(all.freedTokens, all.tokensBefore - all.tokensAfter);
      assert.ok(all.results.filter(({ protection }) => protection === 'newest').length === 5 && all.refillTurns !== null);
      assert.equal(sum(all.before), sum(all.after) + all.freedTokens);
      const none = microOf(await preview({ kind: 'micro', clear: [] }));
      assert.ok(none.clearedCount === 0 && none.problem !== null && none.freedTokens === 0);
      const params = { handle, summarizer: { kind: 'offline' }, instructions: '' } as const;
      const refused = await engine.handlers['compaction/run']({ ...params, planId: none.planId }, never);
      assert.ok(refused.view.outcome === 'refused' && refused.view.code === 'nothingToDo');
      const some = microOf(
        await preview({ kind: 'micro', clear: ['toolu_2', 'toolu_29', 'nobody'], pinned: [all.results[0]?.messageId ?? ''] }),
      );
      assert.deepEqual(
        some.results
          .filter(({ chosen }) => chosen)
          .map(({ toolUseId }) => toolUseId)
          .sort(),
        ['toolu_2', 'toolu_29'],
      );
      assert.ok(some.results.some(({ protection, chosen }) => protection === 'pinned' && !chosen));
      const written = writtenOf((await engine.handlers['compaction/run']({ ...params, planId: some.planId }, never)).view);
      assert.ok(written.kind === 'micro' && written.summary === '' && written.tokensAfter === some.tokensAfter && written.lost.count === 0);
    }));

  it('offer the offline summary when a model’s cannot be used', () =>
    withSession(async ({ engine, handle, preview, events }) => {
      const plan = planOf(await preview({ kind: 'full', keepMessages: 4 }));
      const params = { handle, planId: plan.planId, instructions: '' } as const;
      const asked = { ...params, summarizer: { kind: 'vscode', label: 'A model' } } as const;
      const { view } = await engine.handlers['compaction/run']({ ...asked, maxOutputTokens: 777 }, never);
      assert.ok(view.outcome === 'failed' && view.code === 'noSummary' && view.offerOffline === true, JSON.stringify(view));
      assert.ok(events.some(([name, value]) => name === 'model/asked' && JSON.stringify(value).includes('"maxOutputTokens":777')));
      const controller = new AbortController();
      controller.abort();
      const cancelled = await engine.handlers['compaction/run'](asked, controller.signal);
      assert.ok(cancelled.view.outcome === 'cancelled' && cancelled.view.offerOffline === undefined);
    }));

  it('answer the same as a text for any agent, with what is put back', () =>
    withSession(async ({ engine, handle, folder, preview }) => {
      const plan = planOf(await preview({ kind: 'full', keepMessages: 4, detail: 'brief' }));
      const before = readdirSync(folder).length;
      const putBack = lostIn(plan, 1);
      const params = { handle, planId: plan.planId, summarizer: { kind: 'offline' }, instructions: '', putBack } as const;
      const answer = await engine.handlers['compaction/prompt'](params, never);
      assert.ok(answer.outcome === 'prompt' && answer.prompt.includes(putBack[0]?.value ?? '-'));
      assert.equal(readdirSync(folder).length, before);
    }));
});

function sum(parts: readonly { readonly tokens: number }[]): number {
  return parts.reduce((total, { tokens }) => total + tokens, 0);
}
