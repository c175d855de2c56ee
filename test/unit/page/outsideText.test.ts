import assert from 'node:assert/strict';
import fc from 'fast-check';
import { textParts, visibleText } from '../../../webview-ui/outsideText';

describe('text of a transcript on the page', () => {
  const visible: readonly (readonly [name: string, text: string, expected: string])[] = [
    ['leaves plain text alone', 'a “b” שלום 👩‍👩‍👧\n\tc', 'a “b” שלום 👩‍👩‍👧\n\tc'],
    ['shows escapes', '\u001b[2J\u0007', '␛[2J␇'],
    ['shows DEL and C1', '\u007f\u009b', '␡[U+009B]'],
    ['shows direction controls', 'a\u202Etxt.exe\u2066b\u2069', 'a[U+202E]txt.exe[U+2066]b[U+2069]'],
    ['shows invisible tags', 'x\u{e0041}y', 'x[U+E0041]y'],
    ['leaves a line end of two characters alone', 'a\r\nb', 'a\r\nb'],
    ['shows a lone carriage return', 'a\rb', 'a␍b'],
    ['keeps lone surrogates', '\ud800x', '\ud800x'],
  ];
  for (const [name, text, expected] of visible) it(name, () => assert.equal(visibleText(text), expected));

  const links: readonly (readonly [name: string, text: string, expected: readonly string[]])[] = [
    [
      'finds web and mail addresses',
      'see https://a.example/x?y=1&z=2, or mailto:a@b.example.',
      ['https://a.example/x?y=1&z=2', 'mailto:a@b.example'],
    ],
    ['takes none of the other schemes', '[a](command:x) javascript:alert(1) vscode://x file:///etc data:text/html,hi', []],
    ['takes none inside a word', 'xhttps://a.example command:https://a.example', []],
    ['takes none that hides its host', 'https://bank.example@evil.example/', []],
    ['takes no empty one', 'https:// http:// mailto:', []],
    ['ends at a bracket of markdown', '[f](https://a.example/ok) (https://b.example)', ['https://a.example/ok', 'https://b.example']],
    ['takes none too long to be read', `https://a.example/${'x'.repeat(3000)}`, []],
  ];
  for (const [name, text, expected] of links) {
    it(name, () =>
      assert.deepEqual(
        textParts(text).flatMap((part) => (part.kind === 'link' ? [part.text] : [])),
        expected,
      ),
    );
  }

  it('loses nothing of a text', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('https://', 'http://a.b', 'mailto:x@y', ' ', ')', '.', '@', '://'),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('');
        assert.equal(
          textParts(text)
            .map((part) => part.text)
            .join(''),
          text,
        );
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  it('takes linear time on a text of nothing but beginnings of addresses', () => {
    const started = performance.now();
    textParts('https://'.repeat(100_000));
    textParts('https://x '.repeat(50_000));
    visibleText('\u202e'.repeat(300_000));
    const ms = performance.now() - started;
    assert.ok(ms < 5000, `${ms} ms`);
  });
});
