import type { CompactBoundary } from '../../src/core/model/boundary';
import type { Message } from '../../src/core/model/message';
import type { Transcript } from '../../src/core/model/transcript';
import { sessionTotals } from '../../src/core/tokens/sessionTotals';

/** A transcript of these messages as a reader would make it: boundaries by kind, and what follows the last one in the context. */
export function transcriptOf(messages: readonly Message[], more: Partial<Transcript> = {}): Transcript {
  const boundaries = messages.flatMap((message, index) => (message.kind === 'boundary' ? [boundaryAt(message.id, index)] : []));
  const start = (boundaries.at(-1)?.index ?? -1) + 1;
  return {
    format: 'claude-code',
    agentVersion: undefined,
    sessionId: undefined,
    cwd: undefined,
    title: undefined,
    model: undefined,
    windowTokens: undefined,
    messages,
    context: messages.map((_, index) => index).slice(start),
    boundaries,
    sidechains: [],
    reports: undefined,
    totals: sessionTotals(messages),
    diagnostics: [],
    ...more,
  };
}

function boundaryAt(id: string, index: number): CompactBoundary {
  return {
    index,
    id,
    timestamp: undefined,
    trigger: 'auto',
    preTokens: undefined,
    postTokens: undefined,
    durationMs: undefined,
    summaryId: undefined,
    preservedSegment: undefined,
    valid: true,
  };
}
