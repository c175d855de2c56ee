import type { Workbench } from './workbench';

/** Takes a picture of the window (dist/shots/failed-….png) after each test of the suite that failed. */
export function pictureOfFailures(workbench: () => Workbench | undefined): void {
  afterEach(async function () {
    const test = this.currentTest;
    if (test?.state !== 'failed') return;
    const title = test.fullTitle().replace(/[^A-Za-z0-9]+/g, '-');
    try {
      await workbench()?.shot(`failed-${title.slice(0, 100)}`);
    } catch {
      // A picture is a help and no check: a window that can't be pictured must not hide what failed.
    }
  });
}
