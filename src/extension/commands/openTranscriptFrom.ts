import type { Command } from '../command';
import { filePathArgument } from '../fileArgument';
import { filePathOf } from '../panels/filePath';
import { vscode } from '../vscode';

/** Opens the inspector on the given file, or asks for one. */
export const openTranscriptFrom: Command = async (services, [file]) => {
  const path = filePathArgument(file) ?? (await askForFile());
  if (path !== undefined) await services.panels.open(path);
};

async function askForFile(): Promise<string | undefined> {
  const { t } = vscode.l10n;
  const chosen = await vscode.window.showOpenDialog({
    title: t('Inspect Transcript File'),
    openLabel: t('Inspect'),
    filters: { [t('Transcripts')]: ['jsonl', 'json', 'db', 'traj', 'md'], [t('All files')]: ['*'] },
  });
  const uri = chosen?.[0];
  return uri === undefined ? undefined : filePathOf(uri);
}
