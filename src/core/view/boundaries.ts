import { textOf, type Message } from '../model/message';
import type { BoundaryView } from '../protocol/viewModel';
import type { Inspection } from '../session/inspection';
import { cutToUnits } from '../util/text';

const SUMMARY_UNITS = 4000;
/** Of all summaries together; a session that was compacted hundreds of times shows the beginnings of each. */
const ALL_SUMMARIES_UNITS = 200_000;

/** The boundaries as the page shows them, oldest first. */
export function boundaryViews(inspection: Inspection): readonly BoundaryView[] {
  const { transcript, sizes } = inspection;
  const rowOf = rowsOf(inspection);
  const units = Math.min(SUMMARY_UNITS, Math.floor(ALL_SUMMARIES_UNITS / Math.max(1, transcript.boundaries.length)));
  return transcript.boundaries.map((boundary, index) => {
    const summaryRow = boundary.summaryId === undefined ? undefined : rowOf.get(boundary.summaryId);
    const summary = summaryRow === undefined ? undefined : transcript.messages[summaryRow];
    const segment = boundary.preservedSegment;
    const previous = transcript.boundaries[index - 1]?.index ?? -1;
    const preservedHere = segment?.ids.filter((id) => (rowOf.get(id) ?? Infinity) < boundary.index).length ?? 0;
    return {
      index,
      rowIndex: boundary.index,
      id: boundary.id,
      timestamp: boundary.timestamp ?? null,
      trigger: boundary.trigger,
      preTokens: boundary.preTokens ?? null,
      postTokens: boundary.postTokens ?? null,
      durationMs: boundary.durationMs ?? null,
      summaryId: boundary.summaryId ?? null,
      summary: summary === undefined ? null : beginningOf(summary, units),
      summaryTokens: summaryRow === undefined ? null : (sizes.tokens[summaryRow] ?? null),
      preserved:
        segment === undefined
          ? null
          : {
              startIndex: segment.startIndex,
              count: segment.count,
              anchor: segment.anchor ?? null,
              direction: segment.direction ?? null,
              ids: segment.ids,
            },
      summarizedCount: Math.max(0, boundary.index - previous - 1 - preservedHere),
      valid: boundary.valid,
    };
  });
}

const beginnings = new WeakMap<Message, string>();

/** Beginning of a summary. Kept, since its text may stay in a file, and all summaries are shown again after each change. */
function beginningOf(summary: Message, units: number): string {
  let beginning = beginnings.get(summary);
  if (beginning === undefined || beginning.length > units) {
    beginning = cutToUnits(textOf(summary), units);
    beginnings.set(summary, beginning);
  }
  return beginning;
}

/** Rows of the messages that boundaries name. */
function rowsOf({ transcript }: Inspection): ReadonlyMap<string, number> {
  const named = new Set(transcript.boundaries.flatMap(({ summaryId, preservedSegment }) => [summaryId, ...(preservedSegment?.ids ?? [])]));
  const rows = new Map<string, number>();
  if (named.size === 0) return rows;
  transcript.messages.forEach(({ id }, index) => {
    if (named.has(id)) rows.set(id, index);
  });
  return rows;
}
