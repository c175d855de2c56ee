import type { CompactBoundary } from '../model/boundary';
import type { Message } from '../model/message';
import type { ContextReport, Diagnostic, FormatId, SessionTotals, Sidechain, Transcript } from '../model/transcript';
import { sessionTotals } from '../tokens/sessionTotals';
import { inLineOrder, nextModel } from './assemble';

/** What a file says about its session besides its messages. */
export interface SessionFacts {
  readonly agentVersion?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly cwd?: string | undefined;
  readonly title?: string | undefined;
  /** Undefined: the model of the newest answer. */
  readonly model?: string | undefined;
  readonly windowTokens?: number | undefined;
}

/** What an adapter tells of a session; what is absent is unknown. */
export interface TranscriptDraft extends SessionFacts {
  /** Each by a name of its own. */
  readonly messages: readonly Message[];
  /** Undefined: all but marks and error lines. */
  readonly context?: readonly number[] | undefined;
  readonly boundaries?: readonly CompactBoundary[];
  readonly sidechains?: readonly Sidechain[];
  readonly reports?: readonly ContextReport[] | undefined;
  /** Messages whose usage counts, each once; undefined: those of the conversation and of its side chains. */
  readonly spent?: readonly Message[] | undefined;
  /** Requests that stand in no message, such as those that a rewind took back: they were paid for all the same. */
  readonly otherRequests?: readonly Message[];
  /** Where the file states the sums itself, or states what no message shows. */
  readonly totals?: SessionTotals | undefined;
  readonly diagnostics?: readonly Diagnostic[];
}

/** Makes the transcript of a session that has been read: what every format's comes from. Reports when it holds no message. */
export function transcriptOf(format: FormatId, draft: TranscriptDraft, damage: readonly Diagnostic[] = []): Transcript {
  const { messages, sidechains = [], otherRequests = [] } = draft;
  const diagnostics = [...damage, ...(draft.diagnostics ?? [])];
  if (messages.length === 0 && sidechains.every((chain) => chain.messages.length === 0)) diagnostics.push(NO_MESSAGES);
  return {
    format,
    agentVersion: draft.agentVersion,
    sessionId: draft.sessionId,
    cwd: draft.cwd,
    title: draft.title,
    model: draft.model ?? nextModel(messages),
    windowTokens: draft.windowTokens,
    messages,
    context: draft.context ?? messages.flatMap((message, index) => (isSeen(message) ? [index] : [])),
    boundaries: draft.boundaries ?? [],
    sidechains,
    reports: draft.reports,
    totals:
      draft.totals ??
      sessionTotals([...(draft.spent ?? [...messages, ...sidechains.flatMap((chain) => chain.messages)]), ...otherRequests]),
    diagnostics: inLineOrder(diagnostics),
  };
}

const NO_MESSAGES: Diagnostic = { line: 0, code: 'no_messages', severity: 'info' };

/** False for marks in the file and for error lines, which agents take out of the next request. */
export function isSeen({ kind }: Message): boolean {
  return kind !== 'boundary' && kind !== 'microBoundary' && kind !== 'apiError';
}

/** A boundary of which the format tells no more than its place, its mark and what is given. */
export function plainBoundary(index: number, boundary: Message, more: Partial<CompactBoundary>): CompactBoundary {
  return {
    index,
    id: boundary.id,
    timestamp: boundary.timestamp,
    trigger: 'unknown',
    preTokens: undefined,
    postTokens: undefined,
    durationMs: undefined,
    summaryId: undefined,
    preservedSegment: undefined,
    valid: true,
    ...more,
  };
}
