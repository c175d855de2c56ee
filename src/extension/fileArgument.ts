import { filePathOf } from './panels/filePath';
import { vscode } from './vscode';

/** Path of a Uri that a menu or another extension gave; undefined when there is none. Rejects files that are not on this machine. */
export function filePathArgument(argument: unknown): string | undefined {
  return argument instanceof vscode.Uri ? filePathOf(argument) : undefined;
}
