import { randomUUID } from 'node:crypto';
import type { LostItem } from '../../core/compaction/lost';
import type { MicroPlan } from '../../core/compaction/microPlan';
import type { CompactionPlan, PlanRefusal } from '../../core/compaction/plan';
import type { SummaryDetail } from '../../core/ports/summarizer';
import type { HeardReply } from './replies';
import type { CopyOptions } from './writeCompactedCopy';

/** A plan that was shown. */
export interface ShownPlan {
  readonly plan: CompactionPlan | MicroPlan;
  readonly detail: SummaryDetail;
  /** Why it cannot be run as it is. */
  readonly problem?: PlanRefusal | undefined;
  /** What its offline summary loses, where that is known already. */
  readonly lost?: readonly LostItem[];
}

/** A copy that was written with a summary, so that another one can be written with the same. */
export interface WrittenRun {
  readonly plan: CompactionPlan;
  readonly heard: HeardReply;
  readonly options: Pick<CopyOptions, 'instructions' | 'form' | 'quotes' | 'writtenBy'>;
  /** What that copy lost. */
  readonly lost: readonly LostItem[];
}

/** Keeps the newest values under ids, so that a page can come back to what it was shown. */
export class Newest<T> {
  readonly #values = new Map<string, T>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** Keeps a value, under an id of its own unless one is given, and answers the id. */
  keep(value: T, id: string = randomUUID()): string {
    this.#values.delete(id);
    this.#values.set(id, value);
    const oldest = this.#values.keys().next();
    if (this.#values.size > this.#most && oldest.done !== true) this.#values.delete(oldest.value);
    return id;
  }

  get(id: string): T | undefined {
    return this.#values.get(id);
  }

  clear(): void {
    this.#values.clear();
  }
}
