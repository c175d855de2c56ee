// The program that people compare our totals with, run on copies of single files in a scratch folder, without network.
import { execFileSync } from 'node:child_process';
import { accessSync, chmodSync, constants, copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

export interface CcusageTotals {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheCreationTokens: number;
}

export interface Ccusage {
  readonly version: string;
  readonly totalsOf: (agent: 'claude' | 'codex', file: string) => CcusageTotals;
}

/** The installed program, or the one that `CCUSAGE_BINARY` names; undefined where it has none for this machine. */
export function findCcusage(): Ccusage | undefined {
  const binary = process.env['CCUSAGE_BINARY'] ?? installedBinary();
  if (binary === undefined) return undefined;
  try {
    if (process.platform !== 'win32') chmodSync(binary, 0o755);
    accessSync(binary, constants.X_OK);
    const version = execFileSync(binary, ['--version'], { encoding: 'utf8', timeout: 20_000 })
      .replace(/^ccusage\s+/, '')
      .trim();
    return { version, totalsOf: (agent, file) => totalsOf(binary, agent, file) };
  } catch {
    return undefined;
  }
}

function installedBinary(): string | undefined {
  const { platform, arch } = process;
  const name = `@ccusage/ccusage-${platform}-${arch}/bin/ccusage${platform === 'win32' ? '.exe' : ''}`;
  try {
    return createRequire(join(process.cwd(), 'package.json')).resolve(name);
  } catch {
    return undefined;
  }
}

function totalsOf(binary: string, agent: 'claude' | 'codex', file: string): CcusageTotals {
  const home = mkdtempSync(join(tmpdir(), 'ccusage-'));
  try {
    const folder = agent === 'claude' ? join(home, 'claude/projects/project') : join(home, 'codex/sessions/2026/01/01');
    mkdirSync(folder, { recursive: true });
    copyFileSync(file, join(folder, basename(file)));
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      USERPROFILE: home,
      XDG_CONFIG_HOME: join(home, 'config'),
      XDG_DATA_HOME: join(home, 'data'),
      CLAUDE_CONFIG_DIR: join(home, 'claude'),
      CODEX_HOME: join(home, 'codex'),
    };
    const out = execFileSync(binary, [agent, 'daily', '--json', '--offline'], {
      encoding: 'utf8',
      env,
      timeout: 60_000,
      maxBuffer: 1 << 26,
    });
    const { totals } = JSON.parse(out) as { readonly totals?: Partial<CcusageTotals> | null };
    const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheCreationTokens = 0 } = totals ?? {};
    return { inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
