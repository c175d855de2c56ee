import type { VsCodeApi } from './rpc';

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

function isSelected(value: unknown): value is { readonly index: number; readonly id: string } {
  return isObject(value) && typeof value['index'] === 'number' && typeof value['id'] === 'string';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
