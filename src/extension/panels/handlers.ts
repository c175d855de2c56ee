import type { Handlers, PageRequests } from '../../core/protocol/contract';
import { chooseContextWindow } from '../commands/setContextWindow';
import { pickSession } from '../commands/selectSession';
import { chooseSummarizer } from '../commands/selectSummarizer';
import { copyAsPrompt } from '../compaction/copyAsPrompt';
import { runCompaction } from '../compaction/runCompaction';
import { receiverName, showRequest, wishes } from '../compaction/showRequest';
import { historyPageHandlers } from '../history/historyHandlers';
import { historyItem } from '../history/historyItems';
import { HostError } from '../hostError';
import type { Services } from '../services';
import { revealMessageText } from '../editor/revealMessageText';
import type { WebviewHost, WrittenCopy } from './webviewHost';
import { vscode } from '../vscode';

/** Error with words for people as its message; the code goes to the page as `inner`. */
class PageError extends Error {
  override readonly name = 'PageError';
  constructor(
    readonly code: string,
    message: string,
    options: { readonly cause: unknown },
  ) {
    super(message, options);
  }
}

/**
 * Answers what a page asks. Ids are looked up, never interpreted: a handle must be the page's own session, a message must be in it, a copy
 * must have been written from this page or be in the history of its session. No request names a path or a command.
 */
export function pageHandlers(page: WebviewHost, services: Services): Handlers<PageRequests> {
  const { engine } = services;
  const said = wording(services);
  const history = historyPageHandlers(page, services);
  return {
    'session/open': said(async () => {
      const { view } = await page.open();
      if (view === undefined) throw new HostError('noSession');
      return { session: view, settings: services.uiSettings(), pinned: page.pinned };
    }),
    'rows/read': said(async ({ handle, from, to }, signal) => {
      page.expect(handle);
      return engine.request('rows/read', { handle, from, to }, signal);
    }),
    'compaction/preview': said(async ({ handle, request }, signal) => page.expect(handle).preview(request, signal)),
    'compaction/run': said(async ({ handle, ...run }, signal) => {
      const { view, path } = await runCompaction(services, { session: page.expect(handle), ...run }, signal);
      if (view.outcome === 'written' && path !== null) page.copies.set(view.newSessionId, { path, resume: view.resume });
      return view;
    }),
    'compaction/putBack': said(async ({ handle, newSessionId, items }, signal) => {
      page.expect(handle);
      if (!vscode.workspace.isTrusted) throw new HostError('untrustedWorkspace');
      const { view, path } = await engine.request('compaction/putBack', { handle, newSessionId, items }, signal);
      if (view.outcome === 'written' && path !== null) page.copies.set(view.newSessionId, { path, resume: view.resume });
      if (path !== null) services.refreshSessions();
      return view;
    }),
    'compaction/request': said(async ({ handle, planId, instructions }, signal) => {
      const shown = { session: page.expect(handle), planId, instructions: wishes(services, instructions), asksAgain: false };
      await showRequest(services, { ...shown, receiver: receiverName(services) }, signal);
      return null;
    }),
    'compaction/prompt': said(({ handle, ...run }, signal) => copyAsPrompt(services, { session: page.expect(handle), ...run }, signal)),
    'boundary/report': said(({ handle, index }, signal) => {
      page.expect(handle);
      return engine.request('boundary/report', { handle, index }, signal);
    }),
    'projection/preview': said(({ handle }, signal) => {
      page.expect(handle);
      return engine.request('projection/preview', { handle }, signal);
    }),
    'selection/changed': said(({ handle, messageId }) => {
      page.expect(handle);
      page.selection = messageId ?? undefined;
      return nothing();
    }),
    'transcript/reveal': said(async ({ handle, messageId }, signal) => {
      await revealMessageText(services, page.expect(handle), messageId, signal);
      return null;
    }),
    'message/copy': said(async ({ handle, messageId }, signal) => {
      page.expect(handle);
      const { text } = await engine.request('message/read', { handle, messageId }, signal);
      await vscode.env.clipboard.writeText(text);
      return null;
    }),
    'copy/open': said(async ({ handle, newSessionId }) => {
      await services.panels.open((await copyOf(page, services, handle, newSessionId)).path);
      return null;
    }),
    'copy/resume': said(async ({ handle, newSessionId }) => {
      const { resume } = await copyOf(page, services, handle, newSessionId);
      if (resume === null) throw new HostError('noResume');
      await vscode.env.clipboard.writeText(resume);
      return null;
    }),
    'copy/run': said(history['copy/run']),
    'history/list': said(history['history/list']),
    'history/undo': said(history['history/undo']),
    'history/compare': said(history['history/compare']),
    'history/again': said(history['history/again']),
    'session/pick': said(async () => {
      const choice = await pickSession(services);
      if (choice === undefined) return null;
      const path = choice.path ?? services.sessions.found.workspace[0]?.path;
      if (page.surface === 'sidebar') await services.current.setPinned(choice.path);
      else if (path === undefined) throw new HostError('noSession');
      // A custom editor shows its own file and no other.
      else if (page.surface === 'editor') await services.panels.open(path);
      else await page.show(path);
      return null;
    }),
    'window/set': said(async ({ handle }) => {
      await chooseContextWindow(services, page.expect(handle));
      return null;
    }),
    'summarizer/select': said(async () => {
      await chooseSummarizer(services);
      return null;
    }),
  };
}

/** A copy that was written from this page, or one of its session's history. */
async function copyOf(page: WebviewHost, services: Services, handle: string, newSessionId: string): Promise<WrittenCopy> {
  const session = page.expect(handle);
  const own = page.copies.get(newSessionId);
  if (own !== undefined) return own;
  const { copyPath, view } = await historyItem(services, session, newSessionId);
  return { path: copyPath, resume: view.resume };
}

function nothing(): Promise<null> {
  return Promise.resolve(null);
}

type Handler<Params, Result> = (params: Params, signal: AbortSignal) => Promise<Result>;

/** Puts every failure of a handler into words before it goes to the page; the log gets its cause. */
function wording(services: Services): <P, R>(handler: Handler<P, R>) => Handler<P, R> {
  return (handler) => async (params, signal) => {
    try {
      return await handler(params, signal);
    } catch (error) {
      const { code, message } = services.describe(error);
      throw new PageError(code, message, { cause: error });
    }
  };
}
