import type { VNode } from 'preact';
import type { DiagnosticView } from '../../src/core/protocol/viewModel';
import { Icon, type IconName } from '../components/Icon';
import { Outside } from '../components/Outside';
import { Pane } from '../components/Pane';
import { useStore, useWords } from '../context';
import { LARGE_SURFACES, type Panel } from '../panel';

export const diagnostics: Panel = {
  id: 'diagnostics',
  titleKey: 'diagnostics.title',
  place: 'side',
  surfaces: LARGE_SURFACES,
  view: Diagnostics,
};

/** A damaged file can have one for each of its lines. */
const MAX_LINES = 200;
const SEVERITIES = ['error', 'warning', 'info'] as const;
const ICONS = { error: 'cross', warning: 'alert', info: 'info' } as const satisfies Record<DiagnosticView['severity'], IconName>;
const TONES = { error: 'error', warning: 'warning', info: 'muted' } as const;

function Diagnostics(): VNode | null {
  const { session } = useStore();
  const { t, plural, exact } = useWords();
  const all = session.value?.diagnostics ?? [];
  if (all.length === 0) return null;
  const counts = SEVERITIES.map((severity) => ({ severity, count: all.filter((one) => one.severity === severity).length }));
  const note = counts
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => plural(`diagnostics.${severity}`, count))
    .join(' · ');
  return (
    <Pane id="diagnostics" title={t('diagnostics.title')} note={note} initiallyOpen={false} testId="diagnostics">
      <ul class="pane-body diagnostics">
        {all.slice(0, MAX_LINES).map((one, index) => (
          <li key={index}>
            <Icon name={ICONS[one.severity]} tone={TONES[one.severity]} />
            <span class="visually-hidden">{t(`severity.${one.severity}`)}</span>
            <span class="number">{t('diagnostics.line', { line: exact(one.line) })}</span>
            <span class="diagnostic-text">
              <Outside text={one.detail === '' ? one.code : one.detail} />
              {one.detail === '' ? null : (
                <span class="muted">
                  {' '}
                  (<Outside text={one.code} />)
                </span>
              )}
            </span>
          </li>
        ))}
        {all.length > MAX_LINES ? <li class="muted">{t('diagnostics.more', { count: exact(all.length - MAX_LINES) })}</li> : null}
      </ul>
    </Pane>
  );
}
