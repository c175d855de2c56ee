// Waiting for what must come. The limit is there to end a hang, not to measure speed: nothing below asserts that something is fast.

export const HANG_LIMIT_MS = 120_000;
const PAUSE_MS = 100;

/** Asks `probe` until it answers something else than undefined or false; fails with `what` and the last error after the hang limit. */
export async function until<T>(
  what: string,
  probe: () => Promise<T | undefined | false> | T | undefined | false,
  limitMs = HANG_LIMIT_MS,
): Promise<T> {
  const end = Date.now() + limitMs;
  let last: unknown;
  for (;;) {
    try {
      const answer = await probe();
      if (answer !== undefined && answer !== false) return answer;
      last = undefined;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) throw new Error(`Never came: ${what}.`, { cause: last });
    await new Promise((resume) => setTimeout(resume, PAUSE_MS));
  }
}
