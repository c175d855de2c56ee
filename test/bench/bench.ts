/** One measured number beside what it is to be. Times are processor time, in milliseconds, unless the label says otherwise. */
export interface BenchCheck {
  readonly label: string;
  readonly value: number;
  /** `atMost` and `atLeast` are the limit; neither of them makes the line a mere figure. */
  readonly atMost?: number;
  readonly atLeast?: number;
  readonly unit: string;
}

export interface BenchReport {
  /** Columns of the table; the first one names the rows. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
  readonly checks: readonly BenchCheck[];
  /** Sentences that are shown below the table: what the numbers are of, and what was left out and why. */
  readonly notes?: readonly string[];
}

/** A benchmark: `run` gets the arguments behind the name, without those that the command takes itself. */
export interface Bench {
  readonly run: (args: readonly string[]) => Promise<BenchReport>;
}

/** True when a check holds. */
export function holds(check: BenchCheck): boolean {
  return check.value <= (check.atMost ?? Infinity) && check.value >= (check.atLeast ?? -Infinity);
}

/** Processor time of this process that `work` takes, in milliseconds. */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Median of processor times over several runs, after one that warms up. */
export function medianCpuMs(work: () => void, runs = 5): number {
  work();
  return median(Array.from({ length: runs }, () => cpuMs(work)));
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? 0)) / 2;
}
