import { run } from './run';

/** Runs the command line of this process and ends it with the command's exit status. An interrupt cancels cleanly. */
export async function main(): Promise<void> {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort());
  // A reader that goes away (`| head`) is no fault of ours.
  process.stdout.on('error', () => process.exit(0));
  process.exitCode = await run(process.argv.slice(2), {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    env: process.env,
    cwd: process.cwd(),
    isTerminal: process.stderr.isTTY,
    signal: controller.signal,
  });
}
