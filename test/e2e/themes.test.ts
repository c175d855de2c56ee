// The inspector in every kind of theme, wide and narrow: it takes the theme's colours, fits, and has a picture in dist/shots.
import assert from 'node:assert/strict';
import { Inspector } from './support/inspector';
import { pictureOfFailures } from './support/pictures';
import { SAMPLE, SAMPLE_ID, SAMPLE_TITLE } from './support/sample';
import { until } from './support/wait';
import { THEMES, Workbench, type ThemeName } from './support/workbench';
import { addClaudeSession } from './support/workspace';

/** Class that VS Code gives the page's body in a theme of this kind. */
const BODY_CLASS: Readonly<Record<ThemeName, string>> = {
  dark: 'vscode-dark',
  light: 'vscode-light',
  hc: 'vscode-high-contrast',
  'hc-light': 'vscode-high-contrast-light',
};
const WIDTHS = [1280, 500] as const;
/** Activity bar and borders beside the page. */
const FRAME_PX = 60;

describe('the look', function () {
  this.timeout(300_000);
  let workbench: Workbench;
  let inspector: Inspector;

  before(async () => {
    workbench = await Workbench.open((workspace) => void addClaudeSession(workspace, SAMPLE, `${SAMPLE_ID}.jsonl`), { height: 1100 });
    await workbench.statusItem(/\d\s*%/).click();
    inspector = await Inspector.find(workbench, 'panel', SAMPLE_TITLE);
    await workbench.runCommand('View: Close Primary Side Bar');
    const row = await inspector.scrollTo((await rowCount()) - 12);
    await inspector.chooseOnRow(row, 'Compact Up to Here…');
    await inspector.outcome('plan', 'refusal');
  });
  pictureOfFailures(() => workbench);
  after(() => workbench.close());

  for (const theme of Object.keys(THEMES) as ThemeName[]) {
    for (const width of WIDTHS) {
      it(`${theme} at ${width} px`, async () => {
        // The list of themes needs room, so the window is made narrow afterwards.
        await workbench.page.setViewportSize({ width: WIDTHS[0] + FRAME_PX, height: 1100 });
        await workbench.chooseTheme(theme);
        await workbench.page.setViewportSize({ width: width + FRAME_PX, height: 1100 });
        await until(`the theme ${theme}`, () =>
          inspector.frame.evaluate((name) => document.body.classList.contains(name), BODY_CLASS[theme]),
        );
        await until('the new width', async () => (await innerWidth()) <= width + FRAME_PX);
        const overflow = await inspector.frame.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.ok(overflow <= 0, `${overflow} px stick out on the right`);
        await inspector.gauge.waitFor({ state: 'visible' });
        await workbench.shot(`inspector-${theme}-${width}`);
      });
    }
  }

  it('has a picture for the README', async () => {
    await workbench.page.setViewportSize({ width: WIDTHS[0] + FRAME_PX, height: 1240 });
    await workbench.chooseTheme('dark');
    await inspector.frame.evaluate(() => document.scrollingElement?.scrollTo(0, 0));
    await until('the top of the page', () => inspector.frame.evaluate(() => document.scrollingElement?.scrollTop === 0));
    await workbench.shot('readme');
  });

  async function innerWidth(): Promise<number> {
    return inspector.frame.evaluate(() => window.innerWidth);
  }

  async function rowCount(): Promise<number> {
    return Number(await inspector.frame.locator('[role="option"]').first().getAttribute('aria-setsize'));
  }
});
