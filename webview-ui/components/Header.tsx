import type { VNode } from 'preact';
import type { SessionView } from '../../src/core/protocol/viewModel';
import { useStore, useWords } from '../context';
import { Button } from '../controls';
import { visibleText } from '../outsideText';
import { Outside } from './Outside';

/** Which session this is, and what can be done with it as a whole. */
export function Header({ view }: { readonly view: SessionView }): VNode {
  const { pickSession, compaction, settings } = useStore();
  const { t, plural, tokens } = useWords();
  const model = view.model === null ? t('header.noModel') : visibleText(view.model);
  const { windowTokens } = view.gauge;
  const canCompact = view.canCompact && view.problem === null;
  return (
    <header class="header">
      <h1 title={visibleText(`${view.title}\n${view.fileName}`)}>
        {view.title === '' ? t('app.untitled') : <Outside text={view.title} />}
      </h1>
      <ul class="chips">
        {view.live ? (
          <li class="chip is-live" title={t('header.liveHint')}>
            {t('header.live')}
          </li>
        ) : null}
        <li class="chip" title={view.agentVersion === null ? undefined : visibleText(view.agentVersion)}>
          {visibleText(view.agent)}
        </li>
        <li class="chip">
          {windowTokens === null ? t('header.windowUnknown', { model }) : t('header.window', { model, window: tokens(windowTokens) })}
        </li>
        <li class="chip">
          {plural('count.turns', view.turns)} · {plural('count.compactions', view.boundaries.length)}
        </li>
      </ul>
      <div class="header-buttons">
        <Button testId="sessions" onClick={pickSession}>
          {t('header.sessions')}
        </Button>
        <Button
          primary
          testId="compact"
          disabled={!canCompact}
          {...(canCompact ? {} : { title: t('header.compactOff') })}
          onClick={() => compaction.preview({ kind: 'full', keepMessages: settings.value.keepMessages })}
        >
          {t('header.compact')}
        </Button>
      </div>
      <p class="header-note" role="status" data-testid="partial">
        {view.partial ? t('header.partial') : ''}
      </p>
    </header>
  );
}
