import type { Message } from '../model/message';
import type { PartialDirection } from '../model/boundary';

export interface SummaryRequest {
  /** What the summary replaces, in order, with media already replaced by markers. */
  readonly messages: readonly Message[];
  /** Undefined for a full compaction. */
  readonly direction: PartialDirection | undefined;
  /** The user's own wish for this summary; '' when there is none. */
  readonly instructions: string;
  readonly maxOutputTokens: number;
}

export interface SummaryReply {
  readonly text: string;
  /** Tokens that the call cost, where a provider reported them. */
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number } | undefined;
}

export interface SummarizerCapabilities {
  /** Shown to people: `Offline`, or the model's name. */
  readonly label: string;
  /** Host that the text is sent to; undefined when nothing leaves the machine. */
  readonly host: string | undefined;
}

/** Writes a summary. Rejects with a CompactError (`aborted`, `api`, `noSummary`, `incomplete`, `promptTooLong`, `summarizerUnavailable`). */
export interface Summarizer {
  readonly capabilities: SummarizerCapabilities;
  /** `onReceived` hears how many characters have come so far, where they come bit by bit. */
  summarize(request: SummaryRequest, signal: AbortSignal, onReceived?: (characters: number) => void): Promise<SummaryReply>;
}
