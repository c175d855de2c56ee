import assert from 'node:assert/strict';
import { inEnglish } from '../../../src/extension/l10n/translate';
import { sessionIcon, sessionWords, withoutIcons } from '../../../src/extension/views/sessionText';
import { entry } from './sessionFixture';

const MINUTE = 60_000;
const NOW = 1_000_000 + 2 * MINUTE;

describe('sessionWords', () => {
  it('says how full, of what, and when', () => {
    const words = sessionWords(entry(), NOW, 'en', inEnglish);
    assert.equal(words.label, 'Fix token counter drift');
    assert.equal(words.description, '76 % · 152K of 200K · 2 min ago');
    assert.deepEqual(words.tooltip, [
      'Fix token counter drift',
      'Claude Code · claude-x',
      '76 % · 152K of 200K · OK · 2 min ago',
      'a.jsonl · 2 KB',
    ]);
  });

  it('marks what is estimated, and leaves out what is unknown', () => {
    const description = (changes: Parameters<typeof entry>[0]): string => sessionWords(entry(changes), NOW, 'en', inEnglish).description;
    assert.equal(description({ measurement: 'local_estimate' }), '76 % · ~ 152K of 200K · 2 min ago');
    assert.equal(description({ measurement: 'local_lower_bound' }), '76 % · ≥ 152K of 200K · 2 min ago');
    assert.equal(description({ windowTokens: null, percentUsed: null }), '152K tokens · 2 min ago');
    assert.equal(description({ usedTokens: null, percentUsed: null }), '2 min ago');
    assert.equal(description({ usedTokens: null, percentUsed: null, lastActivityMs: NOW + MINUTE }), 'now');
  });

  it('makes outside text harmless: one line, no escapes, no direction controls', () => {
    const words = sessionWords(entry({ title: 'a\u202Eb\u001B[31m\nc', agent: 'x\u0007' }), NOW, 'en', inEnglish);
    const all = [words.label, words.description, words.spoken, ...words.tooltip].join('');
    assert.doesNotMatch(all, /[\p{Cc}\p{Bidi_Control}]/u);
    assert.ok(words.label.startsWith('a'));
  });

  it('falls back to the file name', () => assert.equal(sessionWords(entry({ title: '' }), NOW, 'en', inEnglish).label, 'a.jsonl'));
});

describe('sessionIcon', () => {
  it('shows the state first, then whether the session is live', () => {
    assert.equal(sessionIcon(entry({ state: 'blocked' }), NOW), 'error');
    assert.equal(sessionIcon(entry({ state: 'autoCompact' }), NOW), 'warning');
    assert.equal(sessionIcon(entry(), NOW - MINUTE), 'record');
    assert.equal(sessionIcon(entry(), NOW + MINUTE), 'circle-outline');
    assert.equal(sessionIcon(entry({ state: 'constructor' }), NOW + MINUTE), 'circle-outline');
  });
});

describe('withoutIcons', () => {
  it('keeps an icon’s text as text', () => assert.equal(withoutIcons('$(trash) $(x)'), '\\$(trash) \\$(x)'));
});
