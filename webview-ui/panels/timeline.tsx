import type { VNode } from 'preact';
import { ContextTimeline } from '../components/ContextTimeline';
import { Pane } from '../components/Pane';
import { TimelineMarks, TimelineTable } from '../components/TimelineMarks';
import { useStore, useWords } from '../context';
import { LARGE_SURFACES, type Panel } from '../panel';

export const timeline: Panel = {
  id: 'timeline',
  titleKey: 'timeline.title',
  place: 'top',
  surfaces: LARGE_SURFACES,
  view: Timeline,
};

function Timeline(): VNode | null {
  const { session } = useStore();
  const { t, exact, tokens } = useWords();
  const view = session.value;
  if (view === undefined || view.problem !== null || view.timeline === null) return null;
  const shown = view.timeline;
  const now = shown.points.at(-1)?.tokens ?? 0;
  return (
    <Pane
      id="timeline"
      title={t('timeline.title')}
      count={shown.marks.length === 0 ? undefined : exact(shown.marks.length)}
      note={shown.whole ? undefined : t('timeline.newest')}
      initiallyOpen
      testId="timeline"
    >
      <div class="pane-body">
        <ContextTimeline timeline={shown} />
        <p class="muted timeline-none">
          {t('timeline.summary', { count: exact(shown.reports), peak: tokens(shown.peakTokens), now: tokens(now) })}
        </p>
        <TimelineMarks timeline={shown} />
        <TimelineTable timeline={shown} />
      </div>
    </Pane>
  );
}
