import type { GaugeView, SessionView, WindowState } from '../../core/protocol/viewModel';
import { limitWord, measurementPrefix, stateWord } from '../l10n/words';
import { shortPercent, shortTokens, whole } from '../l10n/numbers';
import type { Translate } from '../l10n/translate';

export type StatusFormat = 'percent' | 'tokens' | 'both' | 'remaining';

export interface StatusWords {
  readonly text: string;
  /** What a screen reader says. */
  readonly label: string;
  /** Background; none for OK and unknown windows. */
  readonly severity: 'none' | 'warning' | 'error';
}

/** Error background only where the agent can't go on; warning from "Filling up" to "Compacts next". */
const SEVERITIES = {
  normal: 'none',
  unknown: 'none',
  warning: 'warning',
  error: 'warning',
  autoCompact: 'warning',
  blocked: 'error',
} as const satisfies Record<WindowState, StatusWords['severity']>;

/** Text, spoken label and background of the status bar for a session. With an unknown window every format shows tokens. */
export function statusWords(view: SessionView, format: StatusFormat, locale: string, t: Translate): StatusWords {
  const { gauge } = view;
  return { text: `$(dashboard) ${visible(gauge, format, locale, t)}`, label: spoken(gauge, locale, t), severity: SEVERITIES[gauge.state] };
}

function visible(gauge: GaugeView, format: StatusFormat, locale: string, t: Translate): string {
  const sign = measurementPrefix(gauge.measurement);
  const used = `${sign}${shortTokens(gauge.usedTokens, locale)}`;
  if (gauge.windowTokens === null || gauge.percentUsed === null) return used;
  const percent = `${sign}${shortPercent(gauge.percentUsed)}%`;
  const ofWindow = `${used}/${shortTokens(gauge.windowTokens, locale)}`;
  switch (format) {
    case 'percent':
      return percent;
    case 'tokens':
      return ofWindow;
    case 'both':
      return `${percent} · ${ofWindow}`;
    case 'remaining':
      return gauge.next === null
        ? stateWord(gauge.state, t)
        : t('{0} to {1}', `${sign}${shortTokens(gauge.next.tokens, locale)}`, limitWord(gauge.next.kind, t));
  }
}

function spoken(gauge: GaugeView, locale: string, t: Translate): string {
  const used = whole(gauge.usedTokens, locale);
  const parts =
    gauge.windowTokens === null || gauge.percentUsed === null
      ? [t('Context {0} tokens used, size of the window unknown', used)]
      : [
          t('Context {0} percent', shortPercent(gauge.percentUsed)),
          t('{0} of {1} tokens', used, whole(gauge.windowTokens, locale)),
          stateWord(gauge.state, t),
        ];
  if (measurementPrefix(gauge.measurement) !== '') parts.push(gauge.measurement === 'lowerBound' ? t('at least') : t('estimated'));
  if (gauge.next !== null) parts.push(t('{0} in {1} tokens', limitWord(gauge.next.kind, t), whole(gauge.next.tokens, locale)));
  return parts.join(', ');
}
