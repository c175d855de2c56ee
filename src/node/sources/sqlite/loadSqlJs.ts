import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isRecord } from '../../../core/util/json';
import type { SqlJs } from './sqlite';

/** Loads SQLite's WebAssembly build (700 KB) when the first database is opened. Loading twice gives the same one. */
export function loadSqlJs(): Promise<SqlJs> {
  loading ??= load();
  return loading;
}

/** Lets the next database have a new SQLite after an error of the machine itself (out of memory), which leaves the old one unusable. */
export function forgetAfter(error: unknown): void {
  if (error instanceof Error && error.name === 'RuntimeError') loading = undefined;
}

let loading: Promise<SqlJs> | undefined;

async function load(): Promise<SqlJs> {
  const [{ default: initSqlJs }, wasmBinary] = await Promise.all([import('sql.js'), wasmFile()]);
  const sqlJs = await initSqlJs({ wasmBinary });
  if (!isSqlJs(sqlJs)) throw new Error('sql.js is of another kind');
  return sqlJs;
}

function isSqlJs(value: unknown): value is SqlJs {
  return isRecord(value) && typeof value['Database'] === 'function';
}

/** The program that ships has the file beside its own; a test or a check takes it from the package. */
async function wasmFile(): Promise<Uint8Array> {
  const shipped = fileURLToPath(new URL('./sql-wasm.wasm', import.meta.url));
  return readFile(shipped).catch(() => readFile(createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm')));
}
