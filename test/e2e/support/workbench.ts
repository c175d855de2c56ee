// A window of the real VS Code with the built package installed, and everything that a person does in it from the outside.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { ROOT, openBrowser, openWorkbench, startServer, type HostServer } from '../../../scripts/vscode-host.mjs';
import { HANG_LIMIT_MS, until } from './wait';
import { createWorkspace, type Workspace } from './workspace';

/** A theme of each kind: its id in the settings, and its name in the list of themes. */
export const THEMES = {
  dark: { id: 'Default Dark Modern', label: 'Dark Modern' },
  light: { id: 'Default Light Modern', label: 'Light Modern' },
  hc: { id: 'Default High Contrast', label: 'Dark High Contrast' },
  'hc-light': { id: 'Default High Contrast Light', label: 'Light High Contrast' },
} as const;
export type ThemeName = keyof typeof THEMES;

const PACKAGE = join(ROOT, 'dist/context-inspector.vsix');
const SHOTS = join(ROOT, 'dist/shots');
/** For a click that may be lost; the hang limit ends what never comes. */
const CLICK_LIMIT_MS = 2000;
/** Requests that VS Code itself makes and that no one answers: pictures and resources of webviews are served by a worker in the page. */
const OWN_HOSTS = /^(127\.0\.0\.1|localhost|.*\.vscode-resource\.vscode-cdn\.net|.*\.vscode-cdn\.net)$/;

export interface WindowOptions {
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly machineSettings?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Without the package: for what VS Code does by itself. */
  readonly bare?: boolean;
  readonly trust?: boolean;
  /** Packages of more extensions, made once the workspace is there. */
  readonly packages?: (workspace: Workspace) => Promise<readonly string[]>;
}

export class Workbench {
  /** Requests to other machines; a run must leave it empty. */
  readonly foreign: string[] = [];
  readonly errors: string[] = [];

  private constructor(
    readonly workspace: Workspace,
    readonly server: HostServer,
    readonly browser: Browser,
    readonly page: Page,
  ) {
    page.setDefaultTimeout(HANG_LIMIT_MS);
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (/^(https?|wss?):$/.test(url.protocol) && !OWN_HOSTS.test(url.hostname)) this.foreign.push(url.origin + url.pathname);
    });
    page.on('pageerror', (error) => this.errors.push(String(error)));
  }

  /** Starts server and browser and opens the workspace that `prepare` has filled. */
  static async open(prepare: (workspace: Workspace) => void, options: WindowOptions = {}): Promise<Workbench> {
    assert.ok(options.bare === true || existsSync(PACKAGE), 'The package is not built: run "npm run package".');
    const workspace = createWorkspace();
    let server: HostServer | undefined;
    try {
      prepare(workspace);
      server = await startServer({
        vsix: [...(options.bare === true ? [] : [PACKAGE]), ...((await options.packages?.(workspace)) ?? [])],
        settings: { 'workbench.colorTheme': THEMES[options.theme ?? 'dark'].id, ...options.settings },
        machineSettings: options.machineSettings ?? {},
        trust: options.trust ?? false,
        env: { HOME: workspace.home, CLAUDE_CONFIG_DIR: undefined, CODEX_HOME: undefined, XDG_DATA_HOME: undefined, ...options.env },
      });
      const { browser, page } = await openBrowser({ width: options.width ?? 1280, height: options.height ?? 800 });
      const workbench = new Workbench(workspace, server, browser, page);
      await openWorkbench(page, server, { folder: workspace.folder });
      await page.locator('.monaco-workbench .statusbar').waitFor();
      return workbench;
    } catch (error) {
      await server?.stop();
      workspace.remove();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.server.stop();
    this.workspace.remove();
  }

  /** Runs a command of the palette by its full title (`Context: Compact…`). */
  async runCommand(title: string): Promise<void> {
    const input = await this.#openQuickInput('F1');
    await input.fill(`>${title}`);
    await this.quickRow(title).click();
  }

  /** Opens a file of the workspace in VS Code's default editor for it. */
  async openFile(name: string): Promise<void> {
    const input = await this.#openQuickInput('Control+p');
    await input.fill(name);
    await this.quickRow(name).click();
  }

  /** Presses a key until the field for commands and files is there: a window that is just starting hears none. */
  async #openQuickInput(key: string): Promise<Locator> {
    const input = this.quickInput();
    await until(`the field that ${key} opens`, async () => {
      if (await input.isVisible()) return true;
      await this.page.keyboard.press(key);
      return input.waitFor({ state: 'visible', timeout: CLICK_LIMIT_MS }).then(
        () => true,
        () => false,
      );
    });
    return input;
  }

  quickInput(): Locator {
    return this.page.locator('.quick-input-widget input').first();
  }

  quickRow(text: string): Locator {
    return this.page.locator('.quick-input-list .monaco-list-row', { hasText: text }).first();
  }

  /** A row of the tree or list of a side bar view, by its text. */
  sideBarRow(text: string | RegExp): Locator {
    return this.page.locator('.sidebar .monaco-list-row', { hasText: text }).first();
  }

  statusItem(text: string | RegExp): Locator {
    return this.page.locator('.statusbar-item', { hasText: text }).first();
  }

  /** The open native menu that has this entry. */
  menuEntry(title: string): Locator {
    return this.page.locator('.monaco-menu .action-item', { hasText: title }).first();
  }

  /** Titles of the open native menu. */
  async menuTitles(): Promise<readonly string[]> {
    await this.page.locator('.monaco-menu').first().waitFor();
    return this.page.locator('.monaco-menu .action-label').allInnerTexts();
  }

  /** Chooses an entry of the open native menu. */
  async chooseMenuEntry(title: string): Promise<void> {
    const entry = this.menuEntry(title);
    await entry.waitFor();
    // The menu takes clicks only a moment after it has opened and tells nobody when: a click that came too early is made again.
    await until(`the end of the menu after “${title}”`, async () => {
      await entry.click({ timeout: CLICK_LIMIT_MS }).catch(() => undefined);
      return entry.waitFor({ state: 'detached', timeout: CLICK_LIMIT_MS }).then(
        () => true,
        () => false,
      );
    });
  }

  tab(title: string | RegExp): Locator {
    return this.page.locator('.tabs-container .tab', { hasText: title }).first();
  }

  /** A button of the modal dialog or of a notification. */
  button(label: string): Locator {
    return this.page.locator('.monaco-dialog-box, .notifications-toasts').locator('.monaco-button', { hasText: label }).first();
  }

  /** Changes the theme as a person does. */
  async chooseTheme(theme: ThemeName): Promise<void> {
    const { label } = THEMES[theme];
    await this.runCommand('Preferences: Color Theme');
    await this.quickInput().fill(label);
    await this.quickRow(label).click();
    await this.quickInput().waitFor({ state: 'hidden' });
  }

  async shot(name: string): Promise<void> {
    mkdirSync(SHOTS, { recursive: true });
    await this.page.screenshot({ path: join(SHOTS, `${name}.png`), animations: 'disabled', timeout: 30_000 });
  }
}
