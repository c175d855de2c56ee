import type { Locator, Page } from 'playwright-core';

/** Text with every kind of white space as one space. */
export function clean(text: string): string {
  return text.replace(/[\s\u00a0\u202f]+/g, ' ').trim();
}

/** Cleaned texts of all elements that a locator finds. */
export async function texts(locator: Locator): Promise<string[]> {
  return (await locator.allInnerTexts()).map(clean);
}

/** Opens everything that can be opened. */
export async function openAll(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });
}
