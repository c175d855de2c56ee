import type { CancellationToken } from 'vscode';

/** Makes a signal of VS Code's token; the only bridge between the two. */
export function signalOf(token: CancellationToken): AbortSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  else token.onCancellationRequested(() => controller.abort());
  return controller.signal;
}
