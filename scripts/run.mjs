// Runs a program of the project with a time limit and keeps what it printed. Nothing here asks for input.
import { spawn } from 'node:child_process';
import { ROOT } from './vscode-host.mjs';

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ timeoutMs: number, env?: Record<string, string>, live?: boolean, cwd?: string }} options `live` shows the output as it comes
 * @returns {Promise<{ status: number, output: string, ms: number }>} status 124 when it ran out of time, as `timeout` has it
 */
export function run(command, args, { timeoutMs, env = {}, live = false, cwd = ROOT }) {
  const started = Date.now();
  return new Promise((done) => {
    // A group of its own, so that a run that hangs is ended with everything it started.
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    let output = '';
    let late = false;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (text) => {
        output += text;
        if (live) process.stdout.write(text);
      });
    }
    const killGroup = (signal) => {
      try {
        process.kill(-child.pid, signal);
      } catch {
        // It has ended already.
      }
    };
    const onExit = () => killGroup('SIGTERM');
    process.once('exit', onExit);
    const timer = setTimeout(() => {
      late = true;
      killGroup('SIGTERM');
      setTimeout(() => killGroup('SIGKILL'), 5_000).unref();
    }, timeoutMs);
    const finish = (status, more = '') => {
      clearTimeout(timer);
      process.off('exit', onExit);
      if (late) more += `\nStopped after ${Math.round(timeoutMs / 1000)} s without an end.\n`;
      if (live && more !== '') process.stdout.write(more);
      done({ status: late ? 124 : status, output: output + more, ms: Date.now() - started });
    };
    child.once('error', (error) => finish(127, `${error.message}\n`));
    child.once('close', (code) => finish(code ?? 1));
  });
}

/** The same for a script of this project or a package's program, in this Node. */
export function runNode(args, options) {
  return run(process.execPath, args, options);
}

/** Path of a package's command line program. */
export function bin(name) {
  return `node_modules/${name}`;
}
