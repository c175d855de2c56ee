import type { ReadErrorCode } from '../../core/errors/readError';
import { ReadError } from '../../core/errors/readError';
import type { StoreErrorCode } from '../../core/errors/storeError';
import { StoreError } from '../../core/errors/storeError';

const STORE_CODES = new Map<string, StoreErrorCode>([
  ['EEXIST', 'exists'],
  ['ELOOP', 'link'],
  ['ENOSPC', 'noSpace'],
  ['EDQUOT', 'noSpace'],
  ['EACCES', 'denied'],
  ['EPERM', 'denied'],
  ['EROFS', 'denied'],
  ['EBUSY', 'denied'],
  ['ENAMETOOLONG', 'unsafeName'],
]);

const READ_CODES = new Map<string, ReadErrorCode>([
  ['ENOENT', 'notFound'],
  ['ENOTDIR', 'notFound'],
  ['EACCES', 'denied'],
  ['EPERM', 'denied'],
  ['EISDIR', 'notAFile'],
]);

/** The system's name of an error (`ENOSPC`), or ''. */
export function errnoOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** A failed write as StoreError; the system's message names paths and goes no further than `cause`. */
export function storeErrorOf(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const errno = errnoOf(error);
  return new StoreError(STORE_CODES.get(errno) ?? 'io', errno || 'io', { cause: error });
}

/** A failed read as ReadError. */
export function readErrorOf(error: unknown): ReadError {
  if (error instanceof ReadError) return error;
  const errno = errnoOf(error);
  return new ReadError(READ_CODES.get(errno) ?? 'io', errno || 'io', { cause: error });
}
