// Compacts 98 % of a session with the product's own planner and offline summarizer, and measures what came out.
import { readFileSync } from 'node:fs';
import { createOfflineSummarizer } from '../../../src/core/compaction/offline/offlineSummarizer';
import type { CompactionPlan, PlanRefusal } from '../../../src/core/compaction/plan';
import { contextMessages, type PlanInput } from '../../../src/core/compaction/planInput';
import { runPlan } from '../../../src/core/compaction/runPlan';
import { planCompaction } from '../../../src/core/compaction/strategies';
import { summaryRequest } from '../../../src/core/compaction/summaryRequest';
import { summarizeOffline } from '../../../src/core/compaction/offline/offlineSummarizer';
import { messageFor } from '../../../src/core/errors/messages';
import type { Message } from '../../../src/core/model/message';
import type { Transcript } from '../../../src/core/model/transcript';
import type { TokenCounter } from '../../../src/core/ports/tokenCounter';
import { inspectTranscript, type Inspection } from '../../../src/core/session/inspection';
import { summaryMessage } from '../../../src/core/boundary/summaryMessage';
import { median } from '../../bench/bench';
import { headAndTail, keepLast } from './baselines';
import { summaryFigures, textOfAll, truncationFigures, zoneOf, type Figures } from './measure';

export interface FileResult {
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Plain counts of the visible text, without the scale that a session's own reports give to estimates. */
  readonly zoneTokens: number;
  readonly summaryTokens: number;
  /** Most that the summary may have. */
  readonly allowedTokens: number;
  readonly own: Figures;
  readonly keepLast: Figures;
  readonly headAndTail: Figures;
  /** Characters of the zone's records, and the processor time for them; undefined where the source has no lines. */
  readonly speed: { readonly characters: number; readonly ms: number; readonly parseMs: number } | undefined;
  readonly summary: string;
}

export type FileOutcome = FileResult | { readonly skipped: string };

/** Share of the active messages that is summarized. */
const ZONE = 0.98;
const LEAST_TOKENS = 2000;
const LARGEST_SHARE = 0.03;
const RUNS = 3;

/** Measures one session. `part` takes the first or the second half of its active messages alone. */
export async function compactFile(
  transcript: Transcript,
  path: string,
  counter: TokenCounter,
  part?: 'first' | 'second',
): Promise<FileOutcome> {
  const inspection = inspectTranscript(transcript, { counter });
  const input = inputOf(inspection, part);
  const active = contextMessages(input);
  const plan = planFor(input);
  if (plan.outcome === 'refusal')
    return { skipped: `nothing to compact (${plan.code}${plan.detail === undefined ? '' : `, ${plan.detail}`})` };
  const { sizes } = inspection;
  let run;
  try {
    run = await runPlan(
      plan,
      input,
      { summarizer: createOfflineSummarizer(), tokensOf: sizes.sizeOf },
      { signal: new AbortController().signal, original: path },
    );
  } catch (error) {
    return { skipped: messageFor(error) };
  }
  if (run.outcome === 'refusal') return { skipped: `nothing gained (${run.code})` };
  const messages = plan.summarized.flatMap((index) => input.messages[index] ?? []);
  const kept = plan.kept.flatMap((index) => input.messages[index] ?? []);
  const zone = zoneOf(messages, active, transcript.cwd);
  const budget = sizes.sizeOf(summaryMessage(run.continuation));
  const zoneTokens = counter.count(textOfAll(messages));
  return {
    tokensBefore: plan.tokensBefore,
    tokensAfter: plan.tokensKept + budget,
    zoneTokens,
    summaryTokens: counter.count(run.continuation),
    allowedTokens: Math.max(LEAST_TOKENS, LARGEST_SHARE * zoneTokens),
    own: summaryFigures(zone, run.summary, run.continuation, kept),
    keepLast: truncationFigures(zone, [...keepLast(messages, budget, sizes.sizeOf), ...kept]),
    headAndTail: truncationFigures(zone, [...headAndTail(messages, budget, sizes.sizeOf), ...kept]),
    speed: speedOf(path, plan, input, messages),
    summary: run.summary,
  };
}

function inputOf(inspection: Inspection, part: 'first' | 'second' | undefined): PlanInput {
  const { transcript, sizes, unattributedTokens } = inspection;
  const { context } = transcript;
  const half = context.length >> 1;
  const chosen = part === undefined ? context : part === 'first' ? context.slice(0, half) : context.slice(half);
  return { messages: transcript.messages, context: chosen, tokens: sizes.tokens, unattributedTokens, revision: 0 };
}

/** Cuts at the nearest safe place to 98 %; a call that still waits for its result is kept. */
function planFor(input: PlanInput): CompactionPlan | PlanRefusal {
  const count = input.context.length;
  const wanted = Math.max(1, count - Math.floor(ZONE * count));
  let plan = planCompaction({ kind: 'full', keepMessages: wanted }, input);
  for (let keep = wanted + 1; plan.outcome === 'refusal' && plan.code === 'pendingToolCall' && keep < count; keep++) {
    plan = planCompaction({ kind: 'full', keepMessages: keep }, input);
  }
  return plan;
}

/** Times of the summarizer and of parsing the records of the same messages, each the median of some runs after one that warms up. */
function speedOf(path: string, plan: CompactionPlan, input: PlanInput, messages: readonly Message[]): FileResult['speed'] {
  const lines = recordsOf(path, messages);
  if (lines === undefined) return undefined;
  const parse = (): void => {
    for (const line of lines) parsed(line);
  };
  const summarize = (): void => {
    const request = summaryRequest(plan, input, { instructions: '' });
    summarizeOffline(request.messages, { direction: request.direction });
  };
  const characters = lines.reduce((sum, line) => sum + line.length, 0);
  // Times below the clock's grain mean nothing: a short text is parsed many times over.
  const times = Math.max(1, Math.ceil(LEAST_TIMED_CHARACTERS / Math.max(1, characters)));
  return { characters, ms: timed(summarize, Math.min(times, 20)), parseMs: timed(parse, times) };
}

function timed(work: () => void, times: number): number {
  const once = (): number => {
    const before = process.cpuUsage();
    for (let i = 0; i < times; i++) work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 / times;
  };
  once();
  return median(Array.from({ length: RUNS }, once));
}

/** The lines of the file that the messages were read from; a file that is one document counts whole. */
function recordsOf(path: string, messages: readonly Message[]): readonly string[] | undefined {
  const wanted = new Set(messages.map(({ line }) => line).filter((line) => line > 0));
  if (wanted.size === 0 || path.endsWith('.db')) return undefined;
  const text = readFileSync(path, 'utf8');
  if (parsed(text) !== undefined) return [text];
  const lines = text.split('\n').filter((_, index) => wanted.has(index + 1));
  return lines.every((line) => parsed(line) !== undefined) ? lines : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const LEAST_TIMED_CHARACTERS = 2_000_000;
