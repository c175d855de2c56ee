import assert from 'node:assert/strict';
import { inEnglish } from '../../../src/extension/l10n/translate';
import { requestText } from '../../../src/extension/summarizer/requestText';

const facts = { text: '[system]\n\nRules\n\n[user]\n\n{0} stays', receiver: 'api.example.com', masked: 2, asksAgain: true };

describe('the document of what is sent', () => {
  it('says first that nothing was sent, who would get it and how many secrets are masked', () => {
    const [nothing = '', secrets = ''] = requestText(facts, inEnglish).split('\n');
    assert.match(nothing, /^Nothing of this has been sent\..* what api\.example\.com would get\.$/);
    assert.equal(secrets, '2 likely secrets are masked as [secret].');
  });

  it('counts one and none in words of their own', () => {
    assert.match(requestText({ ...facts, masked: 1 }, inEnglish), /\n1 likely secret is masked as \[secret\]\.\n/);
    assert.match(requestText({ ...facts, masked: 0 }, inEnglish), /\nNo likely secrets were found in it; look for yourself\.\n/);
  });

  it('holds the request word for word below the line', () => {
    const text = requestText(facts, inEnglish);
    assert.ok(text.endsWith(`${'─'.repeat(80)}\n${facts.text}\n`));
  });

  it('tells of the question only where it comes back', () => {
    assert.match(requestText(facts, inEnglish), /Close this document to be asked again/);
    assert.doesNotMatch(requestText({ ...facts, asksAgain: false }, inEnglish), /asked again whether/);
  });
});
