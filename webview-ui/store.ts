// What the page knows, as signals, and the one place where the host's messages change it.
import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { isSessionPatch, isSessionView } from '../src/core/protocol/guards';
import { RpcError } from '../src/core/protocol/channel';
import { applyPatch, patchFit } from '../src/core/protocol/patch';
import type { Category, SessionPatch, SessionView, UiSettings } from '../src/core/protocol/viewModel';
import { createCompaction, type Compaction } from './compaction';
import { messageOf } from './errorText';
import { createHistory, type History } from './history';
import { createMicro, type Micro } from './micro';
import { readState, saveState, type PageState } from './persisted';
import { createReopener } from './reopener';
import type { PageClient, VsCodeApi } from './rpc';
import { createRows, type Rows } from './rows';
import { createSelection, type Selection } from './selection';
import { createWords, type Words } from './words';

/** Code of the host's answer when there is nothing to open. */
const NO_SESSION = 'noSession';
const DEFAULTS: UiSettings = { locale: 'en', summarizer: 'offline', openaiLabel: '', vscodeLabel: '', keepMessages: 10, canAct: true };

/** `none` is a page that has no session to show, such as the side bar's in a folder without one. */
export type Phase =
  { readonly kind: 'loading' } | { readonly kind: 'ready' } | { readonly kind: 'none' | 'failed'; readonly reason: string };

export interface Store {
  readonly phase: ReadonlySignal<Phase>;
  readonly session: ReadonlySignal<SessionView | undefined>;
  readonly settings: ReadonlySignal<UiSettings>;
  readonly words: ReadonlySignal<Words>;
  readonly rows: Rows;
  readonly selection: Selection;
  readonly compaction: Compaction;
  readonly micro: Micro;
  readonly history: History;
  /** Category under the pointer, lit up in the bar, the table and the list. */
  readonly highlight: Signal<Category | undefined>;
  /** First visible row, null while the list follows its end. */
  readonly topRow: Signal<number | null>;
  /** Row of the boundary whose card is to be brought into view; `at` makes a second demand for the same one new. */
  readonly inspected: Signal<{ readonly rowIndex: number; readonly at: number } | undefined>;
  /** Ids of the messages that every compaction is to keep. */
  readonly pinned: ReadonlySignal<ReadonlySet<string>>;
  /** Why the last small action failed. */
  readonly failure: Signal<string | undefined>;
  /** Asks for the whole view. */
  readonly open: () => void;
  /** Lets the user choose another session, which works without one too. */
  readonly pickSession: () => void;
  /** Asks for something that shows outside the page (another editor, the clipboard); a failure is shown here. */
  readonly act: (send: (client: PageClient, handle: string) => Promise<unknown>) => void;
}

/** Makes the store, listens to the host and opens the session. */
export function createStore(api: VsCodeApi, client: PageClient): Store {
  const phase = signal<Phase>({ kind: 'loading' });
  const session = signal<SessionView | undefined>(undefined);
  const settings = signal<UiSettings>(DEFAULTS);
  const inspected = signal<{ readonly rowIndex: number; readonly at: number } | undefined>(undefined);
  const failure = signal<string | undefined>(undefined);
  const pinned = signal<ReadonlySet<string>>(new Set());
  const topRow = signal<number | null>(null);
  const fail = (error: unknown): void => {
    failure.value = messageOf(error);
  };
  const lostTrack = createReopener(() => void open());
  const rows = createRows(client, lostTrack);
  const selection = createSelection(client, session, rows, lostTrack);
  const history = createHistory(client, session);
  const compaction = createCompaction(client, session, settings, history.load);
  const micro = createMicro(client, session, history.load);
  let saved = readState(api);
  let opening = false;
  let early: SessionPatch[] = [];

  const outdate = (): void => {
    compaction.outdate();
    micro.outdate();
  };

  const show = (next: SessionView): void => {
    const other = session.value?.handle !== next.handle;
    rows.reset(next.handle);
    if (other) {
      compaction.close();
      micro.close();
      selection.clear();
      topRow.value = null;
      if (saved !== undefined && isSame(saved, next)) {
        topRow.value = saved.topRow;
        if (saved.selected !== null) selection.restore(saved.selected.index, saved.selected.id);
      }
      saved = undefined;
    } else {
      outdate();
      if ((selection.index.value ?? 0) >= next.rows.count) selection.clear();
    }
    session.value = next;
    phase.value = { kind: 'ready' };
    if (other) history.reset();
  };

  const take = (patch: SessionPatch): void => {
    const before = session.value;
    if (before === undefined) return;
    if (patchFit(before, patch) === 'past') return;
    const after = applyPatch(before, patch);
    if (after === undefined) {
      lostTrack();
      return;
    }
    session.value = after;
    if (patch.rowsFrom === null) return;
    if ((selection.index.value ?? 0) >= after.rows.count) selection.clear();
    rows.changed(patch.rowsFrom, patch.to);
    outdate();
  };

  const open = async (): Promise<void> => {
    if (opening) return;
    opening = true;
    early = [];
    try {
      const answer = await client.request('session/open', {});
      if (!isSessionView(answer.session)) throw new Error('The answer holds no session.');
      settings.value = answer.settings;
      pinned.value = new Set(answer.pinned);
      show(answer.session);
    } catch (error) {
      const isNone = error instanceof RpcError && error.inner === NO_SESSION;
      if (session.value === undefined) phase.value = { kind: isNone ? 'none' : 'failed', reason: messageOf(error) };
      else fail(error);
    } finally {
      opening = false;
    }
    // Patches that came while the answer was on its way follow it, or are part of it.
    for (const patch of early.splice(0)) take(patch);
  };

  client.on('session/patched', (patch) => {
    if (!isSessionPatch(patch)) return;
    if (opening) early.push(patch);
    else take(patch);
  });
  client.on('session/replaced', (next) => {
    if (!isSessionView(next)) return;
    show(next);
    // A page that had no session before has not got its settings either.
    if (settings.value === DEFAULTS) void open();
  });
  client.on('settings/changed', (next) => {
    settings.value = next;
  });
  client.on('pins/changed', ({ messageIds }) => {
    pinned.value = new Set(messageIds);
    outdate();
  });
  client.on('preview/show', ({ request }) => (request.kind === 'micro' ? micro : compaction).preview(request));
  client.on('row/reveal', ({ messageId, index }) => {
    const reveal = (found: number | undefined): void => {
      if (found === undefined) return;
      selection.show(found);
      if (session.value?.boundaries.some((boundary) => boundary.rowIndex === found) === true) inspected.value = demand(found);
    };
    if (index !== undefined) reveal(index);
    else rows.locate(messageId, session.value?.rows.count ?? 0, new AbortController().signal).then(reveal, fail);
  });

  saveState(api, session, selection, topRow);
  return {
    phase,
    session,
    settings,
    words: computed(() => createWords(settings.value)),
    rows,
    selection,
    compaction,
    micro,
    history,
    highlight: signal<Category | undefined>(undefined),
    topRow,
    inspected,
    pinned,
    failure,
    open() {
      if (session.value === undefined) phase.value = { kind: 'loading' };
      void open();
    },
    act(send) {
      const handle = session.value?.handle;
      if (handle === undefined) return;
      failure.value = undefined;
      send(client, handle).catch(fail);
    },
    pickSession() {
      failure.value = undefined;
      client.request('session/pick', {}).catch(fail);
    },
  };
}

/** A demand to show the card of the boundary at a row, different from every earlier one. */
export function demand(rowIndex: number): { readonly rowIndex: number; readonly at: number } {
  return { rowIndex, at: performance.now() };
}

/** The saved state is of this session: the same opening of it, or the same session opened anew. */
function isSame(saved: PageState, session: SessionView): boolean {
  return saved.handle === session.handle || (saved.sessionId !== null && saved.sessionId === session.sessionId);
}
