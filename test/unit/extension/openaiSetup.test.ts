import assert from 'node:assert/strict';
import { isCompactError } from '../../../src/core/errors/compactError';
import { readSettings, type SettingKey, type Settings } from '../../../src/extension/config/settings';
import { HostError } from '../../../src/extension/hostError';
import { KeyStore } from '../../../src/extension/summarizer/keyStore';
import { addressProblem, openaiLabel, openaiSpec, serverAt } from '../../../src/extension/summarizer/openaiSetup';

function settings(values: Partial<Record<SettingKey, unknown>>): Settings {
  return readSettings((key) => ({ globalValue: values[key] }));
}

/** Secret storage in memory. */
function keyStore(): { readonly keys: KeyStore; readonly secrets: Map<string, string> } {
  const secrets = new Map<string, string>();
  const storage = {
    get: (name: string) => Promise.resolve(secrets.get(name)),
    store: (name: string, value: string) => Promise.resolve(void secrets.set(name, value)),
    delete: (name: string) => Promise.resolve(void secrets.delete(name)),
    onDidChange: () => ({ dispose: () => undefined }),
  };
  return { keys: new KeyStore(storage), secrets };
}

describe('serverAt', () => {
  it('takes https, and http for this machine', () => {
    assert.deepEqual(serverAt('https://api.example.invalid:8443/v1/'), {
      host: 'api.example.invalid:8443',
      origin: 'https://api.example.invalid:8443',
      isLoopback: false,
    });
    for (const url of ['http://127.0.0.1:11434/v1', 'http://localhost/v1', 'http://[::1]:80/v1']) assert.ok(serverAt(url).isLoopback);
  });

  it('refuses everything else, with a sentence', () => {
    for (const url of [
      'http://api.example.invalid/v1',
      'http://127.0.0.1.evil.invalid/v1',
      'http://localhost@evil.invalid/v1',
      'https://key@api.example.invalid/v1',
      'file:///etc/passwd',
      'api.example.invalid',
    ]) {
      assert.throws(
        () => serverAt(url),
        (error) => isCompactError(error, 'summarizerUnavailable'),
      );
      assert.match(addressProblem(url) ?? '', /^The address .*\.$/);
    }
    assert.equal(addressProblem('https://api.example.invalid/v1'), undefined);
  });
});

describe('openaiSpec', () => {
  const own = { 'openai.baseUrl': 'https://api.example.invalid/v1', 'openai.model': 'm1' };
  const code = (expected: string) => (error: unknown) => error instanceof HostError && error.code === expected;

  it('wants a model, and a key for a server elsewhere', async () => {
    const { keys } = keyStore();
    await assert.rejects(openaiSpec(settings({ 'openai.baseUrl': own['openai.baseUrl'] }), keys), code('noModel'));
    await assert.rejects(openaiSpec(settings(own), keys), code('noKey'));
    const local = await openaiSpec(settings({ ...own, 'openai.baseUrl': 'http://127.0.0.1:1/v1' }), keys);
    assert.deepEqual([local.host, local.spec.apiKey], ['127.0.0.1:1', undefined]);
  });

  it('gives a key to the origin that it was stored for and to no other', async () => {
    const { keys } = keyStore();
    await keys.set('https://api.example.invalid', 'secret');
    assert.equal((await openaiSpec(settings(own), keys)).spec.apiKey, 'secret');
    for (const url of ['https://api.example.invalid:444/v1', 'https://evil.invalid/v1']) {
      await assert.rejects(openaiSpec(settings({ ...own, 'openai.baseUrl': url }), keys), code('noKey'));
    }
    await keys.clear('https://api.example.invalid');
    await assert.rejects(openaiSpec(settings(own), keys), code('noKey'));
  });
});

describe('openaiLabel', () => {
  it('names model and host, and nothing while one of them is missing', () => {
    assert.equal(openaiLabel(settings({ 'openai.model': 'm1' })), 'm1 · api.openai.com');
    assert.equal(openaiLabel(settings({})), '');
    assert.equal(openaiLabel(settings({ 'openai.model': 'm1', 'openai.baseUrl': 'http://evil.invalid' })), '');
  });
});
