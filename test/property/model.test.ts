// The stateful model: an agent and a person work on one session in any order, the disk and the model fail, and after every step the product sees
// what a naive walk over the records sees, nothing is torn, and everything that was ever written can still be found where it was written.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { planMicro } from '../../src/core/compaction/microPlan';
import type { PlanRequest } from '../../src/core/compaction/plan';
import { contextMessages, type PlanInput } from '../../src/core/compaction/planInput';
import { planCompaction } from '../../src/core/compaction/strategies';
import { findViolations } from '../../src/core/cut/invariants';
import { CompactError } from '../../src/core/errors/compactError';
import { isToolResult, toolResultText, type Message } from '../../src/core/model/message';
import type { Summarizer } from '../../src/core/ports/summarizer';
import type { Inspection } from '../../src/core/session/inspection';
import { applyToolResultBudget } from '../../src/core/toolResults/applyBudget';
import { asyncProperty } from '../support/asyncProperty';
import { NaiveSession, naiveRecord } from '../support/sessionModel/naiveSession';
import { SessionWorld, type Fault } from '../support/sessionModel/sessionWorld';

interface Model {
  session: NaiveSession;
}

type Step = fc.AsyncCommand<Model, SessionWorld>;

/** A step of the talk: runs, and then everything has to hold. */
function step(
  name: string,
  run: (model: Model, world: SessionWorld) => void | Promise<void>,
  isPossible: (model: Model) => boolean = () => true,
): Step {
  return {
    check: isPossible,
    run: async (model, world) => {
      await run(model, world);
      assertAll(model, world);
    },
    toString: () => name,
  };
}

function write(model: Model, world: SessionWorld, type: string, message: object, more: object = {}): void {
  const parentUuid = model.session.tip?.uuid ?? null;
  const line = JSON.stringify({
    parentUuid,
    isSidechain: false,
    type,
    uuid: world.id(),
    sessionId: 's',
    version: '2.1.0',
    cwd: '/p',
    message,
    ...more,
  });
  world.append(line);
  model.session = model.session.with(naiveRecord(line));
}

const words = fc
  .tuple(fc.constantFrom('never touch src/a.ts ', '漢字 ', 'x'), fc.constantFrom(1, 20, 150))
  .map(([word, times]) => word.repeat(times));

const userTurn = words.map((text) => step('user', (model, world) => write(model, world, 'user', { role: 'user', content: text })));

/** A response in fragments that share an id and repeat its usage: words, then calls, each a fragment of its own. */
function respond(model: Model, world: SessionWorld, text: string, calls: number): void {
  const usage = { input_tokens: 3, output_tokens: 80, cache_read_input_tokens: world.prompt, cache_creation_input_tokens: 0 };
  const shared = { id: `msg_${world.id()}`, role: 'assistant', model: world.model, usage };
  const uses = Array.from({ length: calls }, () => ({
    type: 'tool_use',
    id: `toolu_${world.id()}`,
    name: 'Read',
    input: { file_path: 'a' },
  }));
  for (const block of [{ type: 'text', text }, ...uses]) write(model, world, 'assistant', { ...shared, content: [block] });
}

const response = fc.record({ text: words, calls: fc.nat({ max: 3 }), grows: fc.nat({ max: 30_000 }) }).map(({ text, calls, grows }) =>
  step(`response with ${calls} calls`, (model, world) => {
    world.prompt = world.prompt + grows > 190_000 ? 20_000 : world.prompt + grows;
    respond(model, world, text, calls);
  }),
);

/** Results of open calls: together or apart, in or out of order, all or only some; never after the person has gone on. */
const results = fc
  .record({ text: words, apart: fc.boolean(), reversed: fc.boolean(), left: fc.nat({ max: 1 }) })
  .map(({ text, apart, reversed, left }) =>
    step(
      'results',
      (model, world) => {
        const open = model.session.openCalls.slice(left);
        const blocks = (reversed ? open.toReversed() : open).map((id) => ({ type: 'tool_result', tool_use_id: id, content: text }));
        const messages = apart ? blocks.map((block) => [block]) : blocks.length > 0 ? [blocks] : [];
        for (const content of messages) write(model, world, 'user', { role: 'user', content });
      },
      ({ session }) => session.openCalls.length > 0 && session.isAtWork,
    ),
  );

const sideChain = words.map((text) =>
  step('side chain', (model, world) => {
    write(model, world, 'user', { role: 'user', content: text }, { isSidechain: true, agentId: 'a1', parentUuid: null });
    const usage = { input_tokens: 900_000, output_tokens: 5, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
    const message = { id: `msg_${world.id()}`, role: 'assistant', model: 'claude-haiku-4-5', usage, content: [{ type: 'text', text }] };
    write(model, world, 'assistant', message, { isSidechain: true, agentId: 'a1', parentUuid: model.session.records.at(-1)?.uuid });
  }),
);

/** The person goes back to an earlier request and asks something else instead. */
const rewind = fc.tuple(fc.nat({ max: 10 }), words).map(([back, text]) =>
  step(
    `rewind ${back}`,
    (model, world) => {
      const { turns, context } = model.session;
      const at = turns[Math.max(1, turns.length - 1 - back)] ?? 0;
      write(model, world, 'user', { role: 'user', content: text }, { parentUuid: context[at - 1]?.uuid ?? null });
    },
    ({ session }) => session.turns.length > 1 && (session.turns[0] ?? 0) < (session.turns[1] ?? 0),
  ),
);

const switchModel = fc.constantFrom('claude-sonnet-4-5', 'claude-opus-4-5', 'claude-sonnet-4-5[1m]', 'my-model').map((name) =>
  step(`model ${name}`, (_, world) => {
    world.model = name;
  }),
);

/** The budget of a request; a decision about a result holds for ever (P61). */
const budget = fc.constantFrom(0, 3000, 200_000).map((limit) =>
  step(`budget ${limit}`, async (_, world) => {
    const before = world.replacements;
    const view = context(world);
    const store = { saveReplacement: (id: string): Promise<string> => Promise.resolve(`saved ${id}`) };
    const outcome = await applyToolResultBudget(view, before, store, { limit });
    for (const [id, text] of before.replacements) assert.equal(outcome.state.replacements.get(id), text);
    for (const id of before.seen) assert.equal(outcome.state.replacements.has(id), before.replacements.has(id));
    const shown = outcome.messages.flatMap(({ content }) => content.filter(isToolResult));
    for (const block of shown) {
      const replacement = outcome.state.replacements.get(block.toolUseId);
      if (replacement !== undefined) assert.equal(toolResultText(block), replacement);
    }
    world.replacements = outcome.state;
  }),
);

type Trouble = 'none' | 'foreignAppend' | 'abort' | Fault;

const trouble: fc.Arbitrary<Trouble> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Trouble>('none') },
  { weight: 1, arbitrary: fc.constantFrom<Trouble>('foreignAppend', 'abort') },
  {
    weight: 2,
    arbitrary: fc.record({
      number: fc.integer({ min: 1, max: 40 }),
      kind: fc.constantFrom('crash' as const, 'crashAfter' as const, 'short' as const, 'EIO' as const, 'ENOSPC' as const, 'EPERM' as const),
    }),
  },
);

const compaction = fc
  .record({
    kind: fc.constantFrom('full', 'partialUpTo', 'partialFrom', 'micro'),
    keep: fc.integer({ min: 1, max: 6 }),
    pivot: fc.nat({ max: 30 }),
    answer: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom<string | Error>('Goal: go on.', 'Goal. '.repeat(60)) },
      { weight: 1, arbitrary: fc.constantFrom<string | Error>('x'.repeat(40_000), ' ', new CompactError('api')) },
    ),
    trouble,
    movesOn: fc.boolean(),
  })
  .map((asked) =>
    step(
      `${asked.kind} compaction (${typeof asked.trouble === 'string' ? asked.trouble : `${asked.trouble.kind} at ${asked.trouble.number}`})`,
      (model, world) => compact(model, world, asked),
      ({ session }) => session.context.length > 0,
    ),
  );

/** What happened how often, so that the runs cannot pass by doing nothing. */
const happened = new Map<string, number>();

function tally(what: string): void {
  happened.set(what, (happened.get(what) ?? 0) + 1);
}

interface Asked {
  readonly kind: 'full' | 'partialUpTo' | 'partialFrom' | 'micro';
  readonly keep: number;
  readonly pivot: number;
  readonly answer: string | Error;
  readonly trouble: Trouble;
  readonly movesOn: boolean;
}

async function compact(model: Model, world: SessionWorld, asked: Asked): Promise<void> {
  const { inspection, input } = world.inspect() ?? assert.fail('there is a session');
  const plan =
    asked.kind === 'micro'
      ? planMicro({ keepResults: asked.keep }, input, inspection.sizes.sizeOf)
      : planCompaction(requestOf(asked, model), input);
  if (plan.outcome === 'refusal') {
    tally(`${asked.kind}: refused, ${plan.code}`);
    return;
  }
  assertPartition(plan, input);
  const files = new Set(world.disk.paths);
  const before = world.text;
  const controller = new AbortController();
  let foreign = '';
  const summarizer = summarizerFor(asked, () => {
    if (asked.trouble === 'abort') controller.abort();
    if (asked.trouble !== 'foreignAppend') return;
    foreign = JSON.stringify({
      parentUuid: model.session.tip?.uuid,
      type: 'user',
      uuid: world.id(),
      message: { role: 'user', content: 'late' },
    });
    world.append(foreign);
    model.session = model.session.with(naiveRecord(foreign));
  });
  const fault = typeof asked.trouble === 'string' ? undefined : asked.trouble;
  const made = await world
    .compact(inspection, input, plan, { summarizer, signal: controller.signal, fault })
    .catch((error: unknown) => (error instanceof Error ? error : assert.fail(String(error))));

  // The original keeps every byte, and gets only what the agent appended (P70, P71).
  assert.equal(world.text, foreign === '' ? before : `${before}${foreign}\n`);
  const fresh = world.disk.paths.filter((path) => !files.has(path));
  const copies = fresh.filter((path) => path.endsWith('.jsonl'));
  if (typeof made === 'string') assert.ok(copies.length === 1 && copies[0] === made);
  else if (fault === undefined) assert.deepEqual(fresh, [], `${String(made)} left something`);
  if (fault === undefined)
    assert.deepEqual(
      world.disk.paths.filter((path) => !path.endsWith('.jsonl')),
      [],
      'what a crash left is cleared away',
    );
  if (foreign !== '') assert.ok(made instanceof CompactError, 'a source that grew is not compacted');
  const failure = made instanceof CompactError ? made.code : world.crashed ? 'a crash' : 'a fault';
  tally(`${asked.kind}: ${typeof made === 'string' ? 'a copy' : failure}`);
  const keptIds = plan.kept.flatMap((index) => input.messages[index]?.id ?? []);
  const seen = contextMessages(input);
  for (const path of copies) assertWholeCopy(world, path, keptIds, seen, plan.kind === 'micro');
  if (fault !== undefined) world.reopen();
  if (world.crashed) return;
  const [copy] = copies;
  if (copy === undefined || !asked.movesOn) return;
  if (plan.kind !== 'micro') assertSmaller(world, copy, asked.answer, inspection, input, plan.summarized);
  world.path = copy;
  model.session = new NaiveSession(world.text.trimEnd().split('\n').map(naiveRecord));
}

function requestOf({ kind, keep, pivot }: Asked, { session }: Model): PlanRequest {
  if (kind === 'full' || kind === 'micro') return { kind: 'full', keepMessages: keep };
  const { context: seen } = session;
  return { kind, pivotId: seen[pivot % seen.length]?.uuid ?? '' };
}

function summarizerFor({ answer }: Asked, onAsked: () => void): Summarizer {
  return {
    capabilities: { label: 'stub', host: undefined },
    summarize: () => {
      onAsked();
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve({ text: answer, usage: undefined });
    },
  };
}

/** Nothing in both parts, nothing in neither, both in order (P02, P03). */
function assertPartition(plan: { readonly summarized: readonly number[]; readonly kept: readonly number[] }, input: PlanInput): void {
  const all = [...plan.summarized, ...plan.kept];
  assert.equal(new Set(all).size, all.length);
  assert.deepEqual(new Set(all), new Set(input.context));
  const place = new Map(input.context.map((index, position) => [index, position]));
  for (const part of [plan.summarized, plan.kept]) {
    const positions = part.map((index) => place.get(index) ?? -1);
    assert.deepEqual(
      positions,
      positions.toSorted((a, b) => a - b),
    );
  }
}

/** A copy is complete: one summary beside the kept messages, each as it was, nothing torn (P01, P03-P05). */
function assertWholeCopy(
  world: SessionWorld,
  path: string,
  keptIds: readonly string[],
  source: readonly Message[],
  isMicro: boolean,
): void {
  const text = world.disk.text(path) ?? '';
  const copy = new NaiveSession(text.trimEnd().split('\n').map(naiveRecord));
  const own = copy.context.filter(({ uuid }) => keptIds.includes(uuid));
  assert.deepEqual(
    own.map(({ uuid }) => uuid),
    keptIds.filter((id) => own.some(({ uuid }) => uuid === id)),
  );
  assert.equal(own.length, keptIds.length, 'every kept message is there');
  assert.equal(copy.context.length - own.length, isMicro ? 0 : 1, 'and the summary');
  const byId = new Map(source.map((message) => [message.id, message]));
  const view = own.map(({ uuid }) => byId.get(uuid) ?? assert.fail(uuid));
  assert.deepEqual(findViolations(view, source), []);
}

/** No summary is larger than max(256, what it replaces), and the new view is smaller (P31). */
function assertSmaller(
  world: SessionWorld,
  path: string,
  answer: string | Error,
  { sizes }: Inspection,
  input: PlanInput,
  summarized: readonly number[],
): void {
  assert.ok(typeof answer === 'string' && answer.trim() !== '');
  const replaced = summarized.reduce((sum, index) => sum + (input.tokens[index] ?? 0), 0);
  const summary: Message = { id: '', role: 'user', kind: 'summary', content: [{ type: 'text', text: answer.trim() }], line: 0 };
  assert.ok(sizes.sizeOf(summary) <= Math.max(256, replaced));
  assert.ok((world.disk.text(path) ?? '').length < world.text.length + 2000);
}

function context(world: SessionWorld): readonly Message[] {
  const read = world.inspect();
  return read === undefined ? [] : contextMessages(read.input);
}

function assertAll({ session }: Model, world: SessionWorld): void {
  for (const [path, lines] of world.ever) {
    const held = new Set((world.disk.text(path) ?? '').split('\n'));
    for (const line of lines) assert.ok(held.has(line), 'a line that was written is gone');
  }
  const read = world.inspect();
  if (read === undefined) return;
  const { inspection, input } = read;
  const seen = contextMessages(input);
  assert.deepEqual(
    seen.map(({ id }) => id),
    session.context.map(({ uuid }) => uuid),
  );
  assert.deepEqual(findViolations(seen), []);
  assert.equal(inspection.usage.reportedTokens, session.reportedPrompt, 'the last report of the context, and no other (P25, P27)');
  const { warning } = inspection;
  const flags = [
    warning.isAtBlockingLimit,
    warning.isAboveAutoCompactThreshold,
    warning.isAboveErrorThreshold,
    warning.isAboveWarningThreshold,
  ];
  flags.forEach((flag, at) => assert.ok(!flag || flags.slice(at).every(Boolean), 'a higher flag implies the lower ones (P22)'));
}

/** A session with some work done, so that the first compaction may come at once. */
function begun(): { readonly model: Model; readonly real: SessionWorld } {
  const model: Model = { session: new NaiveSession([]) };
  const real = new SessionWorld();
  for (const request of ['Read the parts.', 'Never change the public names.', 'Go on.']) {
    write(model, real, 'user', { role: 'user', content: request.repeat(20) });
    respond(model, real, 'I look into it. '.repeat(20), 2);
    const blocks = model.session.openCalls.map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'part '.repeat(120) }));
    write(model, real, 'user', { role: 'user', content: blocks });
    respond(model, real, 'Both are read.', 0);
  }
  return { model, real };
}

describe('a session in any order of events', () => {
  const talk = [userTurn, response, results, results];
  const steps = [...talk, sideChain, rewind, switchModel, budget, compaction, compaction, compaction];
  const commands = fc.commands(steps, { maxCommands: 16, size: 'max' });

  asyncProperty('keeps P01-P05, P22, P25, P31, P61, P70, and every record in the file that it was written to', commands, async (given) => {
    await fc.asyncModelRun(begun, given);
  });

  it('was compacted in every way, and every trouble came', () => {
    console.log(
      [...happened]
        .map(([what, times]) => `      ${what} × ${times}`)
        .sort()
        .join('\n'),
    );
    const kinds = ['full', 'partialUpTo', 'partialFrom', 'micro'];
    const copies = kinds.map((kind) => happened.get(`${kind}: a copy`) ?? 0);
    assert.ok(Math.min(...copies) >= 5, 'too few copies');
    for (const outcome of ['a crash', 'a fault', 'staleSource', 'aborted', 'api', 'noSummary', 'notSmaller']) {
      assert.ok(
        kinds.some((kind) => (happened.get(`${kind}: ${outcome}`) ?? 0) > 0),
        outcome,
      );
    }
  });
});
