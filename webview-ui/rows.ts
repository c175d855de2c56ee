// Rows of the list, asked for by page and kept while they are near what is seen.
import { signal, type ReadonlySignal } from '@preact/signals';
import { isRowView } from '../src/core/protocol/guards';
import type { RowView } from '../src/core/protocol/viewModel';
import { messageOf } from './errorText';
import type { PageClient } from './rpc';

/** Rows of one request. */
export const PAGE_ROWS = 100;
/** Pages kept: some thousand rows, a few hundred KB. */
const MAX_PAGES = 40;
/** Scrolling asks at most this often, so that a fling through a long list does not flood the host. */
const ASK_MS = 40;
const MAX_CHANGES = 50;

interface RowPage {
  readonly rows: readonly RowView[];
  /** Revision that the host read them at. */
  readonly revision: number;
}

/** A change that the host announced: rows from `from` on are as of revision `to`. */
interface Change {
  readonly from: number;
  readonly to: number;
}

export interface Rows {
  /** Changes whenever a row may look different; read it to be drawn again. */
  readonly version: ReadonlySignal<number>;
  /** Why rows could not be read; undefined when they could. */
  readonly failure: ReadonlySignal<string | undefined>;
  /** The row as far as it is known. A row that has changed is answered in its old form until the new one is here. */
  readonly get: (index: number) => RowView | undefined;
  /** Asks for the rows [from, to) that are missing or old. */
  readonly want: (from: number, to: number) => void;
  /** Says that rows from `from` on changed at a revision. */
  readonly changed: (from: number, revision: number) => void;
  /** Forgets everything: another session, or the same read anew. */
  readonly reset: (handle: string) => void;
  /** Index of a row by id: among the known ones, else by reading the list from its end. */
  readonly locate: (id: string, count: number, signal: AbortSignal) => Promise<number | undefined>;
}

/** Makes the cache of rows. `onLost` is called when the host does not know the session any more. */
export function createRows(client: PageClient, onLost: () => void): Rows {
  const version = signal(0);
  const failure = signal<string | undefined>(undefined);
  const pages = new Map<number, RowPage>();
  const asked = new Set<number>();
  let changes: readonly Change[] = [];
  let handle = '';
  let wanted: { from: number; to: number } | undefined;
  let timer: number | undefined;

  const isOld = (page: number, revision: number): boolean =>
    changes.some((change) => change.from < (page + 1) * PAGE_ROWS && change.to > revision);

  const keep = (page: number, value: RowPage): void => {
    pages.delete(page);
    pages.set(page, value);
    for (const oldest of pages.keys()) {
      if (pages.size <= MAX_PAGES) break;
      pages.delete(oldest);
    }
    version.value++;
  };

  const read = async (from: number, to: number): Promise<RowPage> => {
    const { revision, rows } = await client.request('rows/read', { handle, from, to });
    return { revision, rows: rows.filter(isRowView) };
  };

  const ask = async (page: number): Promise<void> => {
    const of = handle;
    asked.add(page);
    try {
      const answer = await read(page * PAGE_ROWS, (page + 1) * PAGE_ROWS);
      if (of !== handle) return;
      failure.value = undefined;
      keep(page, answer);
    } catch (error) {
      if (of !== handle) return;
      failure.value = messageOf(error);
      onLost();
    } finally {
      if (of === handle) asked.delete(page);
    }
  };

  const askWanted = (): void => {
    timer = undefined;
    if (wanted === undefined) return;
    const last = Math.floor(Math.max(wanted.from, wanted.to - 1) / PAGE_ROWS);
    for (let page = Math.floor(wanted.from / PAGE_ROWS); page <= last; page++) {
      const known = pages.get(page);
      if (!asked.has(page) && (known === undefined || isOld(page, known.revision))) void ask(page);
    }
  };

  const known = (id: string): number | undefined => {
    for (const { rows } of pages.values()) {
      const row = rows.find((one) => one.id === id);
      if (row !== undefined) return row.index;
    }
    return undefined;
  };

  return {
    version,
    failure,
    get(index) {
      const page = pages.get(Math.floor(index / PAGE_ROWS));
      const row = page?.rows[index % PAGE_ROWS];
      return row?.index === index ? row : page?.rows.find((one) => one.index === index);
    },
    want(from, to) {
      wanted = { from, to };
      timer ??= window.setTimeout(askWanted, ASK_MS);
    },
    changed(from, revision) {
      // A later change that begins earlier covers the earlier ones.
      changes = shortened([...changes.filter((change) => change.from < from), { from, to: revision }]);
      version.value++;
    },
    reset(next) {
      handle = next;
      pages.clear();
      asked.clear();
      changes = [];
      failure.value = undefined;
      version.value++;
    },
    async locate(id, count, abort) {
      const found = known(id);
      if (found !== undefined) return found;
      for (let to = count; to > 0 && !abort.aborted; to -= PAGE_ROWS) {
        const { rows } = await read(Math.max(0, to - PAGE_ROWS), to);
        const row = rows.find((one) => one.id === id);
        if (row !== undefined) return row.index;
        await pause(ASK_MS);
      }
      return undefined;
    },
  };
}

/** Joins the two oldest changes of a long history: a few rows more are read again, and the history stays short. */
function shortened(changes: readonly Change[]): readonly Change[] {
  const [first, second, ...rest] = changes;
  if (first === undefined || second === undefined || changes.length <= MAX_CHANGES) return changes;
  return [{ from: Math.min(first.from, second.from), to: Math.max(first.to, second.to) }, ...rest];
}

/** Lets the host do other work; the reads of a long search stay well below its limit of messages per second. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}
