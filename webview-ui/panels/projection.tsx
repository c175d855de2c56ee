import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { ProjectionAnswer, ProjectionView } from '../../src/core/protocol/boundaryReportView';
import { Icon } from '../components/Icon';
import { Pane } from '../components/Pane';
import { ProjectionList } from '../components/ProjectionList';
import { Sign } from '../components/Tokens';
import { useStore, useWords } from '../context';
import { Button } from '../controls';
import { LARGE_SURFACES, type Panel } from '../panel';
import { useAsked, type Asking } from '../useAsked';

export const projection: Panel = {
  id: 'projection',
  titleKey: 'projection.title',
  place: 'side',
  surfaces: LARGE_SURFACES,
  view: Projection,
};

/** Progressive projection of the present context as a what-if; worked out when the pane is opened. */
function Projection(): VNode | null {
  const { session } = useStore();
  const { t } = useWords();
  const [isOpen, setOpen] = useState(false);
  const asking = useAsked(isOpen, 'projection', (client, handle, signal) => client.request('projection/preview', { handle }, signal));
  const view = session.value;
  if (view === undefined || view.problem !== null || view.rows.count === 0) return null;
  return (
    <Pane id="projection" title={t('projection.title')} note={t('projection.note')} open={isOpen} onOpen={setOpen} testId="projection">
      <div class="pane-body projection" data-state={asking.answer?.kind ?? 'closed'} aria-busy={asking.answer?.kind === 'waiting'}>
        <Body asking={asking} />
      </div>
    </Pane>
  );
}

function Body({ asking: { answer, again } }: { readonly asking: Asking<ProjectionAnswer> }): VNode | null {
  const { t } = useWords();
  if (answer === undefined) return null;
  if (answer.kind === 'waiting') {
    return (
      <p class="muted" role="status">
        {t('projection.loading')}
      </p>
    );
  }
  if (answer.kind === 'failed') {
    return (
      <>
        <p class="note note-error" role="alert">
          <Icon name="cross" tone="error" />
          {t('projection.failed', { reason: answer.reason })}
        </p>
        <div class="buttons">
          <Button testId="projection-retry" onClick={again}>
            {t('report.retry')}
          </Button>
        </div>
      </>
    );
  }
  return (
    <>
      <p class="hint">{t('projection.hint')}</p>
      {'outcome' in answer.value ? <p data-testid="projection-refusal">{answer.value.message}</p> : <Decision projection={answer.value} />}
      <button type="button" class="link" onClick={again}>
        {t('report.again')}
      </button>
    </>
  );
}

function Decision({ projection: shown }: { readonly projection: ProjectionView }): VNode {
  const { t, plural, tokens, usd, percent } = useWords();
  const { admitted, reason, tokensBefore, tokensAfter, netSavingsUsd, items } = shown;
  const saved = tokensBefore - tokensAfter;
  const shortened = items.filter(({ form }) => form !== 'whole').length;
  return (
    <>
      <p class="projection-decision" data-testid="projection-decision" data-admitted={admitted} data-reason={reason}>
        <Icon name={admitted ? 'tick' : 'minus'} tone={admitted ? 'normal' : 'muted'} />
        <span>
          <strong>{t(admitted ? 'projection.admitted' : 'projection.kept')}</strong> {t(`projectionReason.${reason}`)}
          {netSavingsUsd === null || netSavingsUsd === 0
            ? null
            : ` ${t(netSavingsUsd > 0 ? 'projection.gain' : 'projection.loss', { usd: usd(Math.abs(netSavingsUsd)) })}`}
        </span>
      </p>
      {shortened === 0 ? null : (
        <p class="delta">
          <strong>{t('projection.sizes', { before: tokens(tokensBefore), after: tokens(tokensAfter) })}</strong>{' '}
          <span class="delta-saved">
            −{tokens(saved)} (−{percent(tokensBefore === 0 ? 0 : (saved / tokensBefore) * 100)})
          </span>{' '}
          <span class="provenance">
            <span>
              <Sign measurement="estimate" /> {plural('projection.shortened', shortened)}
            </span>
          </span>
        </p>
      )}
      <ProjectionList projection={shown} />
    </>
  );
}
