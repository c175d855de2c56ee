import type { Uri } from 'vscode';
import { HostError } from '../hostError';

/** Path of a file on the machine where the extension runs; rejects every other scheme with `notOnThisMachine`. */
export function filePathOf(uri: Uri): string {
  if (uri.scheme !== 'file') throw new HostError('notOnThisMachine');
  return uri.fsPath;
}
