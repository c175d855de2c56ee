/** Aborts a call when nothing arrives for too long, or when the caller aborts. */
export interface CallTimer {
  readonly signal: AbortSignal;
  /** Time without a sign of life that ended the call; undefined while it runs or when something else ended it. */
  readonly timedOutAfterMs: () => number | undefined;
  /** Something arrived: the time begins anew. */
  readonly touch: () => void;
  /** Ends the call and the timer. Calling it again is harmless. */
  readonly stop: () => void;
}

/** Starts a timer for one call; the caller must stop it. */
export function startCallTimer(outer: AbortSignal, idleMs: number): CallTimer {
  const controller = new AbortController();
  let timedOut = false;
  const expire = (): void => {
    timedOut = true;
    controller.abort();
  };
  const onAbort = (): void => controller.abort();
  let timer = setTimeout(expire, idleMs);
  outer.addEventListener('abort', onAbort, { once: true });
  if (outer.aborted) onAbort();
  return {
    signal: controller.signal,
    timedOutAfterMs: () => (timedOut ? idleMs : undefined),
    touch: () => {
      clearTimeout(timer);
      if (!controller.signal.aborted) timer = setTimeout(expire, idleMs);
    },
    stop: () => {
      clearTimeout(timer);
      outer.removeEventListener('abort', onAbort);
      controller.abort();
    },
  };
}
