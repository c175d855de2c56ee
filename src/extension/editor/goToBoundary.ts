import { HostError } from '../hostError';
import type { Services } from '../services';
import { transcriptLine } from '../target';
import { showTextLine } from './revealMessageText';
import { vscode } from '../vscode';

/** Moves the cursor to the next boundary below or above it. Rejects with `noBoundary` when there is none, `noSession` outside of transcripts. */
export async function goToBoundary(services: Services, direction: 'next' | 'previous', signal: AbortSignal): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const here = editor === undefined ? undefined : transcriptLine(services, editor);
  if (editor === undefined || here === undefined) throw new HostError('noSession');
  const lease = await services.hub.acquire(here.path);
  try {
    const { handle, boundaries } = await lease.session.open();
    const lines: number[] = [];
    for (const { id } of boundaries) {
      const { line } = await services.engine.request('message/read', { handle, messageId: id }, signal);
      if (direction === 'next' ? line > here.line : line < here.line) lines.push(line);
    }
    if (lines.length === 0) throw new HostError('noBoundary');
    const line = direction === 'next' ? Math.min(...lines) : Math.max(...lines);
    await showTextLine(here.path, line, editor.viewColumn ?? vscode.ViewColumn.Active);
  } finally {
    lease.dispose();
  }
}
