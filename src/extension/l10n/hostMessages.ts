import type { HostErrorCode } from '../hostError';
import { vscode } from '../vscode';

/** What happened and what to do now, for each thing the host can't do. */
const MESSAGES: Readonly<Record<HostErrorCode, () => string>> = {
  notOnThisMachine: () =>
    vscode.l10n.t('This transcript is not a file on the machine where Context Inspector runs. Save it there and open it again.'),
  noSession: () => vscode.l10n.t('No session is open. Choose one with “Select Session…”, or open a transcript file.'),
  noRow: () => vscode.l10n.t('No message is selected. Select one in the inspector first.'),
  noBoundary: () => vscode.l10n.t('There is no further compaction boundary in this direction.'),
  untrustedWorkspace: () =>
    vscode.l10n.t('This workspace is not trusted, so Context Inspector reads only. Trust the workspace to create copies.'),
  noModel: () => vscode.l10n.t('No model is chosen for the summarizer. Choose one with “Select Summarizer…”.'),
  modelGone: () => vscode.l10n.t('VS Code does not offer the chosen language model now. Choose another one with “Select Summarizer…”.'),
  noEditorModels: () =>
    vscode.l10n.t('VS Code offers no language model here. Install and sign in to an extension that brings one, or use another summarizer.'),
  noSample: () => vscode.l10n.t('The sample session is missing from this installation. Reinstall Context Inspector.'),
  notATranscriptLine: () => vscode.l10n.t('This line belongs to no message of the session. Try a line further down.'),
  cannotShowText: () =>
    vscode.l10n.t(
      'VS Code cannot show this file as text, most likely because it is larger than 50 MB. The inspector itself has no such limit.',
    ),
  unknownCopy: () => vscode.l10n.t('This copy is not in the history of this session. Open it from the list of sessions.'),
  noResume: () => vscode.l10n.t('This agent has no command that continues from a copy.'),
  noHistory: () => vscode.l10n.t('No compaction of this session is noted for which this could be done.'),
  sourceGone: () => vscode.l10n.t('The original is not there any more, so it cannot be compacted again. Compact the copy instead.'),
  unsafeResume: () =>
    vscode.l10n.t('The shells of this system would read this command otherwise than it is meant. Copy it and run it where you can see it.'),
  tooManyRequests: () => vscode.l10n.t('The page asked for too much at once. Wait a moment and try again.'),
  messageTooLarge: () => vscode.l10n.t('The page sent more than it may. Shorten the text and try again.'),
  otherSession: () => vscode.l10n.t('The panel shows another session by now. Try again.'),
  noKey: () => vscode.l10n.t('No API key is stored for this server. Store one with “Set API Key…”.'),
  engineStopped: () =>
    vscode.l10n.t('Reading stopped unexpectedly, several times in a row. Wait a minute and try again; the log says more.'),
};

const TABLE: ReadonlyMap<string, () => string> = new Map(Object.entries(MESSAGES));

/** The sentence of a host error's code; undefined for other codes. */
export function hostMessage(code: string): string | undefined {
  return TABLE.get(code)?.();
}
