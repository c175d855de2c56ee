import assert from 'node:assert/strict';
import { chooseLayer, readSettings, SETTINGS } from '../../../src/extension/config/settings';
import { isRecord, recordOf } from '../../../src/core/util/json';
import { contributed, readManifest } from './manifest';

const PREFIX = 'contextInspector.';

describe('settings', () => {
  const configuration = contributed('configuration');
  assert.ok(isRecord(configuration));
  const properties = recordOf(configuration, 'properties') ?? {};

  it('are the ones of the manifest', () => {
    assert.deepEqual(
      Object.keys(properties),
      Object.keys(SETTINGS).map((key) => PREFIX + key),
    );
  });

  for (const [key, spec] of Object.entries(SETTINGS)) {
    it(`${key}: default, scope and limits agree with the manifest`, () => {
      const entry = properties[PREFIX + key];
      assert.ok(isRecord(entry));
      assert.deepEqual(entry['default'], spec.default);
      assert.equal(entry['scope'], spec.scope);
      assert.ok(spec.shape(spec.default), 'the default passes');
      const words = entry['enum'];
      if (Array.isArray(words)) {
        assert.ok(words.every(spec.shape), 'each listed value passes');
        assert.ok(!spec.shape('something else'));
      }
      const { minimum, maximum } = entry;
      if (typeof minimum === 'number' && typeof maximum === 'number') {
        assert.ok(spec.shape(minimum) && spec.shape(maximum), 'the limits pass');
        assert.ok(!spec.shape(minimum - 1) && !spec.shape(maximum + 1), 'what is beyond them does not');
      }
    });
  }

  it('that choose where text goes are restricted and of the machine', () => {
    const capabilities = recordOf(readManifest(), 'capabilities') ?? {};
    const untrusted = recordOf(capabilities, 'untrustedWorkspaces');
    const restricted = Object.entries(SETTINGS).filter(([, spec]) => 'restricted' in spec);
    assert.equal(untrusted?.['supported'], 'limited');
    assert.deepEqual(
      untrusted['restrictedConfigurations'],
      restricted.map(([key]) => PREFIX + key),
    );
    assert.ok(restricted.every(([, spec]) => spec.scope === 'machine'));
    const names = restricted.map(([key]) => key);
    for (const key of ['openai.baseUrl', 'openai.model', 'openai.headers', 'summarizer.provider', 'transcripts.paths']) {
      assert.ok(names.includes(key), key);
    }
  });
});

describe('chooseLayer', () => {
  it('takes the nearest usable layer of a window setting', () => {
    const spec = SETTINGS['statusBar.format'];
    assert.equal(chooseLayer(spec, { globalValue: 'both', workspaceValue: 'tokens' }), 'tokens');
    assert.equal(chooseLayer(spec, { globalValue: 'both', workspaceValue: 'tokens', workspaceFolderValue: 'remaining' }), 'remaining');
    assert.equal(chooseLayer(spec, { globalValue: 'both', workspaceValue: 42 }), 'both');
    assert.equal(chooseLayer(spec, {}), undefined);
  });

  it('never takes a server from a workspace, whatever it says (T8)', () => {
    const evil = 'https://evil.invalid/v1';
    const own = 'https://api.example.invalid/v1';
    const spec = SETTINGS['openai.baseUrl'];
    assert.equal(chooseLayer(spec, { globalValue: own, workspaceValue: evil, workspaceFolderValue: evil }), own);
    assert.equal(chooseLayer(spec, { workspaceValue: evil }), undefined);
    assert.equal(readSettings(() => ({ workspaceValue: evil }))['openai.baseUrl'], spec.default);
  });

  it('refuses dictionaries with odd keys or values', () => {
    const { shape } = SETTINGS['window.overrides'];
    assert.ok(shape({ 'claude-*': 200_000 }));
    assert.ok(!shape({ 'claude-*': 0 }));
    assert.ok(!shape({ 'claude-*': '200K' }));
    assert.ok(!shape(JSON.parse('{"__proto__": 1}')));
    assert.ok(!shape([1]));
  });
});
