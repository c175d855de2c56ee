/** A measured vector with its long strings built. */
export interface Vector {
  readonly name: string;
  readonly fn: string;
  readonly input: unknown;
  readonly output: unknown;
}

/** Runs our code on a vector's input and answers in the form of its output, or promises to. */
export type GoldenFunction = (input: unknown, name: string) => unknown;

/** Functions by the name that vectors give them. */
export type GoldenFunctions = Readonly<Record<string, GoldenFunction>>;

/** A place where we deliberately answer otherwise than the measured code, because a case or a decision says so. */
export interface Difference {
  readonly name: string;
  /** Path inside the output, such as `warning.PercentLeft` or `list[0]`; '' for the whole. */
  readonly path: string;
  readonly ours: unknown;
  /** `case NNN` or `decision N`. */
  readonly source: string;
  readonly reason: string;
}
