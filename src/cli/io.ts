/** What a command may use of the process; tests give their own. */
export interface CliIo {
  /** Writes text as it is. */
  out(text: string): void;
  err(text: string): void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly isTerminal: boolean;
  readonly signal: AbortSignal;
}

export const EXIT = { done: 0, failed: 1, usage: 2, refused: 3 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An outcome other than success: ends the command with its exit status, code and sentence. */
export class CliError extends Error {
  override readonly name = 'CliError';
  constructor(
    readonly exit: ExitCode,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Wrong usage: unknown command or option, missing or bad value. */
export function usageError(message: string): CliError {
  return new CliError(EXIT.usage, 'usage', message);
}

/** Prints one JSON object as the only thing on standard output. */
export function printJson(io: CliIo, value: unknown): void {
  io.out(`${JSON.stringify(value, null, 2)}\n`);
}
