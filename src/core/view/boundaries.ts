import type { CompactBoundary } from '../model/boundary';
import { textOf, type Message } from '../model/message';
import type { BoundaryView } from '../protocol/viewModel';
import type { Inspection } from '../session/inspection';
import { tokensAt } from '../session/newestPart';
import { messageAt } from '../transcript/lineage';
import type { Steps } from '../util/steps';
import { cutToUnits } from '../util/text';

const SUMMARY_UNITS = 4000;
/** Of all summaries together; a session that was compacted hundreds of times shows the beginnings of each. */
const ALL_SUMMARIES_UNITS = 200_000;

/** Row of a message that a boundary names. */
type RowOf = (id: string) => number | undefined;

/** The boundaries as the page shows them, oldest first. One that is as it was is the same object in the next view. */
export class BoundaryViews {
  #known: readonly { readonly boundary: CompactBoundary; readonly previous: number; readonly view: BoundaryView }[] = [];
  #units = 0;
  /** Beginnings of summaries, whose texts may stay in a file. */
  readonly #beginnings = new WeakMap<Message, { readonly units: number; readonly text: string }>();

  /** The views of all boundaries of one state. */
  *view(inspection: Inspection, rowOf: RowOf): Steps<readonly BoundaryView[]> {
    const { transcript } = inspection;
    const units = Math.min(SUMMARY_UNITS, Math.floor(ALL_SUMMARIES_UNITS / Math.max(1, transcript.boundaries.length)));
    const known = units === this.#units ? this.#known : [];
    const next = [];
    for (const [index, boundary] of transcript.boundaries.entries()) {
      const previous = transcript.boundaries[index - 1]?.index ?? -1;
      const before = known[index];
      const summaryRow = boundary.summaryId === undefined ? undefined : rowOf(boundary.summaryId);
      const summaryTokens = summaryRow === undefined ? null : (tokensAt(inspection, summaryRow) ?? null);
      const isSame = before?.boundary === boundary && before.previous === previous && before.view.summaryTokens === summaryTokens;
      if (isSame) next.push(before);
      else {
        const summary = summaryRow === undefined ? undefined : messageAt(transcript, summaryRow);
        const beginning = summary === undefined ? null : this.#beginningOf(summary, units);
        const view = { ...boundaryView(boundary, index, previous, rowOf), summary: beginning, summaryTokens };
        next.push({ boundary, previous, view });
        // A summary may have been read from the file.
        yield;
      }
    }
    this.#known = next;
    this.#units = units;
    return next.map(({ view }) => view);
  }

  #beginningOf(summary: Message, units: number): string {
    const known = this.#beginnings.get(summary);
    if (known?.units === units) return known.text;
    const text = cutToUnits(textOf(summary), units);
    this.#beginnings.set(summary, { units, text });
    return text;
  }
}

function boundaryView(
  boundary: CompactBoundary,
  index: number,
  previous: number,
  rowOf: RowOf,
): Omit<BoundaryView, 'summary' | 'summaryTokens'> {
  const segment = boundary.preservedSegment;
  const preservedHere = segment?.ids.filter((id) => (rowOf(id) ?? Infinity) < boundary.index).length ?? 0;
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
}
