import type { Handlers, PageRequests } from '../../core/protocol/contract';
import type { Services } from '../services';
import type { WebviewHost } from '../panels/webviewHost';
import { compactAgain } from './compactAgain';
import { compareTexts } from './comparison';
import { historyItem, historyItems } from './historyItems';
import { resumeInTerminal } from './resumeTerminal';
import { undoCopy } from './undoCopy';

type HistoryRequestName = 'history/list' | 'history/undo' | 'history/compare' | 'history/again' | 'copy/run';

/** Answers a page about the history of its own session. Ids are looked up in it; a page names no path and no command. */
export function historyPageHandlers(page: WebviewHost, services: Services): Pick<Handlers<PageRequests>, HistoryRequestName> {
  return {
    'history/list': async ({ handle }, signal) => (await historyItems(services, page.expect(handle), signal)).map(({ view }) => view),
    'history/undo': async ({ handle, id }) => {
      const session = page.expect(handle);
      const done = await undoCopy(services, session, await historyItem(services, session, id));
      if (done.outcome === 'undone') page.copies.delete(id);
      return done;
    },
    'history/compare': async ({ handle, id }, signal) => {
      const session = page.expect(handle);
      await compareTexts(services, session, await historyItem(services, session, id), signal);
      return null;
    },
    'history/again': async ({ handle, id }) => {
      await compactAgain(services, await historyItem(services, page.expect(handle), id));
      return null;
    },
    'copy/run': async ({ handle, newSessionId }) => {
      await resumeInTerminal(await historyItem(services, page.expect(handle), newSessionId));
      return null;
    },
  };
}
