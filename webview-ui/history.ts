// Compactions of this and earlier days that the open session is the copy or the original of.
import { signal, untracked, type ReadonlySignal } from '@preact/signals';
import type { HistoryEntryView } from '../src/core/protocol/planView';
import type { SessionView } from '../src/core/protocol/viewModel';
import { messageOf } from './errorText';
import type { PageClient } from './rpc';

export type HistoryState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly entries: readonly HistoryEntryView[] }
  | { readonly kind: 'failed'; readonly reason: string };

export interface History {
  readonly state: ReadonlySignal<HistoryState>;
  /** Asks the host anew; what is listed stays until the answer is there. */
  readonly load: () => void;
  /** Forgets the list of another session, and asks for this one's. */
  readonly reset: () => void;
}

/** Makes the list for the session that is shown. */
export function createHistory(client: PageClient, session: ReadonlySignal<SessionView | undefined>): History {
  const state = signal<HistoryState>({ kind: 'loading' });
  let latest = 0;
  const load = async (): Promise<void> => {
    const handle = untracked(() => session.value?.handle);
    if (handle === undefined) return;
    const mine = ++latest;
    try {
      const entries = await client.request('history/list', { handle });
      if (mine === latest) state.value = { kind: 'ready', entries };
    } catch (error) {
      if (mine === latest) state.value = { kind: 'failed', reason: messageOf(error) };
    }
  };
  return {
    state,
    load: () => void load(),
    reset() {
      state.value = { kind: 'loading' };
      void load();
    },
  };
}
