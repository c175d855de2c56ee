import type { VNode } from 'preact';
import { EmptyState } from '../components/EmptyState';
import { MessageList } from '../components/MessageList';
import { Pane } from '../components/Pane';
import { RowLegend } from '../components/RowLegend';
import { useStore, useWords } from '../context';
import { LARGE_SURFACES, type Panel } from '../panel';

export const transcript: Panel = {
  id: 'transcript',
  titleKey: 'messages.title',
  place: 'main',
  surfaces: LARGE_SURFACES,
  view: Transcript,
};

function Transcript(): VNode | null {
  const { session, rows } = useStore();
  const { t, exact } = useWords();
  const view = session.value;
  if (view === undefined || view.problem !== null) return null;
  const { count, activeCount, maxTokens } = view.rows;
  const failure = rows.failure.value;
  return (
    <Pane
      id="messages"
      title={t('messages.title')}
      note={count === 0 ? undefined : t('messages.count', { active: exact(activeCount), count: exact(count) })}
    >
      {failure === undefined ? null : <p class="note note-error">{t('messages.failed', { reason: failure })}</p>}
      {count === 0 ? (
        <EmptyState text={t('messages.empty')} />
      ) : (
        <>
          <MessageList count={count} maxTokens={maxTokens} handle={view.handle} boundaries={view.boundaries} />
          <RowLegend />
        </>
      )}
    </Pane>
  );
}
