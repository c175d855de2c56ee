// Reads names out of the documentation pages that the seeds are.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Number of a seed → the beginning of its document's file name. */
const DOCUMENTS: readonly (readonly [seed: string, prefix: string])[] = [
  ['0', '000_'],
  ['2', '002_'],
];

/** Lines `SEED NAME`, sorted, of all documents beside the checkout; undefined where they are missing. */
export function namesInDocuments(): readonly string[] | undefined {
  const folder = join(process.cwd(), '..', 'shared', 'seeds');
  if (!existsSync(folder)) return undefined;
  return DOCUMENTS.flatMap(([seed, prefix]) => {
    const file = readdirSync(folder).find((name) => name.startsWith(prefix));
    if (file === undefined) throw new Error(`${folder} holds no document of seed ${seed}`);
    return [...exportedNames(readFileSync(join(folder, file), 'utf8'))].sort().map((name) => `${seed} ${name}`);
  });
}

/** Exported names of a package's page: constants, variables, functions, types, and methods as `Type.Method`. Fields are no names of their own. */
export function exportedNames(page: string): ReadonlySet<string> {
  const names = new Set<string>();
  let group = false;
  for (const line of page.split('\n')) {
    if (group) {
      if (line.startsWith(')')) group = false;
      else add(names, /^\s+([A-Z]\w*)(?:\s+[\w.]+)?\s*(?:=|$)/.exec(line)?.[1]);
      continue;
    }
    group = /^(?:const|var) \($/.test(line);
    add(names, /^(?:const|type|func) ([A-Z]\w*)/.exec(line)?.[1]);
    const method = /^func \((?:\w+ )?\*?([A-Z]\w*)\) ([A-Z]\w*)/.exec(line);
    if (method !== null) names.add(`${method[1] ?? ''}.${method[2] ?? ''}`);
  }
  return names;
}

function add(names: Set<string>, name: string | undefined): void {
  if (name !== undefined) names.add(name);
}
