// The texts of the page stand in several files; together they must be what each of them says.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { UI_STRINGS } from '../../../src/core/protocol/uiStrings';

const FOLDER = 'src/core/protocol/strings';

describe('texts of the page', () => {
  it('have keys of their own: none stands in two files', () => {
    const keys = readdirSync(FOLDER).flatMap((name) =>
      [...readFileSync(`${FOLDER}/${name}`, 'utf8').matchAll(/^ {2}(?:'([\w.]+)'|(\w+)):/gm)].map((found) => found[1] ?? found[2] ?? ''),
    );
    assert.deepEqual(
      keys.filter((key, at) => keys.indexOf(key) !== at),
      [],
    );
    assert.deepEqual(keys.sort(), Object.keys(UI_STRINGS).sort());
  });

  it('have both plural forms or none', () => {
    const keys = new Set(Object.keys(UI_STRINGS));
    for (const key of keys) {
      if (key.endsWith('.one')) assert.ok(keys.has(key.replace(/\.one$/, '.other')), key);
    }
  });
});
