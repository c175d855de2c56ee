// Type checks changed files of src/core: a wrong version that does not compile is no version that a test could notice.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';

/** Names that a patch leaves without use are no mistake here. */
const UNUSED = { noUnusedLocals: false, noUnusedParameters: false };

/**
 * A checker of the core in a folder.
 * @returns {(files: ReadonlyMap<string, string>) => string | undefined} the first error when the files had these texts
 */
export function createTypeCheck(root) {
  const config = join(root, 'src/core/tsconfig.json');
  const parsed = ts.getParsedCommandLineOfConfigFile(
    config,
    { ...UNUSED, noEmit: true, composite: false, emitDeclarationOnly: false },
    host(),
  );
  const changed = new Map();
  let version = 0;
  const textOf = (path) => changed.get(path)?.text ?? (existsSync(path) ? readFileSync(path, 'utf8') : undefined);
  const service = ts.createLanguageService({
    getCompilationSettings: () => parsed.options,
    getScriptFileNames: () => parsed.fileNames,
    getScriptVersion: (path) => changed.get(path)?.version ?? '0',
    getScriptSnapshot: (path) => {
      const text = textOf(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
    fileExists: ts.sys.fileExists,
    readFile: (path) => textOf(path),
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });
  return (files) => {
    version += 1;
    changed.clear();
    for (const [file, text] of files) changed.set(resolve(root, file), { text, version: String(version) });
    for (const path of changed.keys()) {
      const [error] = [...service.getSyntacticDiagnostics(path), ...service.getSemanticDiagnostics(path)];
      if (error !== undefined) return ts.flattenDiagnosticMessageText(error.messageText, ' ');
    }
    return undefined;
  };
}

function host() {
  return {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (error) => {
      throw new Error(ts.flattenDiagnosticMessageText(error.messageText, ' '));
    },
  };
}
