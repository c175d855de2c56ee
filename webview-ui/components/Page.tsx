import type { VNode } from 'preact';
import { useStore, useWords } from '../context';
import { Button } from '../controls';
import type { Panel, Surface } from '../panel';
import { PANELS } from '../panels';
import { Announcer } from './Announcer';
import { ErrorBanner } from './ErrorBanner';
import { Header } from './Header';
import { Skeleton } from './Skeleton';

/** The whole page on one surface. */
export function Page({ surface }: { readonly surface: Surface }): VNode {
  const store = useStore();
  const { t } = useWords();
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
      {view === undefined ? (
        phase.kind === 'failed' ? (
          <ErrorBanner testId="failed" text={t('app.failed', { reason: phase.reason })}>
            <Button testId="retry" onClick={store.open}>
              {t('app.retry')}
            </Button>
          </ErrorBanner>
        ) : (
          <Skeleton />
        )
      ) : (
        <Panels surface={surface} />
      )}
      {view === undefined ? null : <Announcer gauge={view.gauge} />}
    </main>
  );
}

/** What the user must know before anything else. */
function Banners(): VNode {
  const { session, failure, act } = useStore();
  const { t } = useWords();
  const problem = session.value?.problem ?? null;
  return (
    <>
      {problem === null ? null : (
        <ErrorBanner testId="problem" title={t('problem.title')} text={problem}>
          <Button onClick={() => act((client) => client.request('session/pick', {}))}>{t('header.sessions')}</Button>
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
