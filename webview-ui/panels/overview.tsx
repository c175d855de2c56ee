import type { VNode } from 'preact';
import type { GaugeView } from '../../src/core/protocol/viewModel';
import { CategoryTable } from '../components/CategoryTable';
import { CounterTable } from '../components/CounterTable';
import { LimitTable } from '../components/LimitTable';
import { StateChip } from '../components/StateChip';
import { TokenGauge } from '../components/TokenGauge';
import { Sign, Tokens } from '../components/Tokens';
import { useStore, useWords } from '../context';
import { Button } from '../controls';
import { EVERYWHERE, type Panel } from '../panel';

export const overview: Panel = { id: 'overview', titleKey: 'gauge.title', place: 'top', surfaces: EVERYWHERE, view: Overview };

function Overview(): VNode | null {
  const { session } = useStore();
  const { t } = useWords();
  const view = session.value;
  if (view === undefined || view.problem !== null) return null;
  const { gauge, categories } = view;
  return (
    <section
      class="card gauge"
      aria-label={t('gauge.title')}
      data-testid="gauge"
      data-used={gauge.usedTokens}
      data-window={gauge.windowTokens ?? ''}
      data-state={gauge.state}
    >
      <div class="gauge-head">
        <Headline gauge={gauge} />
        <StateChip state={gauge.state} />
        <Next gauge={gauge} />
        <Provenance gauge={gauge} isCompacted={view.boundaries.length > 0} />
      </div>
      {gauge.windowTokens === null ? (
        <UnknownWindow />
      ) : (
        <TokenGauge gauge={gauge} windowTokens={gauge.windowTokens} categories={categories} />
      )}
      {gauge.tooSmall ? <p class="note note-warning">{t('gauge.tooSmall')}</p> : null}
      <div class="gauge-body">
        <CategoryTable gauge={gauge} categories={categories} />
        <div>
          <LimitTable gauge={gauge} />
          <CounterTable gauge={gauge} />
        </div>
      </div>
    </section>
  );
}

/** The one large number: how much of what. */
function Headline({ gauge }: { readonly gauge: GaugeView }): VNode {
  const { t, tokens, percent } = useWords();
  const { windowTokens, percentUsed } = gauge;
  return (
    <p class="headline" data-testid="headline">
      <strong>
        <Tokens count={gauge.usedTokens} />
      </strong>{' '}
      {windowTokens === null || percentUsed === null ? (
        <span class="muted">{t('gauge.tokens')}</span>
      ) : (
        <span class="muted" title={gauge.windowSource === null ? undefined : t(`windowSource.${gauge.windowSource}`)}>
          {t('gauge.of', { window: tokens(windowTokens) })} · {percent(percentUsed)}
        </span>
      )}
    </p>
  );
}

/** What happens next and how far it is. */
function Next({ gauge }: { readonly gauge: GaugeView }): VNode | null {
  const { t, plural, tokens } = useWords();
  const { next, state } = gauge;
  if (next === null) {
    return state === 'blocked' || state === 'autoCompact' ? <p class="next">{t(`next.none.${state}`)}</p> : null;
  }
  return (
    <p class="next">
      {t(`next.${next.kind}`, { tokens: tokens(next.tokens) })}
      {next.turns === null ? null : <span class="muted">, {plural('next.turns', Math.max(1, Math.round(next.turns)))}</span>}
    </p>
  );
}

/** Which part of the headline was reported and which is guessed. */
function Provenance({ gauge, isCompacted }: { readonly gauge: GaugeView; readonly isCompacted: boolean }): VNode {
  const { t, tokens } = useWords();
  const { reportedTokens, estimatedTailTokens, windowSource } = gauge;
  return (
    <p class="provenance">
      {reportedTokens === null ? (
        <span>
          <Sign measurement={gauge.measurement} /> {t(isCompacted ? 'gauge.notReported' : 'gauge.neverReported')}
        </span>
      ) : (
        <span>
          <Sign measurement={gauge.measurement} /> {t('gauge.reported', { tokens: tokens(reportedTokens) })}
        </span>
      )}
      {reportedTokens !== null && estimatedTailTokens > 0 ? (
        <span>
          <Sign measurement="estimate" /> {t('gauge.tail', { tokens: tokens(estimatedTailTokens) })}
        </span>
      ) : null}
      {gauge.errorTokens > 0 ? (
        <span title={t('gauge.bandHint')} data-testid="error-band">
          {t('gauge.band', { tokens: tokens(gauge.errorTokens) })}
        </span>
      ) : null}
      {windowSource === 'assumed' ? <span title={t('windowSource.assumed')}>{t('windowAssumed')}</span> : null}
    </p>
  );
}

function UnknownWindow(): VNode {
  const { act } = useStore();
  const { t } = useWords();
  return (
    <div class="unknown-window">
      <p>{t('gauge.unknown')}</p>
      <Button testId="set-window" onClick={() => act((client, handle) => client.request('window/set', { handle }))}>
        {t('gauge.setWindow')}
      </Button>
    </div>
  );
}
