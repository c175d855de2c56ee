import type { Message } from './message';

/** Tokens that summarizer calls cost, where a provider reported them. */
export interface CompactionUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/**
 * A compaction in the running program, in parts, so that every caller builds the same view of it (seed 2, CompactionResult). Nothing in it is
 * sealed until a `ControlAuthority` does so.
 */
export interface CompactionResult {
  readonly outcome: 'compacted';
  readonly boundary: Message;
  readonly summaries: readonly Message[];
  readonly kept: readonly Message[];
  readonly attachments: readonly Message[];
  readonly hookResults: readonly Message[];
  /** What hooks want people to read, one line each; '' for nothing. */
  readonly displayText: string;
  /** Estimates by one counter: of all messages before, and of what the model sees after (without the boundary, which no model sees). */
  readonly preTokens: number;
  readonly postTokens: number;
  readonly usage: CompactionUsage | undefined;
  /** Replaces the order of the parts where it is given. */
  readonly prepared: readonly Message[] | undefined;
}
