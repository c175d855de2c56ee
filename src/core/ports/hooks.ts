import type { CompactTrigger } from '../model/boundary';

export type HookPoint = 'preCompact' | 'sessionStart' | 'postCompact';

export interface HookCall {
  readonly point: HookPoint;
  readonly trigger: CompactTrigger;
  /** What the user wished for the summary; '' when nothing, and after the summary. */
  readonly instructions: string;
  /** Markdown of the summary; '' before there is one. */
  readonly summary: string;
}

export interface HookAnswer {
  /** Why the hook does not want the compaction; undefined lets it go on. */
  readonly block?: string;
  /** Added to the user's wish, for this compaction only; counts before the summary alone. */
  readonly instructions?: string;
  /** Added to the new view as a reminder; counts at the start of the session alone. */
  readonly context?: string;
  /** Shown to people. */
  readonly display?: string;
}

/** Programs of the user that take part in a compaction. A rejection fails the compaction, as a block does. */
export interface CompactionHooks {
  run(call: HookCall, signal: AbortSignal): Promise<HookAnswer>;
}
