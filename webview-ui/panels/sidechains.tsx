import type { VNode } from 'preact';
import { Outside } from '../components/Outside';
import { Pane } from '../components/Pane';
import { Sign, Tokens } from '../components/Tokens';
import { useStore, useWords } from '../context';
import { LARGE_SURFACES, type Panel } from '../panel';

export const sidechains: Panel = {
  id: 'sidechains',
  titleKey: 'sidechains.title',
  place: 'side',
  surfaces: LARGE_SURFACES,
  view: Sidechains,
};

const MAX_LINES = 100;

function Sidechains(): VNode | null {
  const { session } = useStore();
  const { t, exact } = useWords();
  const all = session.value?.sidechains ?? [];
  if (all.length === 0) return null;
  return (
    <Pane id="sidechains" title={t('sidechains.title')} count={exact(all.length)} initiallyOpen={false} testId="sidechains">
      <div class="pane-body">
        <p class="hint">{t('sidechains.hint')}</p>
        <table class="plain-table" aria-labelledby="sidechains-title">
          <thead>
            <tr>
              <th scope="col">{t('sidechains.id')}</th>
              <th scope="col" class="number">
                {t('sidechains.messages')}
              </th>
              <th scope="col" class="number">
                {t('sidechains.tokens')}
              </th>
            </tr>
          </thead>
          <tbody>
            {all.slice(0, MAX_LINES).map((chain) => (
              <tr key={chain.id}>
                <td class="is-cut-off">
                  <Outside text={chain.id} />
                </td>
                <td class="number">{exact(chain.messages)}</td>
                <td class="number">
                  <Tokens count={chain.usedTokens} /> <Sign measurement="estimate" />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {all.length > MAX_LINES ? <p class="muted">{t('diagnostics.more', { count: exact(all.length - MAX_LINES) })}</p> : null}
      </div>
    </Pane>
  );
}
