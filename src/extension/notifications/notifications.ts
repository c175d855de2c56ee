import type { SessionView, WindowState } from '../../core/protocol/viewModel';
import { DisposableStore, type Disposable } from '../../core/util/disposable';
import type { Services } from '../services';
import { Crossings } from './crossing';
import { vscode } from '../vscode';

/** Shows a message when the current session crosses a limit upwards, once for each session and limit (setting `notifications.level`). */
export function registerNotifications(services: Services): Disposable {
  const store = new DisposableStore();
  const crossings = new Crossings();
  store.add(
    services.current.onDidChange((view) => {
      if (view === undefined) return;
      const session = services.current.session?.path ?? view.handle;
      if (crossings.observe(session, view.gauge.state, services.configuration.current['notifications.level'])) {
        show(services, view).catch(services.report);
      }
    }),
  );
  return store;
}

async function show(services: Services, view: SessionView): Promise<void> {
  const { t } = vscode.l10n;
  const compact = t('Compact…');
  const open = t('Open Inspector');
  const never = t('Don’t Show Again');
  const answer = await vscode.window.showWarningMessage(sentence(view.gauge.state), ...(view.canCompact ? [compact] : []), open, never);
  if (answer === compact) await vscode.commands.executeCommand('contextInspector.compact');
  else if (answer === open) await vscode.commands.executeCommand('contextInspector.openInspector');
  else if (answer === never) await services.configuration.update('notifications.level', 'off');
}

function sentence(state: WindowState): string {
  const { t } = vscode.l10n;
  switch (state) {
    case 'blocked':
      return t('The context of the current session is full: the agent cannot send its next request.');
    case 'autoCompact':
      return t('The context of the current session has passed the agent’s own limit: it compacts before its next request.');
    case 'error':
      return t('The context of the current session is nearly full.');
    case 'warning':
    case 'normal':
    case 'unknown':
      return t('The context of the current session is filling up.');
  }
}
