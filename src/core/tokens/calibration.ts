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
  /** Content that is estimated. */
  | { readonly kind: 'content'; readonly tokens: number }
  /** Content with a count of its own. */
  | { readonly kind: 'counted'; readonly tokens: number }
  /** A report: the exact size of all before it, and of all before it and the reply. An empty model agrees with every other. */
  | { readonly kind: 'anchor'; readonly promptTokens: number; readonly totalTokens: number; readonly model: string };

/** Sums over the trusted windows of a conversation: what providers counted, and what was estimated for the same messages. */
export interface CalibrationEvidence {
  readonly reported: number;
  readonly estimated: number;
}

/**
 * Compares what providers counted with what was estimated, over one conversation (seed 0, 0.5).
 *
 * The difference between the prompt of an anchor and the total of the one before is the exact size of what stands between them; the system
 * prompt cancels out. Windows that shrank (a compaction), that mix two models, or that hold nothing estimated are left out of both sums.
 * Content with a count of its own is subtracted, never scaled.
 */
export function calibrationEvidence(steps: Iterable<CalibrationStep>): CalibrationEvidence {
  let previous: { readonly total: number; readonly model: string } | undefined;
  let content = 0;
  let counted = 0;
  let reported = 0;
  let estimated = 0;
  for (const step of steps) {
    if (step.kind === 'content') content += step.tokens;
    else if (step.kind === 'counted') counted += step.tokens;
    else {
      if (previous !== undefined && content > 0 && haveSameTokenizer(previous.model, step.model)) {
        const actual = step.promptTokens - previous.total - counted;
        if (actual > 0) {
          reported += actual;
          estimated += content;
        }
      }
      previous = { total: step.totalTokens, model: step.model };
      content = 0;
      counted = 0;
    }
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
