export type CompactTrigger = 'manual' | 'auto' | 'reactive' | 'partial_from' | 'partial_up_to' | 'micro' | 'unknown';
export type PartialDirection = 'from' | 'upTo';

/** Messages that a compaction carried over word for word. They may stand before the boundary in the file. */
export interface PreservedSegment {
  /** Index of the first preserved message in the transcript's messages; null when none of them is in the file. */
  readonly startIndex: number | null;
  readonly count: number;
  /** Id of the record after which the messages are spliced in, where the format names one. */
  readonly anchor: string | undefined;
  readonly direction: PartialDirection | undefined;
  readonly ids: readonly string[];
  /** Messages that the record names besides, which are in the file but on a branch that was left (a rewind). Absent where there are none. */
  readonly abandoned?: readonly string[];
}

/** A compaction as the transcript records it. */
export interface CompactBoundary {
  /** Index of the boundary's own entry in the transcript's messages. */
  readonly index: number;
  readonly id: string;
  readonly timestamp: string | undefined;
  /** As the agent wrote it. */
  readonly trigger: string;
  readonly preTokens: number | undefined;
  readonly postTokens: number | undefined;
  readonly durationMs: number | undefined;
  readonly summaryId: string | undefined;
  readonly preservedSegment: PreservedSegment | undefined;
  /** False when ids that it names are missing, or no summary belongs to it. */
  readonly valid: boolean;
}
