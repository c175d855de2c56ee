import { oneLine } from '../../core/util/text';
import type { SessionEntry } from '../../node/engine/contract';
import { ago, shortPercent, shortTokens, whole } from '../l10n/numbers';
import type { Translate } from '../l10n/translate';
import { isWindowState, stateWord } from '../l10n/words';

const MAX_TITLE = 80;
/** Written to so lately that the agent is most likely at work. */
const LIVE_MS = 2 * 60_000;

export interface SessionWords {
  readonly label: string;
  readonly description: string;
  /** Lines of the tooltip, plain text. */
  readonly tooltip: readonly string[];
  readonly spoken: string;
}

const PREFIXES: ReadonlyMap<string, string> = new Map([
  ['provider_reported', ''],
  ['local_lower_bound', '≥ '],
]);

/** Label, description and tooltip of a session in the list. Everything from the transcript is made harmless and short. */
export function sessionWords(entry: SessionEntry, nowMs: number, locale: string, t: Translate): SessionWords {
  const label = oneLine(entry.title === '' ? entry.fileName : entry.title, MAX_TITLE);
  const state = isWindowState(entry.state) ? entry.state : 'unknown';
  const when = ago(nowMs - entry.lastActivityMs, t);
  const usage = usageText(entry, locale, t);
  const description = [...(usage === undefined ? [] : [usage]), when].join(' · ');
  const agent = oneLine(entry.agent, MAX_TITLE);
  const model = entry.model === null ? [] : [oneLine(entry.model, MAX_TITLE)];
  return {
    label,
    description,
    tooltip: [
      label,
      [agent, ...model].join(' · '),
      [...(usage === undefined ? [] : [`${usage} · ${stateWord(state, t)}`]), when].join(' · '),
      sizeText(entry, locale, t),
    ],
    spoken: [label, agent, usage ?? t('size unknown'), stateWord(state, t), when].join(', '),
  };
}

/** True when the session was written to within the last two minutes. */
export function isLive(entry: SessionEntry, nowMs: number): boolean {
  return nowMs - entry.lastActivityMs < LIVE_MS;
}

/** Codicon that stands for the state of a session. */
export function sessionIcon(entry: SessionEntry, nowMs: number): string {
  switch (entry.state) {
    case 'warning':
    case 'error':
    case 'autoCompact':
      return 'warning';
    case 'blocked':
      return 'error';
    default:
      return isLive(entry, nowMs) ? 'record' : 'circle-outline';
  }
}

/** Outside text for labels that draw `$(name)` as an icon (quick picks, messages): the icon's text stays text. */
export function withoutIcons(text: string): string {
  return text.replaceAll('$(', '\\$(');
}

function usageText(entry: SessionEntry, locale: string, t: Translate): string | undefined {
  if (entry.usedTokens === null) return undefined;
  const prefix = PREFIXES.get(entry.measurement) ?? '~ ';
  const used = `${prefix}${shortTokens(entry.usedTokens, locale)}`;
  if (entry.windowTokens === null || entry.percentUsed === null) return t('{0} tokens', used);
  return t('{0} % · {1} of {2}', shortPercent(entry.percentUsed), used, shortTokens(entry.windowTokens, locale));
}

function sizeText(entry: SessionEntry, locale: string, t: Translate): string {
  return t('{0} · {1} KB', oneLine(entry.fileName, MAX_TITLE), whole(Math.ceil(entry.bytes / 1024), locale));
}
