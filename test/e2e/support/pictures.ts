import type { Workbench } from './workbench';

/** Takes a picture of the window (dist/shots/failed-….png) after each test of the suite that failed. */
export function pictureOfFailures(workbench: () => Workbench | undefined): void {
  afterEach(async function () {
    const test = this.currentTest;
    if (test?.state !== 'failed') return;
    await workbench()?.shot(
      `failed-${test
        .fullTitle()
        .replace(/[^A-Za-z0-9]+/g, '-')
        .slice(0, 100)}`,
    );
  });
}
