import type { Message } from '../model/message';
import { promptTokens } from '../model/usage';
import { clamp } from '../util/clamp';
import { reportedTokens } from './charHeuristic';

/** Guard rails of the calibration (seed 0, 0.1). */
export const CALIBRATION = {
  /** Least estimated mass that makes the measured ratio trustworthy. */
  minTokens: 512,
  minScale: 0.75,
  maxScale: 2,
} as const;

/** Sums over the trusted windows of a conversation: what providers counted, and what was estimated for the same messages. */
export interface CalibrationEvidence {
  readonly reported: number;
  readonly estimated: number;
}

/**
 * Compares what providers counted with what `base` estimates, over one conversation (seed 0, 0.5).
 *
 * A message with prompt tokens is an anchor: its prompt is the provider's exact count of all before it, so the difference between two
 * anchors is the size of what stands between them, and the system prompt cancels out. Windows that shrank (a compaction), that mix two
 * models, or that hold nothing estimated are left out of both sums. Messages with a count of their own are subtracted, never scaled.
 */
export function calibrationEvidence(messages: Iterable<Message>, base: (message: Message) => number): CalibrationEvidence {
  let previous: { readonly total: number; readonly model: string } | undefined;
  let windowEstimated = 0;
  let windowReported = 0;
  let reported = 0;
  let estimated = 0;
  for (const message of messages) {
    const { usage } = message;
    const prompt = usage === undefined ? 0 : promptTokens(usage);
    if (usage === undefined || !(prompt > 0)) {
      const own = reportedTokens(message);
      if (own === undefined) windowEstimated += base(message);
      else windowReported += own;
      continue;
    }
    const model = message.model ?? '';
    if (previous !== undefined && windowEstimated > 0 && haveSameTokenizer(previous.model, model)) {
      const actual = prompt - previous.total - windowReported;
      if (actual > 0) {
        reported += actual;
        estimated += windowEstimated;
      }
    }
    // Reasoning is always taken off here, even where it is stored: providers strip it from the next prompt.
    previous = { total: prompt + Math.max(usage.outputTokens - (usage.reasoningTokens ?? 0), 0), model };
    windowEstimated = 0;
    windowReported = 0;
  }
  return { reported, estimated };
}

/** Factor that evidence puts on estimates, bounded; undefined when there is too little of it. It is a ratio of sums, not a mean of ratios. */
export function scaleFrom(evidence: CalibrationEvidence): number | undefined {
  if (evidence.estimated < CALIBRATION.minTokens) return undefined;
  return clamp(evidence.reported / evidence.estimated, CALIBRATION.minScale, CALIBRATION.maxScale);
}

/** A model that is not known agrees with every other. */
function haveSameTokenizer(a: string, b: string): boolean {
  return a === '' || b === '' || a === b;
}
