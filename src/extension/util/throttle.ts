import type { Disposable } from '../../core/util/disposable';

/** Runs `action` at once and then at most once per interval; what comes too early runs once at the interval's end. */
export function throttled(intervalMs: number, action: () => void, now: () => number = Date.now): (() => void) & Disposable {
  let last = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  const run = (): void => {
    timer = undefined;
    last = now();
    action();
  };
  const call = (): void => {
    if (timer !== undefined) return;
    const wait = last + intervalMs - now();
    if (wait <= 0) run();
    else timer = setTimeout(run, wait);
  };
  return Object.assign(call, { dispose: () => clearTimeout(timer) });
}
