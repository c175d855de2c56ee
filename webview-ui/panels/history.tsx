import type { VNode } from 'preact';
import { HistoryList } from '../components/HistoryList';
import { Pane } from '../components/Pane';
import { useStore, useWords } from '../context';
import { Button } from '../controls';
import { LARGE_SURFACES, type Panel } from '../panel';

export const history: Panel = { id: 'history', titleKey: 'history.title', place: 'side', surfaces: LARGE_SURFACES, view: HistoryPane };

/** The compactions that this session is the copy or the original of. */
function HistoryPane(): VNode | null {
  const { session, history: list } = useStore();
  const { t, exact } = useWords();
  const state = list.state.value;
  const view = session.value;
  if (view === undefined || view.problem !== null) return null;
  return (
    <Pane
      id="history"
      title={t('history.title')}
      count={state.kind === 'ready' && state.entries.length > 0 ? exact(state.entries.length) : undefined}
      initiallyOpen={false}
      testId="history"
    >
      <div class="pane-body" data-testid="history-body" data-state={state.kind}>
        {state.kind === 'loading' ? <p class="muted">{t('messages.loading')}</p> : null}
        {state.kind === 'failed' ? (
          <>
            <p class="note note-error">{t('history.failed', { reason: state.reason })}</p>
            <div class="buttons">
              <Button onClick={list.load}>{t('app.retry')}</Button>
            </div>
          </>
        ) : null}
        {state.kind === 'ready' && state.entries.length === 0 ? <p class="muted">{t('history.none')}</p> : null}
        {state.kind === 'ready' && state.entries.length > 0 ? <HistoryList entries={state.entries} /> : null}
      </div>
    </Pane>
  );
}
