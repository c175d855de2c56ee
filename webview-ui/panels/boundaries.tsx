import type { VNode } from 'preact';
import { BoundaryCard } from '../components/BoundaryCard';
import { Pane } from '../components/Pane';
import { useStore, useWords } from '../context';
import { LARGE_SURFACES, type Panel } from '../panel';

export const boundaries: Panel = {
  id: 'boundaries',
  titleKey: 'boundaries.title',
  place: 'side',
  surfaces: LARGE_SURFACES,
  view: Boundaries,
};

/** More cards than this would only be scrolled past; the list of messages leads to each of them. */
const MAX_CARDS = 50;

function Boundaries(): VNode | null {
  const { session, inspected } = useStore();
  const { t, exact } = useWords();
  const view = session.value;
  if (view === undefined || view.problem !== null) return null;
  const all = view.boundaries;
  const wanted = inspected.value;
  const newest = all.slice(-MAX_CARDS);
  const asked = all.filter((boundary) => boundary.rowIndex === wanted?.rowIndex && !newest.includes(boundary));
  return (
    <Pane id="boundaries" title={t('boundaries.title')} count={all.length === 0 ? undefined : exact(all.length)}>
      <div class="pane-body boundary-list">
        {all.length === 0 ? <p class="muted">{t('boundaries.none')}</p> : null}
        {[...newest].reverse().map((boundary) => (
          <BoundaryCard
            key={boundary.index}
            boundary={boundary}
            isLatest={boundary === all.at(-1)}
            shownAt={wanted?.rowIndex === boundary.rowIndex ? wanted.at : undefined}
          />
        ))}
        {asked.map((boundary) => (
          <BoundaryCard key={boundary.index} boundary={boundary} isLatest={false} shownAt={wanted?.at} />
        ))}
        {all.length > newest.length ? <p class="muted">{t('diagnostics.more', { count: exact(all.length - newest.length) })}</p> : null}
      </div>
    </Pane>
  );
}
