// Time of the core's work against the number of messages: what is linear has to stay linear, and a plan has to be there at once.
// `--only TEXT` measures the operations whose name holds the text.
import { parseArgs } from 'node:util';
import { cutMap } from '../../src/core/cut/pairing';
import { firstIndexWithin, keptTailStart } from '../../src/core/cut/splitForKeep';
import type { PlanRequest } from '../../src/core/compaction/plan';
import type { PlanInput } from '../../src/core/compaction/planInput';
import { planCompaction } from '../../src/core/compaction/strategies';
import { EMPTY_CACHE_EDITS } from '../../src/core/micro/cacheEditState';
import { planCacheEdits } from '../../src/core/micro/cacheEdits';
import { DEFAULT_MICROCOMPACT } from '../../src/core/micro/config';
import { clearIdleToolResults } from '../../src/core/micro/timeBased';
import type { Message } from '../../src/core/model/message';
import { projectToolResults } from '../../src/core/projection/apply';
import { pendingProjection } from '../../src/core/projection/pending';
import { inspectTranscript } from '../../src/core/session/inspection';
import { EMPTY_VIEW_STATE, providerView } from '../../src/core/session/providerView';
import { BYTES_PER_FOUR } from '../../src/core/tokens/calibratedCounter';
import { estimateRequest } from '../../src/core/tokens/requestEstimate';
import { measureMessages } from '../../src/core/tokens/sizes';
import { applyToolResultBudget } from '../../src/core/toolResults/applyBudget';
import { enforceMessageBudget } from '../../src/core/toolResults/messageBudget';
import { EMPTY_REPLACEMENTS } from '../../src/core/toolResults/replacementState';
import { truncateToolResults } from '../../src/core/toolResults/truncate';
import { contextUsage } from '../../src/core/window/contextUsage';
import { figuresOf } from '../../src/node/engine/sessionPreview';
import { COLD } from '../support/inspections';
import { transcriptOf } from '../support/transcriptOf';
import type { Bench, BenchCheck } from './bench';
import {
  agentSession,
  alternatingPairs,
  chainedPairs,
  inspectedSession,
  interleavedFragments,
  nestedPairs,
  oneId,
  orphans,
} from './coreConversations';

const SIZES = [1000, 10_000, 50_000, 100_000] as const;
const LARGEST = SIZES[3];
/** A person waits for a plan. */
const PLAN_MS = 150;
/** A person drags the cut: the figures follow the hand. The summary and what it loses come when the hand rests. */
const DRAG_MS = 50;
/**
 * Twice the messages: linear work takes twice the time, quadratic work four times. Between 10,000 and 100,000 messages the tables outgrow the
 * processor's caches and the young part of the heap, which alone makes linear work take 10 to 40 times as long; between 50,000 and 100,000 little
 * but the number of messages changes.
 */
const DOUBLED = 3.5;
/** A measurement lasts about this long, so that the clock's grain and a single collection of garbage do not decide. */
const LEAST_MEASURED_MS = 50;
const MEASUREMENTS = 5;
/** What takes longer than this is measured three times only. */
const LONG_MS = 400;
const LONG_MEASUREMENTS = 3;
const HOUR_MS = 3_600_000;
const LIMIT = 20_000;

type Work = () => unknown;

interface Operation {
  readonly name: string;
  /** Makes what is measured; what it prepares is not. */
  readonly prepare: (count: number) => Work;
  readonly limitMs?: number;
  /** Limit for 10,000 messages. */
  readonly limitMsOf10k?: number;
}

const plan = (name: string, requestOf: (pivot: string) => PlanRequest): Operation => ({
  name: `plan: ${name}`,
  limitMs: PLAN_MS,
  prepare: (count) => {
    const input = planInput(agentSession(count));
    const request = requestOf(`line:${Math.floor(count * 0.9)}`);
    return () => {
      const made = planCompaction(request, input);
      if (made.outcome !== 'plan') throw new Error(`no plan for ${name}: ${made.code}`);
    };
  },
});

/** The figures of a plan as the engine makes them, at a place that has not been asked for before. */
const figures: Operation = {
  name: 'preview: figures',
  limitMsOf10k: DRAG_MS,
  prepare: (count) => {
    const inspection = inspectTranscript(transcriptOf(agentSession(count)), { windowTokens: 200_000 });
    const input = planInput(inspection.transcript.messages);
    let position = Math.floor(count * 0.5);
    return () => {
      // Another input each time, so that nothing of it is known yet.
      const fresh = { ...input };
      const made = planCompaction({ kind: 'partialUpTo', position: position++ }, fresh);
      if (made.outcome !== 'plan') throw new Error(`no plan for a preview: ${made.code}`);
      const of = { inspection, input: fresh, path: '', settings: {}, plan: made, pins: {}, detail: 'normal' } as const;
      return figuresOf({ ...of, summarizer: 'offline' }, 'plan');
    };
  },
};

const cuts = (name: string, conversation: (count: number) => readonly Message[]): Operation => ({
  name: `cuts: ${name}`,
  prepare: (count) => {
    const messages = conversation(count);
    return () => {
      const map = cutMap(messages);
      return [map.tailStart(count - 2), map.headEnd(2), map.partialHeadEnd(2)];
    };
  },
});

const overSession = (name: string, work: (messages: readonly Message[]) => unknown, session = agentSession): Operation => ({
  name,
  prepare: (count) => {
    const messages = session(count);
    return () => work(messages);
  },
});

const STORE = { saveReplacement: (id: string): Promise<string> => Promise.resolve(`stored as ${id}`) };
const IDLE = { ...DEFAULT_MICROCOMPACT, source: 'main', lastActivity: 0 } as const;
const WARM = { ...IDLE, cacheEdits: true, cacheTriggerCount: 5 };
const PROJECTION = {
  ...COLD,
  rawRequestTokens: 100_000_000,
  autoCompactThreshold: 0,
  remainingTools: 1_000_000,
  remainingProjectedTokens: 1e9,
};

const OPERATIONS: readonly Operation[] = [
  plan('full', () => ({ kind: 'full', keepMessages: 10 })),
  plan('up to', (pivotId) => ({ kind: 'partialUpTo', pivotId })),
  plan('from', (pivotId) => ({ kind: 'partialFrom', pivotId })),
  figures,
  cuts('a session', agentSession),
  cuts('call and result in turn', alternatingPairs),
  cuts('all calls, then all results', nestedPairs),
  cuts('pairs in a chain', chainedPairs),
  cuts('fragments in turn', interleavedFragments),
  cuts('one id', oneId),
  cuts('results without calls', orphans),
  { ...overSession('split: kept tail', (messages) => keptTailStart(messages, messages.length / 2, () => 1)), limitMs: PLAN_MS },
  { ...overSession('split: first index', (messages) => firstIndexWithin(messages, messages.length / 2, () => 1)), limitMs: PLAN_MS },
  {
    name: 'sizes: new messages',
    prepare: (count) => {
      const session = agentSession(count);
      // Counts are kept with a message, so each time has messages of its own.
      return () => measureMessages(transcriptOf(session.map((message) => ({ ...message }))), {});
    },
  },
  {
    name: 'sizes: known messages',
    prepare: (count) => {
      const transcript = transcriptOf(agentSession(count));
      return () => measureMessages(transcript, {});
    },
  },
  {
    name: 'use of the context',
    prepare: (count) => {
      const transcript = transcriptOf(agentSession(count));
      const { tokens } = measureMessages(transcript, {});
      return () => contextUsage(transcript, tokens);
    },
  },
  overSession('budget: one message', enforceMessageBudget, (count) => asOneMessage(agentSession(count))),
  overSession('budget: each message', enforceMessageBudget),
  overSession('budget: aggregate', (messages) => applyToolResultBudget(messages, EMPTY_REPLACEMENTS, STORE, { limit: 2000 })),
  overSession(
    'budget: aggregate, one group',
    (messages) => applyToolResultBudget(messages, EMPTY_REPLACEMENTS, STORE, { limit: LIMIT }),
    (count) => onlyResults(agentSession(count)),
  ),
  overSession('budget: each result', (messages) => truncateToolResults(messages, 1000)),
  overSession('micro: by time', (messages) => clearIdleToolResults(messages, IDLE, HOUR_MS)),
  overSession('micro: orders to the cache', (messages) => planCacheEdits(messages, WARM, EMPTY_CACHE_EDITS)),
  overSession('projection', (messages) => projectToolResults(messages, EMPTY_REPLACEMENTS, PROJECTION), inspectedSession),
  overSession(
    'projection: pressure',
    (messages) =>
      projectToolResults(messages, EMPTY_REPLACEMENTS, {
        ...PROJECTION,
        pressure: true,
        pricing: { inputPerMtok: 0.1, cacheReadPerMtok: 9 },
      }),
    inspectedSession,
  ),
  overSession('projection: pending', (messages) => pendingProjection(messages, EMPTY_REPLACEMENTS, PROJECTION), inspectedSession),
  overSession('view of a request', (messages) =>
    providerView(messages, EMPTY_VIEW_STATE, {
      estimate: (view) => estimateRequest({ messages: view, system: [] }, BYTES_PER_FOUR),
      resultBudget: { store: STORE, limit: 2000 },
      projection: { admission: PROJECTION, maxConsecutiveAnomalies: 3 },
      truncate: { maxCharsPerResult: 1000 },
      microcompact: { options: IDLE, now: HOUR_MS, isCacheWarm: false },
    }),
  ),
];

export const bench: Bench = {
  run: async (args) => {
    const { values } = parseArgs({ args: [...args], options: { only: { type: 'string' } } });
    const { only } = values;
    const wanted = OPERATIONS.filter(({ name }) => only === undefined || name.includes(only));
    const rows: (string | number)[][] = [];
    const checks: BenchCheck[] = [];
    for (const { name, prepare, limitMs, limitMsOf10k } of wanted) {
      const times: number[] = [];
      for (const size of SIZES) times.push(await timeOf(prepare, size));
      const [, tenth = 0, half = 0, whole = 0] = times;
      rows.push([name, ...times, whole / half]);
      if (limitMsOf10k !== undefined) checks.push({ label: `${name}, 10,000 messages`, value: tenth, atMost: limitMsOf10k, unit: 'ms' });
      if (limitMs !== undefined) checks.push({ label: `${name}, 100,000 messages`, value: whole, atMost: limitMs, unit: 'ms' });
      checks.push({ label: `${name}, growth from 50,000 to 100,000`, value: whole / half, atMost: DOUBLED, unit: 'times' });
    }
    return {
      columns: ['processor time in ms', '1,000', '10,000', '50,000', '100,000', 'doubled'],
      rows,
      checks,
      notes: ['The best of five, or of three where it takes long. Everything is made anew each time but the sizes of known messages.'],
    };
  },
};

/**
 * Processor time in ms of an operation on one conversation of this size: the best of several measurements, which other programs
 * disturb least. Each goes over as many conversations as make up the largest size together, so that small ones gain nothing from a warm memory.
 */
async function timeOf(prepare: Operation['prepare'], size: number): Promise<number> {
  const works = Array.from({ length: LARGEST / size }, () => prepare(size));
  const first = await measured(works, 1);
  const rounds = Math.ceil(LEAST_MEASURED_MS / Math.max(first, 1));
  const all: number[] = [];
  const measurements = first > LONG_MS ? LONG_MEASUREMENTS : MEASUREMENTS;
  while (all.length < measurements) all.push((await measured(works, rounds)) / (rounds * works.length));
  return Math.min(...all);
}

async function measured(works: readonly Work[], rounds: number): Promise<number> {
  globalThis.gc?.();
  const before = process.cpuUsage();
  for (let round = 0; round < rounds; round++) for (const work of works) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function planInput(messages: readonly Message[]): PlanInput {
  const { tokens } = measureMessages(transcriptOf(messages), {});
  return { messages, context: messages.map((_, index) => index), tokens, unattributedTokens: 0, revision: 1 };
}

/** All results of a session in one message. */
function asOneMessage(messages: readonly Message[]): readonly Message[] {
  const content = messages.flatMap((message) => message.content.filter(({ type }) => type === 'toolResult'));
  return [{ id: 'all', role: 'user', kind: 'message', content, line: 1 }];
}

/** The results of a session with nothing between them: a provider gets them as one message. */
function onlyResults(messages: readonly Message[]): readonly Message[] {
  return messages.filter((message) => message.content.some(({ type }) => type === 'toolResult'));
}
