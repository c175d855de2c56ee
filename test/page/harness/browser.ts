// Chromium with the page alone in it.
import { chromium, type Browser, type Page } from 'playwright-core';
import { startPageServer, type PageServer } from './pageServer';
import type { HarnessOptions } from './fakeHost';

export interface OpenOptions extends HarnessOptions {
  readonly width?: number;
  readonly height?: number;
  /** Do not wait for the first rows: the page shows something else. */
  readonly bare?: boolean;
}

export interface OpenedPage {
  readonly page: Page;
  /** Errors of the page's scripts and what its console complained of. */
  readonly errors: readonly string[];
  /** Addresses beyond the page's own server that it asked for. */
  readonly foreign: readonly string[];
  close(): Promise<void>;
}

export class PageBrowser {
  private constructor(
    private readonly browser: Browser,
    private readonly server: PageServer,
  ) {}

  static async start(): Promise<PageBrowser> {
    const server = await startPageServer();
    const browser = await chromium.launch({
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      headless: true,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--disable-dev-shm-usage',
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      ],
    });
    return new PageBrowser(browser, server);
  }

  /** Opens the page on a made-up session and waits until it is drawn. */
  async open({ width = 1280, height = 900, bare = false, ...options }: OpenOptions = {}): Promise<OpenedPage> {
    const context = await this.browser.newContext({ viewport: { width, height } });
    const page = await context.newPage();
    const errors: string[] = [];
    const foreign: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
    });
    page.on('dialog', (dialog) => {
      errors.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(this.server.origin)) foreign.push(request.url());
    });
    await page.addInitScript((given) => {
      window.harnessOptions = given;
    }, options satisfies HarnessOptions);
    await page.goto(`${this.server.origin}/`);
    if (!bare) {
      await page.locator('[data-testid="inspector"][data-revision]').waitFor();
      if (options.surface !== 'sidebar') await page.locator('[data-testid="row"]').first().waitFor();
    }
    return { page, errors, foreign, close: () => context.close() };
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.server.close();
  }
}
