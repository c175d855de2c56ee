import { HostError } from '../hostError';
import type { Services } from '../services';
import type { SharedSession } from '../sessions/sharedSession';
import { vscode } from '../vscode';

/** Opens the transcript as text beside the page, at the message's line. Rejects with `cannotShowText` for files that VS Code can't open. */
export async function revealMessageText(services: Services, session: SharedSession, messageId: string, signal: AbortSignal): Promise<void> {
  const { handle } = await session.open();
  const { line } = await services.engine.request('message/read', { handle, messageId }, signal);
  await showTextLine(session.path, line, vscode.ViewColumn.Beside);
}

/** Opens a file as text with the cursor at the start of a 1-based line; line 0 stands for the whole file. */
export async function showTextLine(path: string, line: number, viewColumn: vscode.ViewColumn): Promise<void> {
  const start = new vscode.Position(Math.max(0, line - 1), 0);
  try {
    await vscode.window.showTextDocument(vscode.Uri.file(path), { selection: new vscode.Range(start, start), viewColumn, preview: true });
  } catch (error) {
    throw new HostError('cannotShowText', { cause: error });
  }
}
