import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { COMMAND_IDS } from '../../../src/extension/commandIds';
import { isRecord, stringOf } from '../../../src/core/util/json';
import { contributed, readManifest, readManifestTexts, records } from './manifest';

const KNOWN = new Set<string>(COMMAND_IDS);
const texts = readManifestTexts();

/** Text behind `%key%`; fails for a key that there is not. */
function textOf(value: unknown): string {
  const key = typeof value === 'string' ? /^%(.+)%$/.exec(value)?.[1] : undefined;
  const text = key === undefined ? undefined : stringOf(texts, key);
  if (text === undefined) throw new Error(`no text for ${String(value)}`);
  return text;
}

function everyString(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(everyString);
  return isRecord(value) ? Object.values(value).flatMap(everyString) : [];
}

describe('commands', () => {
  const commands = records(contributed('commands'));
  const ids = commands.map((command) => stringOf(command, 'command'));

  it('of the manifest are those of the registry', () => {
    assert.deepEqual([...ids].sort(), [...KNOWN].sort());
  });

  it('have one file each', () => {
    const files = readdirSync('src/extension/commands').filter((file) => file !== 'index.ts');
    assert.deepEqual(files.sort(), COMMAND_IDS.map((id) => `${id.replace('contextInspector.', '')}.ts`).sort());
  });

  it('are titled in Title Case under the category Context', () => {
    const small = new Set(['a', 'an', 'as', 'the', 'to', 'for', 'from', 'in', 'of', 'is', 'with']);
    for (const command of commands) {
      assert.equal(command['category'], 'Context');
      const title = textOf(command['title']);
      for (const [index, word] of title.split(' ').entries()) {
        if (index > 0 && small.has(word)) continue;
        assert.match(word, /^\(?\p{Lu}/u, `“${word}” of “${title}”`);
      }
    }
  });

  it('that menus name exist', () => {
    const menus = contributed('menus');
    assert.ok(isRecord(menus));
    for (const [menu, entries] of Object.entries(menus)) {
      for (const entry of records(entries)) assert.ok(KNOWN.has(stringOf(entry, 'command') ?? ''), `${menu}: ${String(entry['command'])}`);
    }
  });

  it('of the page are offered on rows of the inspector and of the custom editor only', () => {
    const menus = contributed('menus');
    const entries = records(isRecord(menus) ? menus['webview/context'] : undefined);
    assert.equal(entries.length, 6);
    assert.deepEqual(
      entries.map((entry) => / && (can\w+)$/.exec(String(entry['when']))?.[1]),
      ['canCompact', 'canCompact', 'canCompact', 'canClear', undefined, undefined],
    );
    for (const entry of entries) {
      assert.equal(
        String(entry['when']).replace(/ && can(?:Compact|Clear)$/, ''),
        "(webviewId == 'contextInspector.panel' || webviewId == 'contextInspector.transcript') && webviewSection == 'message'",
      );
    }
  });
});

describe('manifest', () => {
  it('names only texts that exist, and no text is left over', () => {
    const used = new Set(everyString(readManifest()).flatMap((text) => /^%(.+)%$/.exec(text)?.[1] ?? []));
    assert.deepEqual([...used].sort(), Object.keys(texts).sort());
  });

  it('links to its own commands in the empty view', () => {
    const links = records(contributed('viewsWelcome')).flatMap((view) => [...textOf(view['contents']).matchAll(/\(command:([^)]+)\)/g)]);
    assert.ok(links.length >= 9);
    for (const [, command] of links) assert.ok(KNOWN.has(command ?? ''), command);
  });

  it('never takes *.jsonl from the user', () => {
    const [editor] = records(contributed('customEditors'));
    assert.equal(editor?.['priority'], 'option');
  });

  it('starts with the window only after everything else', () => {
    assert.deepEqual(readManifest()['activationEvents'], ['onStartupFinished', 'onWebviewPanel:contextInspector.panel']);
  });
});
