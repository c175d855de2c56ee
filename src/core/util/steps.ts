/** Long work in short pieces: it yields where others may have their turn, and returns what came of it. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Does all of it at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

const BETWEEN = 4096;

/** True for every 4,096th index: simple work on so many entries of a list takes well under a millisecond. */
export function isPause(index: number): boolean {
  return index % BETWEEN === BETWEEN - 1;
}
