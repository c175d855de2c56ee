// One text of a stranger put wherever the page shows such a text, and what came of it.
import type { PageBrowser } from './browser';
import { openAll } from './reading';

export interface ShownText {
  /** Elements that the page does not use itself: each of them would be made of the text. */
  readonly strangers: readonly string[];
  /** Number of elements by name, for those that the text could ask for. */
  readonly elements: Readonly<Record<'img' | 'script' | 'style' | 'iframe' | 'base' | 'object', number>>;
  readonly eventHandlerAttributes: number;
  readonly hrefs: readonly string[];
  readonly controlCharacters: number;
  readonly bidiControlsRaw: number;
  /** Text of a message where it is shown whole, and what is copied when it is marked. */
  readonly visibleText: string;
  readonly copiedText: string;
  /** Scripts of the document beside the stand-in host: the page's own. */
  readonly bootstrapScripts: number;
  readonly networkRequests: number;
  readonly pwned: boolean;
  readonly violations: readonly string[];
  readonly errors: readonly string[];
}

/** Opens the page on a session that holds the text everywhere, opens all that can be opened, and looks at the document. */
export async function showText(browser: PageBrowser, text: string): Promise<ShownText> {
  const opened = await browser.open({ scenario: 'hostile', text });
  const { page } = opened;
  try {
    await page.getByTestId('compact').click();
    await page.locator('[data-testid="preview"][data-outcome="plan"]').waitFor();
    await openAll(page);
    await page.locator('[data-testid="row"]').first().hover();
    const seen = await page.evaluate(lookAround);
    return { ...seen, networkRequests: opened.foreign.length, errors: opened.errors };
  } finally {
    await opened.close();
  }
}

/** Runs in the page. */
function lookAround(): Omit<ShownText, 'networkRequests' | 'errors'> {
  const root = document.getElementById('app');
  const whole = document.querySelector('.boundary .outside');
  if (root === null || whole === null) throw new Error('The page is not there.');
  const all = Array.from(root.querySelectorAll('*'));
  const own =
    /^(main|header|section|div|span|p|h1|h2|h3|ul|ol|li|dl|dt|dd|table|thead|tbody|tr|th|td|details|summary|button|strong|bdi|a|svg|path|rect|fieldset|legend|label|input|vscode-[a-z-]+)$/;
  const texts = [
    root.textContent,
    ...all.flatMap((element) => ['title', 'aria-label', 'aria-description'].map((name) => element.getAttribute(name) ?? '')),
  ].join('');
  const codes = Array.from(texts, (character) => character.codePointAt(0) ?? 0);
  const count = (name: string): number => root.querySelectorAll(name).length;
  getSelection()?.selectAllChildren(whole);
  return {
    strangers: all.map((element) => element.localName).filter((name) => !own.test(name)),
    elements: {
      img: count('img'),
      script: count('script'),
      style: count('style'),
      iframe: count('iframe'),
      base: document.querySelectorAll('base').length,
      object: count('object, embed'),
    },
    eventHandlerAttributes: all.flatMap((element) => element.getAttributeNames()).filter((name) => name.startsWith('on')).length,
    hrefs: Array.from(new Set(Array.from(root.querySelectorAll('a'), (link) => link.getAttribute('href') ?? ''))),
    controlCharacters: codes.filter((code) => (code < 0x20 && code !== 9 && code !== 10) || (code >= 0x7f && code <= 0x9f)).length,
    bidiControlsRaw: codes.filter((code) => (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)).length,
    visibleText: whole.textContent,
    copiedText: getSelection()?.toString() ?? '',
    bootstrapScripts: Array.from(document.scripts).filter((script) => !script.src.endsWith('/host.js')).length,
    pwned: '__pwned' in window,
    violations: window.harness.violations,
  };
}
