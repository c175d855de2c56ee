import { vscode } from '../vscode';

/** Makes VS Code's token of a signal; `signalOf` goes the other way. */
export function tokenOf(signal: AbortSignal): vscode.CancellationToken {
  const source = new vscode.CancellationTokenSource();
  if (signal.aborted) source.cancel();
  else signal.addEventListener('abort', () => source.cancel(), { once: true });
  return source.token;
}
