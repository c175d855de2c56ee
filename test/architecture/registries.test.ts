// A registry is an `index.ts` with one line for each file of its folder. A file that its registry does not reach is one that nobody runs.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { sourcesIn } from './sources';

const REGISTRIES = ['src/core/transcript/formats', 'src/core/compaction/strategies', 'src/extension/commands', 'webview-ui/panels'];

describe('registries', () => {
  for (const folder of REGISTRIES) {
    it(`${folder} knows every file of its folder`, () => {
      const index = `${folder}/index`;
      assert.ok(existsSync(`${index}.ts`), `${index}.ts is missing`);
      const imports = new Map(sourcesIn(folder).map(({ path, imports: list }) => [path.replace(/\.tsx?$/, ''), list]));
      assert.ok(imports.size > 1, 'the folder is empty');
      const reached = new Set([index]);
      for (const path of reached) {
        for (const { target } of imports.get(path) ?? []) if (target !== undefined && imports.has(target)) reached.add(target);
      }
      assert.deepEqual(
        [...imports.keys()].filter((path) => !reached.has(path)),
        [],
      );
    });
  }
});
