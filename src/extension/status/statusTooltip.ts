import type { SessionView } from '../../core/protocol/viewModel';
import { oneLine } from '../../core/util/text';
import type { AutomaticStatus } from '../automatic/automaticMode';
import { automaticWords } from '../automatic/statusWords';
import { shortPercent, shortTokens } from '../l10n/numbers';
import { categoryWord, limitWord, measurementPrefix, stateWord } from '../l10n/words';
import { vscode } from '../vscode';

const MAX_TITLE = 60;
const LINKS = ['contextInspector.openInspector', 'contextInspector.compact', 'contextInspector.selectSession'] as const;

/** The hover of the status bar: title, state, categories, limits and links. Only our own commands may be run from it. */
export function statusTooltip(view: SessionView, locale: string, automatic?: AutomaticStatus): vscode.MarkdownString {
  const { t } = vscode.l10n;
  const { gauge } = view;
  const tooltip = new vscode.MarkdownString('', false);
  tooltip.isTrusted = { enabledCommands: [...LINKS] };
  tooltip.supportHtml = false;
  const outside = [view.title === '' ? view.fileName : view.title, view.agent, ...(view.model === null ? [] : [view.model])];
  tooltip.appendText(outside.map((text) => oneLine(text, MAX_TITLE)).join(' · '));
  const used = `${measurementPrefix(gauge.measurement)}${shortTokens(gauge.usedTokens, locale)}`;
  const total =
    gauge.windowTokens === null || gauge.percentUsed === null
      ? t('{0} tokens; the size of the window is unknown', used)
      : t('{0} of {1} · {2} %', used, shortTokens(gauge.windowTokens, locale), shortPercent(gauge.percentUsed));
  tooltip.appendMarkdown(`\n\n**${total}** · ${stateWord(gauge.state, t)}\n\n`);
  const rows = [...view.categories].filter(({ tokens }) => tokens > 0).sort((a, b) => b.tokens - a.tokens);
  if (rows.length > 0) {
    tooltip.appendMarkdown('| | |\n|:--|--:|\n');
    for (const { category, tokens, measurement } of rows) {
      tooltip.appendMarkdown(`| ${categoryWord(category, t)} | ${tilde(measurementPrefix(measurement))}${shortTokens(tokens, locale)} |\n`);
    }
    tooltip.appendMarkdown('\n');
  }
  const limits = gauge.limits.map(({ kind, at }) => `${limitWord(kind, t)} ${shortTokens(at, locale)}`);
  if (limits.length > 0) tooltip.appendMarkdown(`${limits.join(' · ')}\n\n`);
  if (automatic !== undefined) tooltip.appendMarkdown(`${automaticWords(automatic, t)}\n\n`);
  const titles = [t('Open Inspector'), ...(view.canCompact ? [t('Compact…')] : []), t('Switch Session')];
  const commands = view.canCompact ? LINKS : LINKS.filter((command) => command !== 'contextInspector.compact');
  tooltip.appendMarkdown(commands.map((command, index) => `[${titles[index] ?? ''}](command:${command})`).join(' · '));
  return tooltip;
}

/** A tilde that Markdown does not take for its own. */
function tilde(prefix: string): string {
  return prefix === '~' ? '\\~' : prefix;
}
