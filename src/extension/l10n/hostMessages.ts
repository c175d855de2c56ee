import { l10n } from 'vscode';
import type { HostErrorCode } from '../hostError';

/** What happened and what to do now, for each thing the host can't do. */
const MESSAGES: Readonly<Record<HostErrorCode, () => string>> = {
  notOnThisMachine: () =>
    l10n.t('This transcript is not a file on the machine where Context Inspector runs. Save it there and open it again.'),
  noSession: () => l10n.t('No session is open. Choose one with “Select Session…”, or open a transcript file.'),
  noRow: () => l10n.t('No message is selected. Select one in the inspector first.'),
  noBoundary: () => l10n.t('There is no further compaction boundary in this direction.'),
  untrustedWorkspace: () => l10n.t('This workspace is not trusted, so Context Inspector reads only. Trust the workspace to create copies.'),
  noModel: () => l10n.t('No model is chosen for the summarizer. Choose one with “Select Summarizer…”.'),
  noSample: () => l10n.t('The sample session is missing from this installation. Reinstall Context Inspector.'),
  notATranscriptLine: () => l10n.t('This line belongs to no message of the session. Try a line further down.'),
  cannotShowText: () =>
    l10n.t('VS Code cannot show this file as text, most likely because it is larger than 50 MB. The inspector itself has no such limit.'),
  unknownCopy: () => l10n.t('This copy was not written from this panel. Open it from the list of sessions.'),
  noResume: () => l10n.t('This agent has no command that continues from a copy.'),
  tooManyRequests: () => l10n.t('The page asked for too much at once. Wait a moment and try again.'),
  messageTooLarge: () => l10n.t('The page sent more than it may. Shorten the text and try again.'),
  otherSession: () => l10n.t('The panel shows another session by now. Try again.'),
  noKey: () => l10n.t('No API key is stored for this server. Store one with “Set API Key…”.'),
  engineStopped: () => l10n.t('Reading stopped unexpectedly, several times in a row. Wait a minute and try again; the log says more.'),
};

const TABLE: ReadonlyMap<string, () => string> = new Map(Object.entries(MESSAGES));

/** The sentence of a host error's code; undefined for other codes. */
export function hostMessage(code: string): string | undefined {
  return TABLE.get(code)?.();
}
