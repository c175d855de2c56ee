import { computed, effect, untracked, type ReadonlySignal } from '@preact/signals';
import type { SessionView } from '../src/core/protocol/viewModel';
import type { VsCodeApi } from './rpc';
import type { Selection } from './selection';

const SAVE_MS = 200;

/** What survives while the page is thrown away: a hidden panel loses its document, and a restart of VS Code restores it from this. */
export interface PageState {
  readonly handle: string;
  readonly sessionId: string | null;
  readonly selected: { readonly index: number; readonly id: string } | null;
  /** First visible row; null while the list follows its end. */
  readonly topRow: number | null;
}

/** Reads the saved state; undefined when there is none or it has another form. */
export function readState(api: VsCodeApi): PageState | undefined {
  const value = api.getState();
  if (!isObject(value) || typeof value['handle'] !== 'string') return undefined;
  const { handle, sessionId, selected, topRow } = value;
  return {
    handle,
    sessionId: typeof sessionId === 'string' ? sessionId : null,
    selected: isSelected(selected) ? selected : null,
    topRow: typeof topRow === 'number' ? topRow : null,
  };
}

/** Saves selection and scroll position a moment after they changed. */
export function saveState(
  api: VsCodeApi,
  session: ReadonlySignal<SessionView | undefined>,
  selection: Selection,
  topRow: ReadonlySignal<number | null>,
): void {
  let timer: number | undefined;
  const write = (): void => {
    timer = undefined;
    untracked(() => {
      const view = session.value;
      if (view === undefined) return;
      const index = selection.index.value;
      const id = selection.id();
      const state: PageState = {
        handle: view.handle,
        sessionId: view.sessionId,
        selected: index === undefined || id === undefined ? null : { index, id },
        topRow: topRow.value,
      };
      api.setState(state);
    });
  };
  const handle = computed(() => session.value?.handle);
  effect(() => {
    if (handle.value === undefined) return;
    // Read, so that a change of one of them saves.
    const parts = [selection.index.value, topRow.value];
    if (parts.length > 0) timer ??= window.setTimeout(write, SAVE_MS);
  });
}

function isSelected(value: unknown): value is { readonly index: number; readonly id: string } {
  return isObject(value) && typeof value['index'] === 'number' && typeof value['id'] === 'string';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
