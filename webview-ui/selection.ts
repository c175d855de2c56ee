import { effect, signal, untracked, type ReadonlySignal } from '@preact/signals';
import type { SessionView } from '../src/core/protocol/viewModel';
import type { PageClient } from './rpc';
import type { Rows } from './rows';

/** While a key is held down the selection runs; the host hears where it comes to rest. */
const TELL_MS = 100;

export interface Selection {
  /** Selected row, which is also the one tab stop of the list; undefined until something is selected. */
  readonly index: ReadonlySignal<number | undefined>;
  /** Counts the demands to bring the selected row into view and to focus it (keys, `row/reveal`, links of other panels). */
  readonly demand: ReadonlySignal<number>;
  readonly select: (index: number) => void;
  /** Selects a row and brings it into view with the focus. */
  readonly show: (index: number) => void;
  /** Selects a row again if it still is the same message (after a reload of the page). */
  readonly restore: (index: number, id: string) => void;
  readonly clear: () => void;
  /** Id of the selected row, once it has been read. */
  readonly id: () => string | undefined;
}

/** Makes the selection and tells the host of it, by id, as soon as the row is known; `onLost` hears of a host that does not know the session. */
export function createSelection(
  client: PageClient,
  session: ReadonlySignal<SessionView | undefined>,
  rows: Rows,
  onLost: () => void,
): Selection {
  const index = signal<number | undefined>(undefined);
  const demand = signal(0);
  let expected: string | undefined;
  let told: string | null = null;
  let timer: number | undefined;

  const id = (): string | undefined => (index.value === undefined ? undefined : rows.get(index.value)?.id);
  const tell = (): void => {
    timer = undefined;
    const handle = untracked(() => session.value?.handle);
    const messageId = untracked(id) ?? null;
    if (handle === undefined || messageId === told) return;
    told = messageId;
    client.request('selection/changed', { handle, messageId }).catch(onLost);
  };

  effect(() => {
    // The id of a row that is not read yet comes with a later version of the rows.
    const reading = rows.version.value >= 0 && index.value !== undefined && id() === undefined;
    if (reading) return;
    if (expected !== undefined && id() !== expected) index.value = undefined;
    expected = undefined;
    if ((untracked(id) ?? null) !== told) timer ??= window.setTimeout(tell, TELL_MS);
  });

  const select = (next: number): void => {
    expected = undefined;
    index.value = next;
  };
  return {
    index,
    demand,
    select,
    show(next) {
      select(next);
      demand.value++;
    },
    restore(next, wanted) {
      select(next);
      expected = wanted;
      rows.want(next, next + 1);
    },
    clear() {
      expected = undefined;
      told = null;
      demand.value = 0;
      index.value = undefined;
    },
    id,
  };
}
