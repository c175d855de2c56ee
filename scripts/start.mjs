// npm start [-- FILE] [-- --no-open]: builds the extension and opens the inspector on FILE, or on a copy of the bundled sample, in a real VS
// Code with a throw-away profile: the desktop's where its `code` command is on PATH, else one that is served on 127.0.0.1 and whose address
// is printed. `--no-open` always serves, `--no-build` takes the package that is built. The person's own VS Code, its settings and FILE are
// left alone. Runs until Ctrl+C or, on the desktop, until the window is closed.
//
// The extension opens the session that $CONTEXT_INSPECTOR_OPEN names when it starts (docs/architecture.md, "Start").
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runNode } from './run.mjs';
import { ROOT, ensureHost, startServer } from './vscode-host.mjs';

const SAMPLE = join(ROOT, 'media/sample/fix-token-counter-drift.jsonl');
const PACKAGE = join(ROOT, 'dist/context-inspector.vsix');

const { values, positionals } = readArguments();
// npm runs scripts in the project's folder; a path is meant from where the person stands.
const from = process.env.INIT_CWD ?? process.cwd();
const given = positionals[0] === undefined ? undefined : resolve(from, positionals[0]);
if (given !== undefined && !(existsSync(given) && statSync(given).isFile())) stop(`There is no file ${given}.`);

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'context-inspector-start-')));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
const file = given ?? copyOfSample();
const env = { CONTEXT_INSPECTOR_OPEN: file };

if (!values['no-build']) {
  console.error('Building …');
  const built = await runNode(['scripts/package.mjs'], { timeoutMs: 300_000 });
  if (built.status !== 0) stop(built.output);
}

const code = values['no-open'] ? undefined : desktopCode();
if (code === undefined) await serve();
else if (!(await openDesktop(code))) {
  console.error('The VS Code of this desktop did not open; one is served instead.');
  await serve();
}

async function serve() {
  ensureHost({ quiet: true });
  const server = await startServer({ vsix: [PACKAGE], env, token: true });
  let stopping = false;
  const end = async () => {
    if (stopping) return;
    stopping = true;
    await server.stop();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void end());
  console.log(`Context Inspector is at ${server.url(dirname(file))} (Ctrl+C ends it)`);
  await server.ended;
  if (!stopping) stop(`VS Code has ended:\n${server.log().slice(-2000)}`);
}

/** Opens a window of the desktop's VS Code with its own profile, and waits until it is closed. False when it does not open. */
async function openDesktop(command) {
  const profile = ['--user-data-dir', join(scratch, 'user'), '--extensions-dir', join(scratch, 'extensions')];
  // VS Code refuses to run as root without this.
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  if ((await desktop(command, [...asRoot, ...profile, '--install-extension', PACKAGE, '--force'])) !== 0) return false;
  console.log(`Opening ${basename(file)} in VS Code (closing its window ends this)`);
  const quiet = ['--skip-welcome', '--skip-release-notes', '--disable-workspace-trust', '--disable-telemetry'];
  return (await desktop(command, [...asRoot, ...profile, ...quiet, '--new-window', '--wait', dirname(file)])) === 0;
}

function desktop(command, args) {
  return new Promise((done) => {
    const shell = process.platform === 'win32';
    const quoted = shell ? args.map((arg) => `"${arg}"`) : args;
    const child = spawn(shell ? `"${command}"` : command, quoted, {
      stdio: ['ignore', 2, 'inherit'],
      env: { ...process.env, ...env },
      shell,
    });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      process.once(signal, () => {
        child.kill('SIGTERM');
        process.exit(0);
      });
    }
    child.once('error', () => done(127));
    child.once('exit', (status) => done(status ?? 1));
  });
}

/**
 * Path of the desktop's `code`; undefined where there is none to open a window with: a terminal inside of VS Code or WSL has a `code` that
 * talks to a window elsewhere, and a Linux without a display can show none.
 */
function desktopCode() {
  if (process.env.VSCODE_IPC_HOOK_CLI || process.env.WSL_DISTRO_NAME) return undefined;
  if (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return undefined;
  const name = process.platform === 'win32' ? 'code.cmd' : 'code';
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

function copyOfSample() {
  const folder = join(scratch, 'counter');
  mkdirSync(folder);
  const copy = join(folder, basename(SAMPLE));
  cpSync(SAMPLE, copy);
  return copy;
}

function readArguments() {
  try {
    const read = parseArgs({ options: { 'no-open': { type: 'boolean' }, 'no-build': { type: 'boolean' } }, allowPositionals: true });
    if (read.positionals.length > 1) throw new Error('Only one file can be opened.');
    return read;
  } catch (error) {
    console.error(`${error.message}\nUsage: npm start [-- FILE] [-- --no-open]`);
    process.exit(2);
  }
}

function stop(message) {
  console.error(message.trimEnd());
  process.exit(1);
}
