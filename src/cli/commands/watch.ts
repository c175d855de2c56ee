import { OpenSession } from '../../node/engine/openSession';
import { flag, onlyFile, parse } from '../args';
import { gaugeLine } from '../format';
import { CliError, EXIT, type CliIo, type ExitCode } from '../io';

const POLL_MS = 1000;

/** `watch FILE [--json]`: prints the gauge now and whenever it changes, until interrupted. With `--json` one object a line. */
export async function watch(args: readonly string[], io: CliIo): Promise<ExitCode> {
  const { values, positionals } = parse(args, { json: { type: 'boolean' }, all: { type: 'boolean' }, otlp: { type: 'string' } });
  if (flag(values, 'all') || values['otlp'] !== undefined) {
    throw new CliError(EXIT.refused, 'notSupported', 'Watching all sessions is not available in this version; name one transcript.');
  }
  const file = onlyFile('watch', positionals);
  const session = await OpenSession.open(file, { options: {}, watch: true, pollMs: POLL_MS }, io.signal);
  let last = '';
  const print = (): void => {
    const report = session.report(file, false);
    const line = flag(values, 'json')
      ? JSON.stringify({
          schema: 'context-inspector/watch/v1',
          file,
          usage: report.usage,
          window: report.window,
          warning: report.warning,
          boundaries: report.boundaries.length,
        })
      : gaugeLine(report);
    if (line === last) return;
    last = line;
    io.out(`${line}\n`);
  };
  print();
  const listening = session.onPatch(print);
  try {
    await new Promise<void>((resolve) => {
      if (io.signal.aborted) resolve();
      else io.signal.addEventListener('abort', () => resolve(), { once: true });
    });
  } finally {
    listening.dispose();
    session.dispose();
  }
  return EXIT.done;
}
