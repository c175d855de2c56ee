import { randomUUID } from 'node:crypto';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ResultStore } from '../../../src/core/toolResults/resultStore';
import { PREVIEW_BYTES } from '../../../src/core/toolResults/preview';
import { arrayOf, field, isRecord, stringOf, type JsonRecord } from '../../../src/core/util/json';
import { isWellFormed, utf8Length } from '../../../src/core/util/text';
import { createNodeFileSystem } from '../../../src/node/fs/nodeFileSystem';
import { createNodeFolders } from '../../../src/node/fs/nodeFolders';
import type { CaseAdapter, CaseCall } from '../caseTypes';

/** Saving results, on a real disk. */
export const store: CaseAdapter = {
  functions: { persistReplacement: (call) => inScratch((folder) => persisted(call, folder)) },
  properties: {
    P63: (_, result) => {
      if (!isRecord(result)) return 'nothing was told about the files';
      if (field(result, 'filesOutsideDir') !== 0) return 'a file lies outside of the store';
      return field(result, 'sharedFiles') === 0 ? undefined : 'two ids share a file';
    },
    P64: (call, result) => {
      const preview = isRecord(result) ? stringOf(result, 'preview') : undefined;
      if (preview === undefined || preview === '') return 'there is no preview';
      if (!isWellFormed(preview)) return 'the preview is cut inside a character';
      if (!(stringOf(call.args, 'content') ?? '').startsWith(preview)) return 'the preview is no prefix';
      return utf8Length(preview) <= PREVIEW_BYTES ? undefined : 'the preview is too long';
    },
  },
};

async function inScratch(action: (folder: string) => Promise<JsonRecord>): Promise<JsonRecord> {
  const folder = mkdtempSync(join(tmpdir(), 'result-store-'));
  try {
    return await action(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function persisted({ args }: CaseCall, root: string): Promise<JsonRecord> {
  const session = join(root, 'deeper', 'session');
  const folder = join(session, 'tool-results');
  const ids = (arrayOf(args, 'ids') ?? [field(args, 'toolUseId')]).map(String);
  const contents = (arrayOf(args, 'content') ?? [field(args, 'content')]).map(String);
  const existing = stringOf(args, 'existing');
  mkdirSync(existing === undefined ? session : folder, { recursive: true });
  if (existing !== undefined) writeFileSync(join(folder, `${ids[0] ?? ''}.txt`), existing);
  const files = new ResultStore(
    { files: createNodeFileSystem(), folders: createNodeFolders(), ids: { uuid: () => randomUUID() } },
    session,
  );
  const texts: (string | undefined)[] = [];
  for (const [index, id] of ids.entries()) {
    texts.push(await files.saveReplacement(id, contents[index] ?? '').catch(() => undefined));
  }
  return { ...filesOf(root, folder), ...told(ids, contents, texts, folder, existing) };
}

function told(
  ids: readonly string[],
  contents: readonly string[],
  texts: readonly (string | undefined)[],
  folder: string,
  existing: string | undefined,
): JsonRecord {
  const [text] = texts;
  const paths = texts.map((one) => /All of it is here: (.*)$/m.exec(one ?? '')?.[1]);
  const saved = paths.filter((path) => path !== undefined);
  const preview = text === undefined ? undefined : /^Beginning .*:\n([^]*?)(?:\n\.\.\.)?\n<\/persisted-output>$/m.exec(text)?.[1];
  const contentOf = ids.flatMap((id, index) => {
    const path = paths[index];
    return path === undefined ? [] : [[id, readFileSync(path, 'utf8')] as const];
  });
  return {
    outcome: text === undefined ? 'refused_original_kept' : 'saved_under_safe_name',
    sharedFiles: saved.length - new Set(saved).size + contentOf.filter(([id, content]) => content !== contents[ids.indexOf(id)]).length,
    contentOf: Object.fromEntries(contentOf),
    existingContent: existing === undefined ? undefined : readFileSync(join(folder, `${ids[0] ?? ''}.txt`), 'utf8'),
    fileMode: saved[0] === undefined ? undefined : modeOf(saved[0]),
    dirMode: saved[0] === undefined ? undefined : modeOf(folder),
    ...(preview === undefined ? {} : { preview, previewWellFormed: isWellFormed(text ?? ''), previewBytes: utf8Length(preview) }),
  };
}

function filesOf(root: string, folder: string): JsonRecord {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8', withFileTypes: true }).filter((entry) => entry.isFile());
  return { filesOutsideDir: paths.filter((entry) => entry.parentPath !== folder).length };
}

function modeOf(path: string): string {
  return (lstatSync(path).mode & 0o7777).toString(8).padStart(4, '0');
}
