import type { Steps } from '../../core/util/steps';

/** Work between two moments in which requests are answered, in milliseconds. */
const SLICE_MS = 8;

/** Long work of one kind that lets others have their turn. */
export class Pace {
  readonly #sliceMs: number;
  #since = performance.now();

  constructor(sliceMs = SLICE_MS) {
    this.#sliceMs = sliceMs;
  }

  /** Resolves at once while the present slice lasts, else when others had their turn. */
  async rest(): Promise<void> {
    if (performance.now() - this.#since < this.#sliceMs) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#since = performance.now();
  }
}

/** Does long work so that others get their turn in between. Rejects with what the work throws, or with the signal's reason. */
export async function inSlices<T>(steps: Steps<T>, signal?: AbortSignal, sliceMs?: number): Promise<T> {
  const pace = new Pace(sliceMs);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await pace.rest();
    signal?.throwIfAborted();
  }
}
