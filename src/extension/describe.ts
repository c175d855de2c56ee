import { isErrorCode, messageFor } from '../core/errors/messages';
import { isRecord, stringOf } from '../core/util/json';
import { HostError } from './hostError';
import { hostMessage } from './l10n/hostMessages';

export interface Described {
  readonly code: string;
  /** One sentence for people. */
  readonly message: string;
  /** An outcome rather than a fault: a quiet line, never a red box. */
  readonly isQuiet: boolean;
}

const QUIET = new Set(['aborted', 'cancelled', 'nothingToDo']);

/** Puts anything that was thrown or refused into words. The text of errors that are not ours is never shown. */
export function describe(problem: unknown): Described {
  const codes = typeof problem === 'string' ? [problem] : isRecord(problem) ? [stringOf(problem, 'inner'), stringOf(problem, 'code')] : [];
  for (const code of codes) {
    const own = code === undefined ? undefined : hostMessage(code);
    if (code !== undefined && own !== undefined) return { code, message: own, isQuiet: false };
  }
  const code = codes.find((name) => name !== undefined && isErrorCode(name)) ?? 'internal';
  return { code, message: messageFor(problem), isQuiet: QUIET.has(code) };
}

/** For the log: class and code of an error and of its causes. Their texts may hold paths, so those go to the debug level only. */
export function outline(problem: unknown): string {
  const parts: string[] = [];
  for (let error = problem, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth++) {
    const code =
      'inner' in error && typeof error.inner === 'string'
        ? error.inner
        : 'code' in error && typeof error.code === 'string'
          ? error.code
          : '';
    parts.push(code === '' ? error.name : `${error.name} ${code}`);
  }
  return parts.length === 0 ? typeof problem : parts.join(' ← ');
}

/** True for what is expected to go wrong and needs no trace in the log. */
export function isExpected(problem: unknown): boolean {
  return problem instanceof HostError || QUIET.has(describe(problem).code);
}
