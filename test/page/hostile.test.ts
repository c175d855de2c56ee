// Whatever a transcript holds stays text: no element, no handler, no style, no request, no hidden order of characters comes of it.
import assert from 'node:assert/strict';
import { PageBrowser } from './harness/browser';
import { showText } from './harness/hostileText';
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
      const seen = await showText(browser, text);
      assert.deepEqual(seen.strangers, []);
      assert.ok(
        Object.values(seen.elements).every((count) => count === 0),
        JSON.stringify(seen.elements),
      );
      assert.equal(seen.eventHandlerAttributes, 0);
      assert.equal(seen.controlCharacters + seen.bidiControlsRaw, 0);
      assert.equal(seen.pwned, false);
      assert.equal(seen.bootstrapScripts, 1);
      for (const href of seen.hrefs) assert.ok(/^(https?:\/\/|mailto:)/.test(href) && text.includes(href), href);
      assert.deepEqual([seen.violations, seen.errors, seen.networkRequests], [[], [], 0]);
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
