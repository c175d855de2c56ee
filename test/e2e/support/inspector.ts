// The inspector's page as a person sees it, found by what is in it: VS Code gives webviews no names, and several can live at once.
import type { Frame, Locator } from 'playwright-core';
import { until } from './wait';
import type { Workbench } from './workbench';

/** More rows than one press of PageUp or PageDown passes in these windows. */
const PAGE_ROWS = 40;

export type Surface = 'panel' | 'editor' | 'sidebar';

/** What VS Code's menu is told of a row. */
export interface RowContext {
  readonly webviewSection: string;
  readonly messageId: string;
  readonly canCompact: boolean;
}

export class Inspector {
  constructor(
    readonly workbench: Workbench,
    readonly frame: Frame,
  ) {}

  /** Waits for a page that shows a session on this surface, and whose heading has `title`. */
  static async find(workbench: Workbench, surface: Surface, title: string | RegExp = /./): Promise<Inspector> {
    const frame = await until(`the inspector (${surface}, ${String(title)})`, async () => {
      for (const candidate of workbench.page.frames()) {
        const page = candidate.locator(`[data-testid="inspector"][data-surface="${surface}"][data-revision]`);
        const heading = candidate.locator('h1', { hasText: title });
        if ((await count(page)) > 0 && (await count(heading)) > 0) return candidate;
      }
      return undefined;
    });
    return new Inspector(workbench, frame);
  }

  byId(id: string): Locator {
    return this.frame.locator(`[data-testid="${id}"]`);
  }

  get gauge(): Locator {
    return this.byId('gauge');
  }

  get preview(): Locator {
    return this.byId('preview');
  }

  async used(): Promise<number> {
    return Number(await this.gauge.getAttribute('data-used'));
  }

  async state(): Promise<string | null> {
    return this.gauge.getAttribute('data-state');
  }

  async revision(): Promise<number> {
    return Number(await this.byId('inspector').getAttribute('data-revision'));
  }

  /** Mark of the loaded document: the same as long as the page was not loaded anew. */
  async documentId(): Promise<string | undefined> {
    return this.frame.evaluate(() => document.documentElement.dataset['documentId']);
  }

  row(id: string): Locator {
    return this.frame.locator(`[data-testid="row"][data-id="${id}"]`);
  }

  rowAt(index: number): Locator {
    return this.frame.locator(`[data-testid="row"][data-index="${index}"]`);
  }

  /** Brings a row into the list's view and the focus on it, with the keyboard alone. */
  async scrollTo(index: number): Promise<Locator> {
    const { keyboard } = this.frame.page();
    await this.focusList();
    for (const key of ['PageUp', 'PageDown', 'ArrowUp', 'ArrowDown'] as const) {
      const isUp = key.endsWith('Up');
      const step = key.startsWith('Page') ? PAGE_ROWS : 0;
      for (let at = await this.focusedIndex(); isUp ? at - step > index : at + step < index; at = await this.focusedIndex()) {
        await keyboard.press(key);
        const before = at;
        await until('the next row', async () => (await this.focusedIndex()) !== before);
      }
    }
    return this.rowAt(index);
  }

  /** Puts the focus on the list's tab stop. */
  async focusList(): Promise<void> {
    await this.frame.locator('[role="listbox"] [role="option"][tabindex="0"]').focus();
  }

  async focusedIndex(): Promise<number> {
    return this.frame.evaluate(() => Number(document.activeElement?.getAttribute('data-index') ?? -1));
  }

  async contextOf(row: Locator): Promise<RowContext> {
    const text = (await row.getAttribute('data-vscode-context')) ?? '{}';
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) throw new Error('The row has no context.');
    const { webviewSection, messageId, canCompact } = value as Partial<RowContext>;
    return { webviewSection: webviewSection ?? '', messageId: messageId ?? '', canCompact: canCompact === true };
  }

  /** Opens VS Code's own menu on a row and chooses an entry. */
  async chooseOnRow(row: Locator, entry: string): Promise<void> {
    await row.click({ button: 'right' });
    await this.workbench.chooseMenuEntry(entry);
  }

  /** Waits until the preview has come to an outcome: `plan`, `refusal`, `written`, `refused` … */
  async outcome(...wanted: readonly string[]): Promise<string> {
    return until(`the preview's outcome ${wanted.join(' or ')}`, async () => {
      const outcome = (await count(this.preview)) === 0 ? null : await this.preview.getAttribute('data-outcome');
      return outcome !== null && wanted.includes(outcome) ? outcome : undefined;
    });
  }

  async previewSizes(): Promise<{ readonly before: number; readonly after: number }> {
    const [before, after] = await Promise.all(['data-before', 'data-after'].map((name) => this.preview.getAttribute(name)));
    return { before: Number(before), after: Number(after) };
  }

  /** Keeps the revisions of all patches that arrive from now on. Drops the next `drop` of them before the page sees them. */
  async watchPatches(drop = 0): Promise<void> {
    await this.frame.evaluate((toDrop) => {
      const seen: string[] = [];
      let left = toDrop;
      window.addEventListener(
        'message',
        (event: MessageEvent<unknown>) => {
          const frame = event.data as { k?: unknown; name?: unknown; value?: { from?: unknown; to?: unknown } } | null;
          if (frame?.k !== 'event' || frame.name !== 'session/patched') return;
          const isDropped = left > 0;
          seen.push(`${String(frame.value?.from)}-${String(frame.value?.to)}${isDropped ? ' dropped' : ''}`);
          document.documentElement.dataset['patches'] = seen.join(',');
          if (!isDropped) return;
          left--;
          event.stopImmediatePropagation();
        },
        // The page listens without capture, so this one is asked first.
        { capture: true },
      );
    }, drop);
  }

  /** Patches seen since `watchPatches`, as `from-to`, with ` dropped` behind those that the page did not get. */
  async patches(): Promise<readonly string[]> {
    const text = await this.frame.evaluate(() => document.documentElement.dataset['patches'] ?? '');
    return text === '' ? [] : text.split(',');
  }
}

/** Number of matches; 0 for a frame that is gone. */
async function count(locator: Locator): Promise<number> {
  return locator.count().catch(() => 0);
}
