import type { TimelineMarkView, TimelinePointView, TimelineView } from '../protocol/viewModel';
import type { Inspection } from '../session/inspection';
import { tokensFrom } from '../session/newestPart';
import { contextTimeline } from '../session/timeline';
import { messageCount } from '../transcript/lineage';

/** Newest messages that are looked at, and what of them is drawn: more would be a line of one pixel, and every change sends it anew. */
const NEWEST = { messages: 3000, points: 240, marks: 40 } as const;

/** The timeline of the newest messages; null with fewer than two reports, which make no line. */
export function timelineView(inspection: Inspection): TimelineView | null {
  const { transcript, sizes } = inspection;
  const from = Math.max(0, messageCount(transcript) - NEWEST.messages);
  const { points, marks } = contextTimeline(transcript, { tokens: tokensFrom(inspection, from), bandOf: sizes.bandOf }, from);
  if (points.length < 2) return null;
  const shown = marks.slice(-NEWEST.marks);
  const all = points.map(({ index, totalTokens, stretch }): TimelinePointView => ({ index, tokens: totalTokens, stretch }));
  return {
    points: thinned(all, new Set(shown.map(({ index }) => index))),
    marks: shown.map((mark): TimelineMarkView => ({ ...mark })),
    peakTokens: all.reduce((most, { tokens }) => Math.max(most, tokens), 0),
    reports: points.length,
    whole: from === 0,
  };
}

/** At most a fixed number of points: of each group the largest, the ends of each part between compactions, and those that have a mark. */
function thinned(points: readonly TimelinePointView[], marked: ReadonlySet<number>): readonly TimelinePointView[] {
  if (points.length <= NEWEST.points) return points;
  const size = Math.ceil(points.length / NEWEST.points);
  const kept = new Set<TimelinePointView>();
  for (let start = 0; start < points.length; start += size) {
    const group = points.slice(start, start + size);
    const largest = group.reduce((a, b) => (b.tokens > a.tokens ? b : a));
    kept.add(largest);
  }
  return points.filter((point, at) => {
    const isEnd = point.stretch !== points[at - 1]?.stretch || point.stretch !== points[at + 1]?.stretch;
    return isEnd || marked.has(point.index) || kept.has(point);
  });
}
