import type { VNode } from 'preact';
import { useStore, useWords } from '../context';
import { Button } from '../controls';
import { visibleText } from '../outsideText';
import type { Panel, Surface } from '../panel';
import { PANELS } from '../panels';
import { Announcer } from './Announcer';
import { EmptyState } from './EmptyState';
import { ErrorBanner } from './ErrorBanner';
import { Header } from './Header';
import { Skeleton } from './Skeleton';

/** The whole page on one surface. */
export function Page({ surface }: { readonly surface: Surface }): VNode {
  const store = useStore();
  const phase = store.phase.value;
  const view = store.session.value;
  const state = view === undefined ? phase.kind : view.problem === null ? view.gauge.state : 'problem';
  return (
    <main
      class="page"
      data-testid="inspector"
      data-surface={surface}
      data-state={state}
      data-revision={view?.revision}
      data-handle={view?.handle}
    >
      {view === undefined ? null : <Header view={view} />}
      <Banners />
      {view === undefined ? <Waiting /> : <Panels surface={surface} />}
      {view === undefined ? null : <Announcer gauge={view.gauge} />}
    </main>
  );
}

/** What stands in place of a session. */
function Waiting(): VNode {
  const { phase, open } = useStore();
  const { t } = useWords();
  const now = phase.value;
  if (now.kind === 'none') return <EmptyState text={now.reason} />;
  if (now.kind !== 'failed') return <Skeleton />;
  return (
    <ErrorBanner testId="failed" text={t('app.failed', { reason: now.reason })}>
      <Button testId="retry" onClick={open}>
        {t('app.retry')}
      </Button>
    </ErrorBanner>
  );
}

/** What the user must know before anything else. */
function Banners(): VNode {
  const { session, failure, pickSession } = useStore();
  const { t } = useWords();
  const problem = session.value?.problem ?? null;
  return (
    <>
      {problem === null ? null : (
        <ErrorBanner testId="problem" title={t('problem.title')} text={visibleText(problem)}>
          <Button onClick={pickSession}>{t('header.sessions')}</Button>
        </ErrorBanner>
      )}
      {failure.value === undefined ? null : (
        <ErrorBanner testId="failure" text={t('action.failed', { reason: failure.value })}>
          <Button onClick={() => (failure.value = undefined)}>{t('action.dismiss')}</Button>
        </ErrorBanner>
      )}
    </>
  );
}

function Panels({ surface }: { readonly surface: Surface }): VNode {
  const shown: readonly Panel[] = PANELS.filter((panel) => panel.surfaces.includes(surface));
  const at = (place: Panel['place']): VNode[] =>
    shown.filter((panel) => panel.place === place).map(({ id, view: View }) => <View key={id} />);
  const main = at('main');
  return (
    <>
      {at('top')}
      <div class={main.length === 0 ? 'columns is-single' : 'columns'}>
        {main.length === 0 ? null : <div class="column">{main}</div>}
        <div class="column">{at('side')}</div>
      </div>
    </>
  );
}
