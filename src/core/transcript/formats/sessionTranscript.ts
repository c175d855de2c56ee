import type { CompactBoundary, PartialDirection } from '../../model/boundary';
import type { Message } from '../../model/message';
import type { FormatId, Transcript } from '../../model/transcript';
import { plainBoundary, transcriptOf, type SessionFacts, type TranscriptDraft } from '../transcriptDraft';
import type { StableNames } from './stableNames';

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

/** A session whose messages may repeat names, which are made unique, and whose compactions are told by places. */
export interface SessionDraft extends Omit<TranscriptDraft, keyof SessionFacts | 'boundaries'> {
  readonly format: FormatId;
  readonly facts: SessionFacts;
  readonly boundaries?: readonly BoundaryDraft[];
}

/** Makes the transcript of a session that has been read, each message by a name of its own. */
export function sessionTranscript({ format, facts, ...draft }: SessionDraft, names: StableNames): Transcript {
  const { sidechains = [], boundaries = [] } = draft;
  const named = names.of([...draft.messages, ...sidechains.flatMap((chain) => chain.messages)]);
  const messages = named.slice(0, draft.messages.length);
  let from = messages.length;
  const chains = sidechains.map((chain) => {
    const own = named.slice(from, from + chain.messages.length);
    from += own.length;
    return { id: chain.id, messages: own };
  });
  return transcriptOf(format, {
    ...facts,
    ...draft,
    messages,
    boundaries: boundaries.flatMap((boundary) => boundaryOf(boundary, messages) ?? []),
    sidechains: chains,
  });
}

function boundaryOf(draft: BoundaryDraft, messages: readonly Message[]): CompactBoundary | undefined {
  const idOf = (index: number | undefined): string | undefined => (index === undefined ? undefined : messages[index]?.id);
  const { index, kept, missing = 0, preTokens, postTokens, durationMs } = draft;
  const mark = messages[index];
  if (mark === undefined) return undefined;
  const summaryId = idOf(draft.summary);
  const isKept = kept.length > 0 || missing > 0;
  const segment = {
    startIndex: kept.length === 0 ? null : kept.reduce((least, at) => Math.min(least, at)),
    count: kept.length + missing,
    anchor: undefined,
    direction: draft.direction,
    ids: kept.flatMap((at) => idOf(at) ?? []),
  };
  return plainBoundary(index, mark, {
    trigger: draft.trigger.slice(0, 100),
    preTokens,
    postTokens,
    durationMs,
    summaryId,
    ...(isKept ? { preservedSegment: segment } : {}),
    valid: summaryId !== undefined && missing === 0,
  });
}
