import { run } from '../../src/cli/run';

export interface CliResult {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the command line in this process, with its own environment and folder. */
export async function cli(
  argv: readonly string[],
  more: { env?: Record<string, string>; cwd?: string; signal?: AbortSignal } = {},
): Promise<CliResult> {
  let out = '';
  let err = '';
  const status = await run(argv, {
    out: (text) => (out += text),
    err: (text) => (err += text),
    env: more.env ?? {},
    cwd: more.cwd ?? process.cwd(),
    isTerminal: false,
    signal: more.signal ?? new AbortController().signal,
  });
  return { status, out, err };
}
