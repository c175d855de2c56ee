// Serves the real VS Code of setup-vscode.sh on a free port of 127.0.0.1 with a throw-away profile, and opens it in headless Chromium.
// Every process started here is stopped by its own id, also when the caller ends early.
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';

export const ROOT = findRoot(import.meta.dirname);
const SETUP = join(ROOT, 'scripts/setup-vscode.sh');
/** Hang limits, not expectations: the slowest machine seen needs a tenth of them. */
const SERVER_START_MS = 90_000;
const SERVER_STOP_MS = 5_000;

/** What keeps a VS Code quiet: nothing pops up, nothing is fetched, nothing is asked. */
const QUIET_SETTINGS = {
  'workbench.startupEditor': 'none',
  'telemetry.telemetryLevel': 'off',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'update.mode': 'none',
  'workbench.enableExperiments': false,
  'workbench.tips.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'security.workspace.trust.enabled': false,
  'git.enabled': false,
  'chat.agentHost.enabled': false,
  'chat.disableAIFeatures': true,
  'window.commandCenter': false,
};

/** Folder of the VS Code under test: $VSCODE_HOST_DIR, or the shared one in the user's cache that setup-vscode.sh names. */
export function hostFolder() {
  if (process.env.VSCODE_HOST_DIR) return resolve(process.env.VSCODE_HOST_DIR);
  const script = readFileSync(SETUP, 'utf8');
  const pinned = (name) => new RegExp(`^${name}=([\\w.]+)$`, 'm').exec(script)?.[1];
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const name = `vscode-${pinned('code_server')}-node-${pinned('node_version')}-r${pinned('revision')}`;
  return join(cache, 'context-inspector', name);
}

/** Sets up the VS Code where it is missing. Throws when that fails; the script has said why. */
export function ensureHost({ quiet = false } = {}) {
  const done = spawnSync('bash', [SETUP], { cwd: ROOT, stdio: ['ignore', quiet ? 'ignore' : 2, 'inherit'] });
  if (done.status !== 0) throw new Error('VS Code could not be set up ("npm run setup:vscode" shows why).');
}

/**
 * Starts the server.
 * @param {object} options
 * @param {Record<string, string>} [options.env] for the server and with it the extension host
 * @param {Record<string, unknown>} [options.settings] of the user
 * @param {Record<string, unknown>} [options.machineSettings] of the machine: those of scope `machine`
 * @param {string[]} [options.vsix] packages to install first
 * @param {boolean} [options.token] ask visitors for a token, which `url()` holds: for sessions of people, not of tests
 * @param {boolean} [options.trust] leave workspace trust on
 */
export async function startServer({ env = {}, settings = {}, machineSettings = {}, vsix = [], token = false, trust = false } = {}) {
  const host = hostFolder();
  const node = join(host, 'node/bin/node');
  const main = join(host, 'vscode/out/server-main.js');
  if (!existsSync(node) || !existsSync(main)) throw new Error('There is no VS Code to start: run "npm run setup:vscode".');

  const profile = mkdtempSync(join(tmpdir(), 'context-inspector-vscode-'));
  writeJson(join(profile, 'user/User/settings.json'), { ...QUIET_SETTINGS, 'security.workspace.trust.enabled': trust, ...settings });
  writeJson(join(profile, 'user/Machine/settings.json'), machineSettings);
  const folders = ['server-data-dir', 'user-data-dir', 'extensions-dir'].flatMap((n) => [`--${n}`, join(profile, n.replace(/-.*/, ''))]);
  const common = [main, '--accept-server-license-terms', '--disable-telemetry', '--telemetry-level', 'off', ...folders];
  const environment = { ...process.env, EXTENSIONS_GALLERY: '{}', ...env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
  delete environment.VSCODE_IPC_HOOK_CLI;
  for (const name of Object.keys(environment)) if (/^npm_/i.test(name)) delete environment[name];

  for (const file of vsix) {
    const done = spawnSync(node, [...common, '--install-extension', resolve(file), '--force'], {
      env: environment,
      encoding: 'utf8',
      timeout: SERVER_START_MS,
    });
    if (done.status !== 0) throw new Error(`VS Code refused to install ${file}:\n${done.stdout}${done.stderr}`);
  }

  const port = await freePort();
  const secret = token ? randomUUID() : undefined;
  const entry = secret === undefined ? ['--without-connection-token'] : ['--connection-token', secret];
  const quiet = ['--disable-experiments', '--disable-getting-started-override', '--skip-welcome', '--skip-release-notes'];
  const child = spawn(
    node,
    [...common, '--host', '127.0.0.1', '--port', String(port), ...entry, ...quiet, ...(trust ? [] : ['--disable-workspace-trust'])],
    { env: environment, stdio: ['ignore', 'pipe', 'pipe'], detached: true },
  );
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      log = (log + String(data)).slice(-100_000);
      if (process.env.HOST_VERBOSE) process.stderr.write(data);
    });
  }
  const kill = (signal) => {
    try {
      process.kill(-child.pid, signal);
    } catch {
      // The group has ended already.
    }
  };
  const ended = new Promise((done) => child.once('exit', done));
  const removeProfile = () => {
    if (!process.env.HOST_KEEP) rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  const onExit = () => {
    kill('SIGKILL');
    removeProfile();
  };
  process.once('exit', onExit);
  const stop = async () => {
    process.off('exit', onExit);
    kill('SIGTERM');
    await Promise.race([ended, pause(SERVER_STOP_MS)]);
    // What the group's leader left behind (extension hosts, terminals) goes too.
    kill('SIGKILL');
    removeProfile();
  };

  const base = `http://127.0.0.1:${port}`;
  const giveUp = Date.now() + SERVER_START_MS;
  while (!(await answers(`${base}/version`))) {
    if (child.exitCode !== null || Date.now() > giveUp) {
      await stop();
      throw new Error(`VS Code did not start:\n${log}`);
    }
    await pause(100);
  }
  return {
    base,
    port,
    profile,
    authority: `127.0.0.1:${port}`,
    /** Address that opens `folder`. */
    url: (folder) => `${base}/?folder=${encodeURIComponent(resolve(folder))}${secret === undefined ? '' : `&tkn=${secret}`}`,
    log: () => log,
    /** Settles when the server has ended, by itself or by `stop`. */
    ended,
    stop,
  };
}

/** Path of a Chromium: $CHROMIUM, or the first of the usual names on PATH. Undefined when there is none. */
export function findChromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
}

/** Starts headless Chromium that can reach nothing but this machine. */
export async function openBrowser({ width = 1280, height = 800 } = {}) {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('There is no Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM.');
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({
    executablePath,
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-dev-shm-usage',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
  });
  const context = await browser.newContext({ viewport: { width, height } });
  return { browser, context, page: await context.newPage() };
}

/**
 * Opens `folder` in the workbench, with extensions under development and, for a test run, the module whose `run()` the extension host calls.
 * A built workbench ignores the `payload` query that VS Code's own tests use, but it honours `developmentOptions` of its configuration
 * element; they are put there before it reads them. (Answering the page's request instead would cost the page its address space, and
 * Chromium then refuses its sockets to 127.0.0.1.)
 * @param {import('playwright-core').Page} page
 * @param {{ folder: string, development?: string[], tests?: string }} what
 */
export async function openWorkbench(page, server, { folder, development = [], tests }) {
  const uri = (path) => ({ $mid: 1, scheme: 'vscode-remote', authority: server.authority, path: resolve(path) });
  const options = { extensions: development.map(uri), ...(tests === undefined ? {} : { extensionTestsPath: uri(tests) }) };
  if (development.length > 0 || tests !== undefined) {
    await page.addInitScript((wanted) => {
      if (window !== window.top) return;
      const edit = () => {
        const meta = document.getElementById('vscode-workbench-web-configuration');
        if (meta === null) return false;
        const configuration = JSON.parse(meta.getAttribute('data-settings'));
        configuration.developmentOptions = { ...configuration.developmentOptions, ...wanted };
        meta.setAttribute('data-settings', JSON.stringify(configuration));
        return true;
      };
      const observer = new MutationObserver(() => edit() && observer.disconnect());
      observer.observe(document, { childList: true, subtree: true });
    }, options);
  }
  await page.goto(server.url(folder));
}

/** Ends the process on Ctrl+C and on a polite request, so that exit handlers stop what was started. */
export function endOnSignals() {
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
  process.once('SIGHUP', () => process.exit(129));
}

function findRoot(from) {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package-lock.json')) && existsSync(join(folder, 'package.json'))) return folder;
    if (folder === dirname(folder)) throw new Error(`No project folder above ${from}.`);
  }
}

function writeJson(file, value) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(value, null, 2));
}

function pause(ms) {
  return new Promise((done) => setTimeout(done, ms));
}

function freePort() {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

function answers(url) {
  return new Promise((done) => {
    get(url, (response) => {
      response.resume();
      done(response.statusCode < 500);
    }).on('error', () => done(false));
  });
}
