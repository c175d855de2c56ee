import { messageFor } from '../../core/errors/messages';
import { DisposableStore } from '../../core/util/disposable';
import type { Services } from '../services';
import { AutomaticMode, type AutomaticStatus } from './automaticMode';
import { prepareCopy } from './prepareCopy';
import { tellCopy } from './tellCopy';
import { vscode } from '../vscode';

/** Makes automatic mode, off until its setting says otherwise (setting `automatic.enabled`). Reads nothing and starts nothing by itself. */
export function registerAutomatic(services: Services): AutomaticMode {
  const { configuration, current, automatic, log } = services;
  let preparing: (() => void) | undefined;
  const mode = new AutomaticMode({
    isOn: () => configuration.current['automatic.enabled'] && vscode.workspace.isTrusted,
    maxPerHour: () => configuration.current['automatic.maxPerHour'],
    onDidChangeSettings(listener) {
      const store = new DisposableStore();
      store.add(configuration.onDidChange(() => listener()));
      store.add(vscode.workspace.onDidGrantWorkspaceTrust(() => listener()));
      return store;
    },
    current: () =>
      current.session === undefined || current.view === undefined ? undefined : { path: current.session.path, view: current.view },
    onDidChangeCurrent: (listener) => current.onDidChange(() => listener()),
    prepare: (path, signal) => prepareCopy(services, path, signal),
    tell(copy, session) {
      keepCurrent(services, copy.path).catch(services.report);
      tellCopy(services, copy, session).catch(services.report);
    },
    tellStopped: () => void tellStopped(services).catch(services.report),
    show(status) {
      automatic.show(status);
      preparing = showProgress(status, preparing);
    },
    log: (line) => log.info(line),
    now: Date.now,
  });
  return mode;
}

/** A word in the status bar while a copy is being prepared. Answers what ends it. */
function showProgress(status: AutomaticStatus | undefined, end: (() => void) | undefined): (() => void) | undefined {
  if (status?.action === 'preparing') {
    if (end !== undefined) return end;
    const message = vscode.window.setStatusBarMessage(`$(sync~spin) ${vscode.l10n.t('Preparing a compacted copy')}`);
    return () => {
      message.dispose();
    };
  }
  end?.();
  return undefined;
}

/** The copy is the newest session of the folder; the one that is worked on stays the current one. */
async function keepCurrent({ automatic, current, sessions }: Services, path: string): Promise<void> {
  const { size } = await vscode.workspace.fs.stat(vscode.Uri.file(path));
  automatic.copies.add(path, size);
  await sessions.refresh();
  current.follow();
}

async function tellStopped({ configuration }: Services): Promise<void> {
  const { t } = vscode.l10n;
  const showLog = t('Show Log');
  const turnOff = t('Turn Off');
  const answer = await vscode.window.showWarningMessage(messageFor('breakerOpen'), showLog, turnOff);
  if (answer === showLog) await vscode.commands.executeCommand('contextInspector.showLog');
  else if (answer === turnOff) await configuration.update('automatic.enabled', false);
}
