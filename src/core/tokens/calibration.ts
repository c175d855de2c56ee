import type { Message } from '../model/message';
import { promptTokens, type Usage } from '../model/usage';
import { clamp } from '../util/clamp';
import { reportedTokens } from './charHeuristic';

/** Guard rails of the calibration (seed 0, 0.1). */
export const CALIBRATION = {
  /** Least estimated mass that makes the measured ratio trustworthy. */
  minTokens: 512,
  minScale: 0.75,
  maxScale: 2,
} as const;

/** What calibration sees of a conversation, in order. */
export type CalibrationStep =
  /** Content that is estimated: part of an answer whose size was not recorded, with its hidden thinking blocks, or what came after one. */
  | { readonly kind: 'content'; readonly tokens: number; readonly isReply?: boolean; readonly hiddenThinking?: number }
  /** Content with a count of its own. */
  | { readonly kind: 'counted'; readonly tokens: number }
  /** A report: the exact size of all before it, and of all before it and the reply. An empty model agrees with every other. */
  | { readonly kind: 'anchor'; readonly promptTokens: number; readonly totalTokens: number; readonly model: string };

/** What stands between two anchors of one tokenizer: its exact size, and what was estimated for it. */
export interface MeasuredWindow {
  /** Without content that has a count of its own; negative after a compaction. */
  readonly actual: number;
  readonly later: number;
  readonly reply: number;
  readonly hiddenThinking: number;
  readonly model: string;
}

/**
 * The windows of one conversation (seed 0, 0.5): the difference between the prompt of an anchor and the total of the one before is the exact
 * size of what stands between them; the system prompt cancels out. Windows that mix two models, or that hold nothing estimated, are left out.
 * Content with a count of its own is subtracted, never scaled.
 */
export function* measuredWindows(steps: Iterable<CalibrationStep>): Generator<MeasuredWindow> {
  let previous: { readonly total: number; readonly model: string } | undefined;
  let open = { later: 0, reply: 0, hiddenThinking: 0, counted: 0 };
  for (const step of steps) {
    if (step.kind === 'content') {
      if (step.isReply === true) open.reply += step.tokens;
      else open.later += step.tokens;
      open.hiddenThinking += step.hiddenThinking ?? 0;
    } else if (step.kind === 'counted') open.counted += step.tokens;
    else {
      const { counted, ...guessed } = open;
      if (previous !== undefined && guessed.later + guessed.reply > 0 && haveSameTokenizer(previous.model, step.model))
        yield { actual: step.promptTokens - previous.total - counted, ...guessed, model: step.model };
      previous = { total: step.totalTokens, model: step.model };
      open = { later: 0, reply: 0, hiddenThinking: 0, counted: 0 };
    }
  }
}

/** Sums over the trusted windows of a conversation: what providers counted, and what was estimated for the same messages. */
export interface CalibrationEvidence {
  readonly reported: number;
  readonly estimated: number;
}

/** Compares what providers counted with what was estimated, over one conversation. Windows that shrank (a compaction) are left out. */
export function calibrationEvidence(steps: Iterable<CalibrationStep>): CalibrationEvidence {
  let reported = 0;
  let estimated = 0;
  for (const { actual, later, reply } of measuredWindows(steps)) {
    if (!(actual > 0)) continue;
    reported += actual;
    estimated += later + reply;
  }
  return { reported, estimated };
}

/** Factor that evidence puts on estimates, bounded; undefined when there is too little of it. It is a ratio of sums, not a mean of ratios. */
export function scaleFrom(evidence: CalibrationEvidence): number | undefined {
  if (evidence.estimated < CALIBRATION.minTokens) return undefined;
  return clamp(evidence.reported / evidence.estimated, CALIBRATION.minScale, CALIBRATION.maxScale);
}

/** Steps of a plain list of messages: each one with prompt tokens is an anchor, its own content in no window (seed 0 NewEstimator). */
export function* messageSteps(messages: Iterable<Message>, base: (message: Message) => number): Generator<CalibrationStep> {
  for (const message of messages) {
    const { usage, model } = message;
    if (usage !== undefined && promptTokens(usage) > 0) yield anchorStep(usage, model);
    else {
      const tokens = reportedTokens(message);
      yield tokens === undefined ? { kind: 'content', tokens: base(message) } : { kind: 'counted', tokens };
    }
  }
}

/** Anchor of a report. Reasoning is always taken off its total, even where it is stored: providers strip it from the next prompt. */
export function anchorStep(usage: Usage, model: string | undefined): CalibrationStep {
  const prompt = promptTokens(usage);
  const kept = Math.max(usage.outputTokens - (usage.reasoningTokens ?? 0), 0);
  return { kind: 'anchor', promptTokens: prompt, totalTokens: prompt + kept, model: model ?? '' };
}

function haveSameTokenizer(a: string, b: string): boolean {
  return a === '' || b === '' || a === b;
}
