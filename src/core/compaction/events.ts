import type { CompactErrorCode } from '../errors/compactError';
import type { CompactTrigger } from '../model/boundary';
import type { CompactionUsage } from '../model/compactionResult';
import type { HookPoint } from '../ports/hooks';

interface About {
  readonly trigger: CompactTrigger;
  /** Estimate before; for the automatic kind the tokens that the decision was made by. */
  readonly preTokens: number;
  readonly originalMessages: number;
}

interface Made {
  readonly postTokens: number;
  /** Messages of the new view, boundary included. */
  readonly compactedMessages: number;
  readonly usage: CompactionUsage | undefined;
}

interface Automatic {
  readonly threshold: number;
  readonly consecutiveFailures: number;
}

/** `other`: an error that is none of ours. */
export type FailureCode = CompactErrorCode | 'other';

/** What a compaction tells while it runs (seed 2, progress and telemetry). Numbers and codes, never text of a transcript. */
export type CompactionEvent =
  | { readonly kind: 'progress'; readonly stage: 'start'; readonly trigger: CompactTrigger }
  | { readonly kind: 'progress'; readonly stage: 'hook'; readonly hook: HookPoint; readonly trigger: CompactTrigger }
  | { readonly kind: 'attachmentFailed'; readonly source: string }
  | (About & { readonly kind: 'start' })
  | (About & Made & { readonly kind: 'success' })
  | (About & { readonly kind: 'failure'; readonly code: FailureCode })
  | (About & Automatic & { readonly kind: 'autoAttempt'; readonly maxFailures: number })
  | (About & Automatic & Made & { readonly kind: 'autoSuccess'; readonly wouldRetrigger: boolean })
  | (About & Automatic & { readonly kind: 'autoFailure'; readonly maxFailures: number; readonly code: FailureCode });

export type EventSink = (event: CompactionEvent) => void;
