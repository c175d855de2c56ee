import type { Disposable } from '../../core/util/disposable';
import type { Command } from '../command';
import type { CommandId } from '../commandIds';
import type { Services } from '../services';
import { clearApiKey } from './clearApiKey';
import { compact } from './compact';
import { compactFromHere } from './compactFromHere';
import { compactOriginalAgain } from './compactOriginalAgain';
import { compactUpToHere } from './compactUpToHere';
import { compareCompaction } from './compareCompaction';
import { copyAsPrompt } from './copyAsPrompt';
import { copyMessage } from './copyMessage';
import { goToNextBoundary } from './goToNextBoundary';
import { goToPreviousBoundary } from './goToPreviousBoundary';
import { inspectBoundary } from './inspectBoundary';
import { openInspector } from './openInspector';
import { openInspectorToSide } from './openInspectorToSide';
import { openSample } from './openSample';
import { openSettings } from './openSettings';
import { openTranscript } from './openTranscript';
import { openTranscriptFrom } from './openTranscriptFrom';
import { previewCompaction } from './previewCompaction';
import { previewClearToolResult } from './previewClearToolResult';
import { previewMicroCompaction } from './previewMicroCompaction';
import { previewRequest } from './previewRequest';
import { refresh } from './refresh';
import { revealInInspector } from './revealInInspector';
import { revealInTranscript } from './revealInTranscript';
import { runResumeCommand } from './runResumeCommand';
import { selectSession } from './selectSession';
import { selectSummarizer } from './selectSummarizer';
import { setApiKey } from './setApiKey';
import { setContextWindow } from './setContextWindow';
import { showAllSessions } from './showAllSessions';
import { showLog } from './showLog';
import { showSearchedFolders } from './showSearchedFolders';
import { showWorkspaceSessions } from './showWorkspaceSessions';
import { testConnection } from './testConnection';
import { togglePinMessage } from './togglePinMessage';
import { undoCompaction } from './undoCompaction';
import { withdrawConsent } from './withdrawConsent';
import { vscode } from '../vscode';

const COMMANDS = {
  'contextInspector.openInspector': openInspector,
  'contextInspector.openInspectorToSide': openInspectorToSide,
  'contextInspector.selectSession': selectSession,
  'contextInspector.openTranscript': openTranscript,
  'contextInspector.openTranscriptFrom': openTranscriptFrom,
  'contextInspector.openSample': openSample,
  'contextInspector.compact': compact,
  'contextInspector.compactUpToHere': compactUpToHere,
  'contextInspector.compactFromHere': compactFromHere,
  'contextInspector.previewCompaction': previewCompaction,
  'contextInspector.previewMicroCompaction': previewMicroCompaction,
  'contextInspector.previewClearToolResult': previewClearToolResult,
  'contextInspector.previewRequest': previewRequest,
  'contextInspector.copyAsPrompt': copyAsPrompt,
  'contextInspector.undoCompaction': undoCompaction,
  'contextInspector.compareCompaction': compareCompaction,
  'contextInspector.compactOriginalAgain': compactOriginalAgain,
  'contextInspector.runResumeCommand': runResumeCommand,
  'contextInspector.inspectBoundary': inspectBoundary,
  'contextInspector.goToNextBoundary': goToNextBoundary,
  'contextInspector.goToPreviousBoundary': goToPreviousBoundary,
  'contextInspector.revealInTranscript': revealInTranscript,
  'contextInspector.revealInInspector': revealInInspector,
  'contextInspector.copyMessage': copyMessage,
  'contextInspector.togglePinMessage': togglePinMessage,
  'contextInspector.setContextWindow': setContextWindow,
  'contextInspector.selectSummarizer': selectSummarizer,
  'contextInspector.setApiKey': setApiKey,
  'contextInspector.clearApiKey': clearApiKey,
  'contextInspector.testConnection': testConnection,
  'contextInspector.withdrawConsent': withdrawConsent,
  'contextInspector.showAllSessions': showAllSessions,
  'contextInspector.showWorkspaceSessions': showWorkspaceSessions,
  'contextInspector.showSearchedFolders': showSearchedFolders,
  'contextInspector.showLog': showLog,
  'contextInspector.openSettings': openSettings,
  'contextInspector.refresh': refresh,
} satisfies Record<CommandId, Command>;

/** Registers all commands. What a command throws is told to the user here and nowhere else. */
export function registerCommands(services: Services): Disposable {
  const ending = new AbortController();
  const registered = Object.entries<Command>(COMMANDS).map(([id, run]) =>
    vscode.commands.registerCommand(id, async (...args: unknown[]) => {
      try {
        return await run(services, args, ending.signal);
      } catch (error) {
        tell(services, error);
        return undefined;
      }
    }),
  );
  return vscode.Disposable.from(...registered, { dispose: () => ending.abort() });
}

/** One sentence: a quiet line for an expected end, else a message with a way to the log or out of an empty start. */
function tell(services: Services, error: unknown): void {
  const { code, message, isQuiet } = services.describe(error);
  if (isQuiet) return void vscode.window.setStatusBarMessage(message, 5000);
  const { t } = vscode.l10n;
  const ways: readonly (readonly [string, CommandId])[] =
    code === 'noSession'
      ? [
          [t('Open a Transcript…'), 'contextInspector.openTranscriptFrom'],
          [t('Open Sample Session'), 'contextInspector.openSample'],
        ]
      : code === 'noKey'
        ? [[t('Set API Key…'), 'contextInspector.setApiKey']]
        : code === 'noModel'
          ? [[t('Select Summarizer…'), 'contextInspector.selectSummarizer']]
          : [[t('Show Log'), 'contextInspector.showLog']];
  const show = code === 'noSession' ? vscode.window.showInformationMessage : vscode.window.showErrorMessage;
  show(message, ...ways.map(([title]) => title)).then(async (answer) => {
    const command = ways.find(([title]) => title === answer)?.[1];
    if (command !== undefined) await vscode.commands.executeCommand(command);
  }, services.report);
}
