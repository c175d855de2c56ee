import { DisposableStore, type Disposable } from '../../core/util/disposable';
import type { SessionEntry } from '../../node/engine/contract';
import type { Services } from '../services';
import { sessionIcon, sessionWords } from './sessionText';
import { vscode } from '../vscode';

export const SESSIONS_VIEW = 'contextInspector.sessions';

const ICON_COLORS: ReadonlyMap<string, string> = new Map([
  ['warning', 'charts.yellow'],
  ['error', 'charts.red'],
  ['record', 'charts.green'],
]);

/** The list of sessions in the side bar, the one written to last on top. */
export class SessionTree implements vscode.TreeDataProvider<SessionEntry>, Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<undefined>());
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(private readonly services: Services) {
    this.#store.add(services.sessions.onDidChange(() => this.#changed.fire(undefined)));
    this.#store.add(vscode.window.createTreeView(SESSIONS_VIEW, { treeDataProvider: this }));
  }

  getTreeItem(entry: SessionEntry): vscode.TreeItem {
    const nowMs = Date.now();
    const words = sessionWords(entry, nowMs, vscode.env.language, vscode.l10n.t);
    const icon = sessionIcon(entry, nowMs);
    const color = ICON_COLORS.get(icon);
    const { None, Collapsed } = vscode.TreeItemCollapsibleState;
    const item = new vscode.TreeItem(words.label, entry.subagents === undefined ? None : Collapsed);
    item.id = entry.path;
    item.description = words.description;
    item.iconPath = new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
    item.tooltip = plainTooltip(words.tooltip);
    item.accessibilityInformation = { label: words.spoken };
    item.contextValue = 'session';
    item.command = {
      command: 'contextInspector.openTranscriptFrom',
      title: vscode.l10n.t('Open Inspector'),
      arguments: [vscode.Uri.file(entry.path)],
    };
    return item;
  }

  /** The sessions, and below each the ones of its sub-agents; waits for the first look, so that an empty list means that there are none. */
  async getChildren(entry?: SessionEntry): Promise<SessionEntry[]> {
    if (entry !== undefined) return [...(entry.subagents ?? [])];
    const { shown } = await this.services.sessions.first();
    return [...shown];
  }

  dispose(): void {
    this.#store.dispose();
  }
}

/** A tooltip of lines whose text comes from outside: nothing in it is Markdown, HTML, an icon or a link. */
function plainTooltip(lines: readonly string[]): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString('', false);
  tooltip.isTrusted = false;
  tooltip.supportHtml = false;
  for (const [index, line] of lines.entries()) tooltip.appendMarkdown(index === 0 ? '' : '\n\n').appendText(line);
  return tooltip;
}
