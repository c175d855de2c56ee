import {
  autoCompactDecision,
  INITIAL_AUTO_STATE,
  type AutoCompactInput,
  type AutoCompactState,
  type SkipReason,
} from '../../../src/core/compaction/auto';
import { createCompactor } from '../../../src/core/compaction/compact';
import { installAutoCompact } from '../../../src/core/compaction/install';
import type { Message } from '../../../src/core/model/message';
import type { Usage } from '../../../src/core/model/usage';
import { BYTES_PER_FOUR } from '../../../src/core/tokens/calibratedCounter';
import { arrayOf, field, isRecord, numberOf, type JsonRecord } from '../../../src/core/util/json';
import { autoCompactThreshold, effectiveInputWindow } from '../../../src/core/window/thresholds';
import { withLocalEstimate, withUsage } from '../../../src/core/window/windowState';
import { answering, snakeCase } from '../../support/stubCompactor';
import type { CaseAdapter } from '../caseTypes';
import { neverGrows } from './compactor';

const SIGNAL = new AbortController().signal;
const KEEP = 2;
const OLDER = 12;

/** Automatic compaction: one decision, and whole runs of turns. */
export const auto: CaseAdapter = {
  functions: { autoCompactDecision: ({ args }) => decision(args), autoCompactSequence: ({ args }) => sequence(args) },
  properties: {
    P22: ({ args }, result) =>
      field(args, 'enabled') === false && told(result, 'compact') === true ? 'it runs although it is off' : undefined,
    P24: ({ args }, result) => {
      const reported = numberOf(args, 'providerReportedInput') ?? 0;
      return Number(told(result, 'decisionTokens')) >= reported ? undefined : 'a report is hidden by an estimate';
    },
    P30: (_, result) => (Number(told(result, 'mostFailuresInARow')) <= 3 ? undefined : 'more than three failures in a row'),
    P31: neverGrows,
    P32: (_, result) => (Number(told(result, 'attempts')) <= 3 ? undefined : 'more than three attempts without new content'),
  },
};

function told(result: unknown, name: string): unknown {
  return isRecord(result) ? field(result, name) : undefined;
}

function decision(args: JsonRecord): JsonRecord {
  const reported = numberOf(args, 'providerReportedInput') ?? 0;
  // The report is of a request that had been estimated; what came since is added to it.
  const estimated = withLocalEstimate(INITIAL_AUTO_STATE.window, { knownTotal: reported, complete: true });
  const pending = numbers(args, 'pendingMessageTokens').reduce((sum, tokens) => sum + tokens, 0);
  const { skip, tokens } = autoCompactDecision({
    ...inputFor(args),
    state: { ...INITIAL_AUTO_STATE, window: withUsage(estimated, usageOf(reported)) },
    estimate: { knownTotal: reported + pending, complete: true },
    enabled: field(args, 'enabled') !== false,
  });
  return { compact: skip === undefined, decisionTokens: tokens, skipped: skip };
}

async function sequence(args: JsonRecord): Promise<JsonRecord> {
  const usage = numbers(args, 'usageEachTurn');
  const answers = arrayOf(args, 'summarizer') ?? [];
  const more = numberOf(args, 'newMessagesBetweenTurns') ?? 1;
  let calls = 0;
  const { summarizer } = answering(() => (answers[calls++] === 'error' ? new Error('overloaded') : 'Goal, state, next step.'));
  const compactor = createCompactor({ summarizer, counter: BYTES_PER_FOUR });
  const tail = numberOf(args, 'fixedTailTokens') ?? 0;
  const original = [...sized(OLDER, Math.max((usage[0] ?? 0) - tail, 0)), ...sized(KEEP, tail)];
  let history: readonly Message[] = original;
  let state: AutoCompactState = INITIAL_AUTO_STATE;
  let stopped: SkipReason | undefined;
  const counts = { attempts: 0, compacted: 0, failuresInARow: 0, mostFailuresInARow: 0 };
  for (const [turn, reported] of usage.entries()) {
    if (turn > 0) history = [...history, ...sized(more, more)];
    state = { ...state, window: withUsage(state.window, usageOf(reported)) };
    const input = { ...inputFor(args), messages: history, state, compactor, keepMessages: KEEP };
    const outcome = await installAutoCompact(input, {
      commit: (view) => {
        history = view;
        return Promise.resolve();
      },
    });
    ({ state } = outcome);
    if (outcome.outcome === 'skipped') stopped = outcome.reason;
    else counts.attempts += 1;
    if (outcome.outcome === 'compacted') counts.compacted += 1;
    counts.failuresInARow = outcome.outcome === 'failed' ? counts.failuresInARow + 1 : counts.failuresInARow;
    if (outcome.outcome === 'compacted') counts.failuresInARow = 0;
    counts.mostFailuresInARow = Math.max(counts.mostFailuresInARow, counts.failuresInARow);
  }
  const historyUnchanged = original.every((message, index) => history[index] === message);
  return { ...counts, historyUnchanged, stoppedBecause: stopped === undefined ? null : snakeCase(stopped) };
}

function inputFor(args: JsonRecord): AutoCompactInput {
  const limits = { maxTokens: numberOf(args, 'maxTokens') ?? 200_000, maxOutputTokens: numberOf(args, 'maxOutputTokens') };
  return {
    messages: [],
    state: INITIAL_AUTO_STATE,
    enabled: true,
    threshold: autoCompactThreshold(effectiveInputWindow(limits)),
    compactor: createCompactor({ summarizer: answering('Goal, state, next step.').summarizer, counter: BYTES_PER_FOUR }),
    counter: BYTES_PER_FOUR,
    signal: SIGNAL,
  };
}

/** Turns that hold so many tokens together. */
function sized(count: number, tokens: number): readonly Message[] {
  return Array.from({ length: count }, (_, index): Message => {
    const text = 'word'.repeat(Math.floor(tokens / count));
    return { id: '', role: index % 2 === 0 ? 'user' : 'assistant', kind: 'message', content: [{ type: 'text', text }], line: 0 };
  });
}

function usageOf(inputTokens: number): Usage {
  return { inputTokens, outputTokens: 0, cacheReadTokens: 0, cacheCreationTokens: 0 };
}

function numbers(args: JsonRecord, name: string): readonly number[] {
  return (arrayOf(args, name) ?? []).filter((item) => typeof item === 'number');
}
