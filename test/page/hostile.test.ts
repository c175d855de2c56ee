// Whatever a transcript holds stays text: no element, no handler, no style, no request, no hidden order of characters comes of it.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { PageBrowser } from './harness/browser';
import { openAll } from './harness/reading';

const TEXTS = {
  'a picture with a handler': 'before <img src=x onerror="window.__pwned=1"> after',
  'a script and an open style': "a <script>window.__pwned=1;top.location='http://example.invalid'</script> <style> b c",
  'links of all schemes':
    '[a](command:workbench.action.terminal.new) [b](javascript:alert(1)) [c](vscode://x/y) [d](file:///etc/passwd) [e](data:text/html,hi) [f](https://example.invalid/ok) [g](JaVaScRiPt&colon;alert(1)) [h](\u0001javascript:x)',
  'a remote picture': '![x](https://example.invalid/pixel.png?who=me)',
  'an attribute that breaks out': '" onmouseover="window.__pwned=1" data-y=\'',
  'the end of a script': '</script><script>window.__pwned=1</script>\u2028',
  'terminal escapes': '\u001b]8;;http://example.invalid\u0007click\u001b]8;;\u0007 \u001b[2J\u001b]52;c;ZWNobyBoaQ==\u0007 31m',
  'reversed names': 'a\u202Etxt.exe\u2066b\u2069',
  'markup of a page':
    '</div></main><body onload="window.__pwned=1"><iframe src="https://example.invalid"></iframe><base href="https://example.invalid/">',
  'a drawing with a script': '<svg><script>window.__pwned=1</script><a xlink:href="javascript:alert(1)">x</a></svg>',
  'lone surrogates': 'a\uD800b\uDFFFc',
} as const;

describe('hostile texts', function () {
  this.timeout(120_000);
  let browser: PageBrowser;
  before(async () => {
    browser = await PageBrowser.start();
  });
  after(() => browser.close());

  for (const [name, text] of Object.entries(TEXTS)) {
    it(`${name}: stays text everywhere`, async () => {
      const opened = await browser.open({ scenario: 'hostile', text });
      const { page } = opened;
      await page.getByTestId('compact').click();
      await page.locator('[data-testid="preview"][data-outcome="plan"]').waitFor();
      await openAll(page);
      await page.locator('[data-testid="row"]').first().hover();
      const seen = await inspect(page);
      assert.deepEqual(seen.elements, []);
      assert.deepEqual(seen.handlers, []);
      assert.deepEqual(seen.controls, []);
      assert.equal(seen.pwned, false);
      assert.equal(seen.scripts, 2, 'the page’s own script and its stand-in host');
      for (const href of seen.hrefs) assert.match(href, /^(https?:\/\/|mailto:)/);
      assert.ok(seen.hrefs.every((href) => text.includes(href)));
      assert.deepEqual(seen.violations, []);
      assert.deepEqual(opened.foreign, []);
      assert.deepEqual(opened.errors, []);
      await opened.close();
    });
  }

  it('shows the text whole, as it was written', async () => {
    const text = TEXTS['a picture with a handler'];
    const opened = await browser.open({ scenario: 'hostile', text });
    await openAll(opened.page);
    assert.equal(await opened.page.getByRole('heading', { level: 1 }).innerText(), text);
    assert.equal(await opened.page.locator('.outside').first().innerText(), text);
    assert.ok((await opened.page.locator('[data-index="80"] .row-text').innerText()).includes(text));
    await opened.close();
  });

  it('makes links of web addresses alone, with the address as their text', async () => {
    const opened = await browser.open({ scenario: 'hostile', text: TEXTS['links of all schemes'] });
    await openAll(opened.page);
    const links = await opened.page
      .locator('.outside')
      .first()
      .locator('a')
      .evaluateAll((all) => all.map((link) => [link.getAttribute('href'), link.textContent]));
    assert.deepEqual(links, [['https://example.invalid/ok', 'https://example.invalid/ok']]);
    await opened.close();
  });

  it('shows direction controls in place of obeying them', async () => {
    const opened = await browser.open({ scenario: 'hostile', text: TEXTS['reversed names'] });
    assert.equal(await opened.page.getByRole('heading', { level: 1 }).innerText(), 'a[U+202E]txt.exe[U+2066]b[U+2069]');
    await opened.close();
  });

  it('stays quick with a very long text', async () => {
    const opened = await browser.open({ scenario: 'hostile', text: 'https://'.repeat(20_000) + '<'.repeat(20_000) });
    await opened.page.getByTestId('gauge').waitFor();
    await openAll(opened.page);
    assert.deepEqual(opened.errors, []);
    await opened.close();
  });
});

interface Seen {
  readonly elements: readonly string[];
  readonly handlers: readonly string[];
  readonly controls: readonly string[];
  readonly hrefs: readonly string[];
  readonly scripts: number;
  readonly pwned: boolean;
  readonly violations: readonly string[];
}

function inspect(page: Page): Promise<Seen> {
  return page.evaluate(() => {
    const root = document.getElementById('app');
    if (root === null) throw new Error('no page');
    const all = [...root.querySelectorAll('*')];
    const known =
      /^(main|header|section|div|span|p|h1|h2|h3|ul|ol|li|dl|dt|dd|table|thead|tbody|tr|th|td|details|summary|button|strong|bdi|a|svg|path|vscode-[a-z-]+)$/;
    const isControl = (code: number): boolean =>
      (code < 0x20 && code !== 9 && code !== 10) ||
      (code >= 0x7f && code <= 0x9f) ||
      (code >= 0x202a && code <= 0x202e) ||
      (code >= 0x2066 && code <= 0x2069);
    const text = [
      root.textContent,
      ...all.flatMap((element) => [element.getAttribute('title') ?? '', element.getAttribute('aria-label') ?? '']),
    ];
    return {
      elements: all.map((element) => element.localName).filter((name) => !known.test(name)),
      handlers: all.flatMap((element) => element.getAttributeNames().filter((attribute) => attribute.startsWith('on'))),
      controls: text
        .filter((one) => Array.from(one).some((character) => isControl(character.codePointAt(0) ?? 0)))
        .map((one) => one.slice(0, 80)),
      hrefs: [...root.querySelectorAll('a')].map((link) => link.getAttribute('href') ?? ''),
      scripts: document.scripts.length,
      pwned: '__pwned' in window,
      violations: window.harness.violations,
    };
  });
}
