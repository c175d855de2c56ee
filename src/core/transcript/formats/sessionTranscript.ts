import type { CompactBoundary, PartialDirection } from '../../model/boundary';
import type { Message } from '../../model/message';
import type { ContextReport, Diagnostic, FormatId, SessionTotals, Sidechain, Transcript } from '../../model/transcript';
import { sessionTotals } from '../../tokens/sessionTotals';
import { inLineOrder, nextModel } from '../assemble';
import type { StableNames } from './stableNames';

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

/** A compaction by places in the list of messages. */
export interface BoundaryDraft {
  readonly index: number;
  readonly trigger: string;
  readonly preTokens?: number | undefined;
  readonly postTokens?: number | undefined;
  readonly durationMs?: number | undefined;
  readonly summary: number | undefined;
  /** What stayed word for word, in the order in which the model sees it. */
  readonly kept: readonly number[];
  readonly direction?: PartialDirection | undefined;
  /** How many messages it names that are not in the file. */
  readonly missing?: number;
}

export interface SessionDraft {
  readonly format: FormatId;
  readonly facts: SessionFacts;
  /** Names may repeat; they are made unique. */
  readonly messages: readonly Message[];
  /** Undefined: all but marks and error lines. */
  readonly context?: readonly number[] | undefined;
  readonly boundaries?: readonly BoundaryDraft[];
  readonly sidechains?: readonly Sidechain[];
  readonly reports?: readonly ContextReport[] | undefined;
  /** Messages whose usage counts, each once; undefined: those of the conversation and of its side chains. */
  readonly spent?: readonly Message[];
  /** Where the file states the sums itself, or states what no message shows. */
  readonly totals?: SessionTotals | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Makes the transcript of a session that has been read; reports when it holds no message. */
export function sessionTranscript(draft: SessionDraft, names: StableNames): Transcript {
  const { facts, sidechains = [] } = draft;
  const named = names.of([...draft.messages, ...sidechains.flatMap((chain) => chain.messages)]);
  const messages = named.slice(0, draft.messages.length);
  let from = messages.length;
  const chains = sidechains.map((chain) => {
    const own = named.slice(from, from + chain.messages.length);
    from += own.length;
    return { id: chain.id, messages: own };
  });
  const diagnostics = [...draft.diagnostics];
  if (named.length === 0) diagnostics.push({ line: 0, code: 'no_messages', severity: 'info' });
  return {
    format: draft.format,
    agentVersion: facts.agentVersion,
    sessionId: facts.sessionId,
    cwd: facts.cwd,
    title: facts.title,
    model: facts.model ?? nextModel(messages),
    windowTokens: facts.windowTokens,
    messages,
    context: draft.context ?? messages.flatMap((message, index) => (isSeen(message) ? [index] : [])),
    boundaries: (draft.boundaries ?? []).map((boundary) => compactBoundary(boundary, messages)),
    sidechains: chains,
    reports: draft.reports,
    totals: draft.totals ?? sessionTotals(draft.spent ?? named),
    diagnostics: inLineOrder(diagnostics),
  };
}

/** False for marks in the file and for error lines, which agents take out of the next request. */
export function isSeen({ kind }: Message): boolean {
  return kind !== 'boundary' && kind !== 'microBoundary' && kind !== 'apiError';
}

function compactBoundary(draft: BoundaryDraft, messages: readonly Message[]): CompactBoundary {
  const idOf = (index: number | undefined): string | undefined => (index === undefined ? undefined : messages[index]?.id);
  const { index, kept, missing = 0 } = draft;
  const summaryId = idOf(draft.summary);
  return {
    index,
    id: idOf(index) ?? '',
    timestamp: messages[index]?.timestamp,
    trigger: draft.trigger.slice(0, 100),
    preTokens: draft.preTokens,
    postTokens: draft.postTokens,
    durationMs: draft.durationMs,
    summaryId,
    preservedSegment:
      kept.length === 0 && missing === 0
        ? undefined
        : {
            startIndex: kept.length === 0 ? null : kept.reduce((least, at) => Math.min(least, at)),
            count: kept.length + missing,
            anchor: undefined,
            direction: draft.direction,
            ids: kept.flatMap((at) => idOf(at) ?? []),
          },
    valid: summaryId !== undefined && missing === 0,
  };
}
