// Types of vscode-host.mjs for the suites that are written in TypeScript.
import type { Browser, BrowserContext, Page } from 'playwright-core';

export interface ServerOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly machineSettings?: Readonly<Record<string, unknown>>;
  readonly vsix?: readonly string[];
  readonly token?: boolean;
  readonly trust?: boolean;
}

export interface HostServer {
  readonly base: string;
  readonly port: number;
  readonly authority: string;
  readonly profile: string;
  url(folder: string): string;
  log(): string;
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
}

export const ROOT: string;
export function hostFolder(): string;
export function ensureHost(options?: { readonly quiet?: boolean }): void;
export function startServer(options?: ServerOptions): Promise<HostServer>;
export function findChromium(): string | undefined;
export function openBrowser(size?: { readonly width?: number; readonly height?: number }): Promise<{
  readonly browser: Browser;
  readonly context: BrowserContext;
  readonly page: Page;
}>;
export function openWorkbench(
  page: Page,
  server: HostServer,
  what: { readonly folder: string; readonly development?: readonly string[]; readonly tests?: string },
): Promise<void>;
export function endOnSignals(): void;
