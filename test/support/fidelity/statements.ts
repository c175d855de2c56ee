// Reads the statements about files back out of a summary, by the grammar that its section follows, and takes the summary's own words apart
// from those of the transcript by their position.

export interface Statement {
  readonly kind: 'read' | 'created' | 'changed' | 'deleted';
  readonly path: string;
  readonly base: string | undefined;
}

/** Statements of the section "Files": a label line names the kinds, each line below it a folder and names in it. */
export function statementsOf(summary: string): readonly Statement[] {
  const found: Statement[] = [];
  let root = '';
  let kinds: readonly Statement['kind'][] = [];
  for (const { line, heading, isQuoted } of linesOf(summary)) {
    if (heading !== 'Files' || isQuoted) continue;
    root = /^`…\/` stands for `+ ?(.*?) ?`+\.$/.exec(line)?.[1] ?? root;
    const label = /^\*\*([A-Za-z, ]+):\*\*$/.exec(line)?.[1]?.toLowerCase();
    if (label !== undefined) kinds = KINDS.filter((kind) => label.split(/, | and /).includes(kind));
    if (!line.startsWith('- ')) continue;
    const parts = namesOf(line.slice(2));
    const base = parts.base;
    for (const name of parts.names) {
      const path = (parts.folder.startsWith('…/') ? root + parts.folder.slice(2) : parts.folder) + name;
      for (const kind of kinds) found.push({ kind, path, base });
    }
  }
  return found;
}

export interface SummaryLine {
  readonly line: string;
  readonly heading: string;
  /** Inside of a fence: a quotation. */
  readonly isQuoted: boolean;
}

/** Lines of a summary with the section that they stand in; the fences themselves are left out. */
export function linesOf(summary: string): readonly SummaryLine[] {
  const lines: SummaryLine[] = [];
  let heading = '';
  let fence: string | undefined;
  for (const line of summary.split('\n')) {
    const ticks = /^\s*(`{3,})$/.exec(line)?.[1];
    if (ticks !== undefined && (fence === undefined || fence === ticks)) {
      fence = fence === undefined ? ticks : undefined;
      continue;
    }
    if (fence === undefined && line.startsWith('## ')) heading = line.slice(3);
    else lines.push({ line, heading, isQuoted: fence !== undefined });
  }
  return lines;
}

function namesOf(text: string): { base: string | undefined; folder: string; names: string[] } {
  const base = /^\(in (`+ ?.+? ?`+|[^)]+)\) /.exec(text);
  let rest = base === null ? text : text.slice(base[0].length);
  const folder = /^(?:(`+)( ?)(.+?)\2\1|((?:[^`]|`(?=\/))*?[/\\])): /.exec(rest);
  if (folder !== null) rest = rest.slice(folder[0].length);
  const names = [...rest.matchAll(/(`+)( ?)(.+?)\2\1(?:, |$)|([^`,][^]*?)(?:, |$)/g)].map((match) => match[3] ?? match[4] ?? '');
  return { base: bare(base?.[1]), folder: folder?.[3] ?? folder?.[4] ?? '', names };
}

function bare(span: string | undefined): string | undefined {
  return span?.replace(/^`+ ?| ?`+$/g, '');
}

const KINDS = ['read', 'created', 'changed', 'deleted'] as const;
