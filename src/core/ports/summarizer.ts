import type { Message } from '../model/message';
import type { PartialDirection } from '../model/boundary';

/** How much a summary tells: everything that may be needed later, or the little that a small window has room for. */
export type SummaryStyle = 'full' | 'concise';

/** How long a summary may be: shorter than by default, as by default, or longer. */
export type SummaryDetail = 'brief' | 'normal' | 'full';

/**
 * What a summary by a model is asked to be like (seed 2, StructuredSummarizeOptions). That seed's third option, to send the messages as one text of
 * data, has no counterpart: they are sent in no other way, since no text of a session may speak in a role of its own (R52).
 */
export interface SummaryForm {
  /** `full` when absent. */
  readonly style?: SummaryStyle;
  /** `normal` when absent. */
  readonly detail?: SummaryDetail;
  /** A whole number from 1 to 20,000; anything else means 20,000. */
  readonly maxOutputTokens?: number;
}

export interface SummaryRequest extends SummaryForm {
  /** What the summary replaces, in order, with media already replaced by markers. */
  readonly messages: readonly Message[];
  /** Undefined for a full compaction. */
  readonly direction: PartialDirection | undefined;
  /** The user's own wish for this summary; '' when there is none. */
  readonly instructions: string;
  readonly maxOutputTokens: number;
}

/** Something about a summary that its reader should know, as a sentence. */
export interface SummaryNote {
  readonly code: 'secretsMasked' | 'namesMarked' | 'originalsTooLong' | 'summaryOfSummary';
  readonly message: string;
}

export interface SummaryReply {
  readonly text: string;
  readonly notes?: readonly SummaryNote[];
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
