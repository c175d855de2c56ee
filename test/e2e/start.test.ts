// `npm start -- --no-open`: one line with an address; whoever opens it sees the folder and the session. It ends at Ctrl+C and leaves nothing.
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, openBrowser } from '../../scripts/vscode-host.mjs';
import { sha256 } from '../support/folders';
import { SAMPLE, SAMPLE_TITLE } from './support/sample';
import { until } from './support/wait';

const START_LIMIT_MS = 240_000;

describe('npm start -- --no-open', function () {
  this.timeout(400_000);

  it('serves the bundled sample', async () => {
    await served([], SAMPLE_TITLE);
  });

  it('serves a file that is named, and leaves it as it is', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'context-inspector-named-'));
    try {
      const file = join(folder, 'mine.jsonl');
      cpSync(SAMPLE, file);
      await served([file, '--no-build'], SAMPLE_TITLE);
      assert.equal(sha256(file), sha256(SAMPLE));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('says in one sentence that a file is missing', async () => {
    const child = start(['/nowhere/at-all.jsonl']);
    const errors: string[] = [];
    child.stderr?.on('data', (text: Buffer) => errors.push(text.toString()));
    const [status] = (await once(child, 'exit')) as [number];
    assert.equal(status, 1);
    assert.match(errors.join(''), /There is no file/);
  });
});

function start(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, ['scripts/start.mjs', '--no-open', ...args], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function served(args: readonly string[], title: string): Promise<void> {
  const child = start(args);
  const lines: string[] = [];
  const log: string[] = [];
  child.stdout?.on('data', (text: Buffer) =>
    lines.push(
      ...text
        .toString()
        .split('\n')
        .filter((line) => line !== ''),
    ),
  );
  child.stderr?.on('data', (text: Buffer) => log.push(text.toString()));
  try {
    const address = await until(
      'the address',
      () => {
        if (child.exitCode !== null) throw new Error(`It ended: ${log.join('')}`);
        return /http:\/\/127\.0\.0\.1:\d+\/\?folder=\S+/.exec(lines.join('\n'))?.[0];
      },
      START_LIMIT_MS,
    );
    assert.equal(lines.length, 1);
    const { browser, page } = await openBrowser();
    try {
      await page.goto(address);
      await until('the inspector with the session', async () => {
        for (const frame of page.frames()) {
          const heading = frame.locator('[data-testid="inspector"][data-surface="panel"] h1', { hasText: title });
          if ((await heading.count().catch(() => 0)) > 0) return true;
        }
        return false;
      });
      await page.locator('.explorer-folders-view').first().waitFor();
    } finally {
      await browser.close();
    }
  } finally {
    if (child.exitCode === null) {
      child.kill('SIGINT');
      await once(child, 'exit');
    }
  }
  assert.equal(child.exitCode, 0);
}
