// Reads the envelope that Codex and its kin write for file changes. Only its header lines count; the content is never interpreted.
import type { FileEffect } from './shellEffects';

const BEGIN = '*** Begin Patch';
const HEADERS = [
  ['*** Add File: ', 'written'],
  ['*** Update File: ', 'changed'],
  ['*** Delete File: ', 'deleted'],
] as const;
const MOVE = '*** Move to: ';

/** True when a text holds such an envelope. */
export function holdsPatch(text: string): boolean {
  return text.includes(BEGIN);
}

export interface PatchEffect extends Omit<FileEffect, 'kind'> {
  readonly kind: 'created' | 'changed' | 'deleted';
}

/** Files that the envelopes in a text add, update, delete or move; a move deletes the old name and creates the new one. */
export function patchEffects(text: string, base: string | undefined): PatchEffect[] {
  const effects: PatchEffect[] = [];
  for (let at = text.indexOf('*** '); at >= 0; at = text.indexOf('*** ', at + 4)) {
    if (at > 0 && text[at - 1] !== '\n') continue;
    const end = text.indexOf('\n', at);
    const line = text.slice(at, end < 0 ? text.length : end).trimEnd();
    const header = HEADERS.find(([start]) => line.startsWith(start));
    if (header !== undefined) {
      const kind = header[1] === 'written' ? 'created' : header[1];
      effects.push({ kind, path: line.slice(header[0].length).trim(), base });
    } else if (line.startsWith(MOVE)) {
      const moved = effects.pop();
      if (moved !== undefined) effects.push({ ...moved, kind: 'deleted' });
      effects.push({ kind: 'created', path: line.slice(MOVE.length).trim(), base });
    }
  }
  return effects.filter(({ path }) => path !== '');
}
