import assert from 'node:assert/strict';
import { noticeHtml, pageHtml } from '../../../src/extension/panels/html';

const parts = {
  cspSource: 'https://page.example',
  nonce: 'N0nce-_',
  scriptUri: 'https://page.example/main.js?a=1&b="2"',
  styleUri: 'https://page.example/main.css',
  surface: 'panel',
  language: 'en',
} as const;

/** Directives of a page's policy, by name. */
function policyOf(html: string): ReadonlyMap<string, string> {
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? '';
  return new Map(policy.split('; ').map((rule) => [rule.split(' ')[0] ?? '', rule.split(' ').slice(1).join(' ')]));
}

describe('pageHtml', () => {
  const html = pageHtml(parts);

  it('allows exactly the bundle, and scripts by nonce alone', () => {
    assert.deepEqual(
      [...policyOf(html)],
      [
        ['default-src', "'none'"],
        ['img-src', 'https://page.example'],
        ['font-src', 'https://page.example'],
        ['style-src', "https://page.example 'nonce-N0nce-_'"],
        ['script-src', "'nonce-N0nce-_'"],
      ],
    );
    assert.doesNotMatch(html, /unsafe|connect-src/);
  });

  it('gives the toolkit its nonce', () => assert.match(html, /<meta property="csp-nonce" content="N0nce-_">/));

  it('holds two addresses, no inline script, no style and no data', () => {
    assert.equal([...html.matchAll(/ (?:src|href)="/g)].length, 2);
    assert.match(html, /src="https:\/\/page\.example\/main\.js\?a=1&amp;b=&quot;2&quot;"><\/script>/);
    assert.doesNotMatch(html, /<script[^>]*>[^<]/);
    assert.doesNotMatch(html, /style=|<style| on\w+=/);
  });

  it('names its surface', () => {
    assert.match(html, /<body data-surface="panel">/);
    assert.match(pageHtml({ ...parts, surface: 'sidebar' }), /<body data-surface="sidebar">/);
  });
});

describe('noticeHtml', () => {
  it('shows text as text and allows nothing', () => {
    const html = noticeHtml('<img src=x onerror=alert(1)> & more', 'en');
    assert.deepEqual([...policyOf(html)], [['default-src', "'none'"]]);
    assert.ok(html.includes('<p>&lt;img src=x onerror=alert(1)&gt; &amp; more</p>'));
  });
});
