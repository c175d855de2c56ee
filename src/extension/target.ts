import { isRecord, stringOf } from '../core/util/json';
import { HostError } from './hostError';
import type { WebviewHost } from './panels/webviewHost';
import type { Services } from './services';
import type { SharedSession } from './sessions/sharedSession';
import { vscode } from './vscode';

/** The session that a command without a target is about: that of the inspector used last, else that of the status bar. */
export async function targetSession(services: Services): Promise<SharedSession> {
  const shown = services.pages.active?.session ?? services.current.session;
  if (shown !== undefined) return shown;
  await services.sessions.first();
  const { session } = services.current;
  if (session !== undefined) return session;
  const newest = services.current.pinned ?? services.sessions.found.workspace[0]?.path;
  if (newest === undefined) throw new HostError('noSession');
  const page = await services.panels.open(newest);
  if (page.session === undefined) throw new HostError('noSession');
  return page.session;
}

export interface TargetRow {
  readonly page: WebviewHost;
  readonly session: SharedSession;
  readonly messageId: string;
  readonly index: number | undefined;
}

/**
 * The message that a command is about. A menu of the page names it; a menu of a text editor names the line, and the inspector opens beside;
 * the palette and the keyboard mean the line of the active transcript, else the focused row of the inspector.
 */
export async function targetRow(services: Services, args: readonly unknown[], signal: AbortSignal): Promise<TargetRow> {
  const [context] = args;
  const named = isRecord(context) ? stringOf(context, 'messageId') : undefined;
  const editor = vscode.window.activeTextEditor;
  const line = named === undefined && editor !== undefined ? transcriptLine(services, editor) : undefined;
  if (line !== undefined) return rowOfLine(services, line, signal);
  const handle = isRecord(context) ? stringOf(context, 'handle') : undefined;
  const page = handle === undefined ? services.pages.active : services.pages.withHandle(handle);
  const messageId = named ?? page?.selection;
  if (page?.session === undefined || messageId === undefined) throw new HostError('noRow');
  return { page, session: page.session, messageId, index: undefined };
}

export interface TranscriptLine {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
}

/** File and line of an editor that shows a known transcript as text. */
export function transcriptLine(services: Services, editor: vscode.TextEditor): TranscriptLine | undefined {
  const { uri } = editor.document;
  if (uri.scheme !== 'file' || !services.transcriptPaths.has(uri.fsPath)) return undefined;
  return { path: uri.fsPath, line: editor.selection.active.line + 1 };
}

/** Opens the inspector beside a text editor and finds the message of its line. */
async function rowOfLine(services: Services, { path, line }: TranscriptLine, signal: AbortSignal): Promise<TargetRow> {
  const page = await services.panels.open(path, { toSide: true });
  const session = await page.open();
  const { handle } = await session.open();
  const found = await services.engine.request('line/message', { handle, line }, signal);
  if (found === null) throw new HostError('notATranscriptLine');
  return { page, session, messageId: found.messageId, index: found.index };
}
