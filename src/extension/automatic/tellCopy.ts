import { resumeInTerminal } from '../history/resumeTerminal';
import { historyItems } from '../history/historyItems';
import { undoCopy } from '../history/undoCopy';
import { HostError } from '../hostError';
import { shortTokens } from '../l10n/numbers';
import type { HistoryItem } from '../../node/engine/contract';
import type { Services } from '../services';
import type { SharedSession } from '../sessions/sharedSession';
import type { PreparedCopy } from './automaticMode';
import { vscode } from '../vscode';

/** Tells of a copy that was prepared, and does what the user answers, whenever that is. */
export async function tellCopy(services: Services, copy: PreparedCopy, session: string): Promise<void> {
  const { t } = vscode.l10n;
  const size = (tokens: number): string => shortTokens(tokens, vscode.env.language);
  const open = t('Open');
  const resume = t('Resume…');
  const undo = t('Undo');
  const turnOff = t('Turn Off');
  const rows = services.current.view?.rows.count ?? 0;
  const answer = await vscode.window.showInformationMessage(
    t(
      'A compacted copy of the current session is ready: {0} → {1} tokens. The original is unchanged.',
      size(copy.tokensBefore),
      size(copy.tokensAfter),
    ),
    open,
    ...(copy.resume === null ? [] : [resume]),
    undo,
    turnOff,
  );
  if (answer === open) await services.panels.open(copy.path);
  else if (answer === turnOff) await services.configuration.update('automatic.enabled', false);
  else if (answer === undo) await withItem(services, copy, session, (of, item) => removeCopy(services, of, item));
  else if (answer === resume && copy.resume !== null) {
    const { resume: command } = copy;
    await withItem(services, copy, session, (of, item) => offerResume(command, item, (of.view?.rows.count ?? rows) - rows));
  }
}

/** Finds the copy in the history of its session, which may not be the current one any more. */
async function withItem(
  services: Services,
  copy: PreparedCopy,
  session: string,
  work: (of: SharedSession, item: HistoryItem) => Promise<void>,
): Promise<void> {
  const lease = await services.hub.acquire(session);
  try {
    const item = (await historyItems(services, lease.session)).find(({ copyPath }) => copyPath === copy.path);
    if (item === undefined) throw new HostError('unknownCopy');
    await work(lease.session, item);
  } catch (error) {
    void vscode.window.showErrorMessage(services.describe(error).message);
  } finally {
    lease.dispose();
  }
}

async function removeCopy(services: Services, session: SharedSession, item: HistoryItem): Promise<void> {
  const { message } = await undoCopy(services, session, item);
  if (message !== null) void vscode.window.showInformationMessage(message);
}

async function offerResume(command: string, item: HistoryItem, newer: number): Promise<void> {
  const { t } = vscode.l10n;
  const inTerminal = t('Resume in Terminal');
  const copyCommand = t('Copy Resume Command');
  const advice = t('End the agent first, then go on from the copy with: {0}', command);
  const lacks = t('The session went on since the copy was made: {0} newer messages are not in it.', newer);
  const answer = await vscode.window.showInformationMessage(newer > 0 ? `${lacks} ${advice}` : advice, inTerminal, copyCommand);
  if (answer === inTerminal) await resumeInTerminal(item);
  else if (answer === copyCommand) await vscode.env.clipboard.writeText(command);
}
