import assert from 'node:assert/strict';
import { join } from 'node:path';
import { createEngine } from '../../../src/node/engine/engine';
import { inFolder } from '../../support/folders';
import { writeLongSession } from '../../support/longSession';

const signal = new AbortController().signal;

describe('a preview with pins', function () {
  this.timeout(60_000);

  it('keeps them with what belongs to them, and passes over ids that are not in the context', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'session.jsonl');
      writeLongSession(path);
      const engine = createEngine(() => undefined);
      try {
        const params = { path, options: { tokenizer: 'chars' }, watch: false, pollMs: 2000 } as const;
        const { handle } = await engine.handlers['session/open'](params, signal);
        const { rows } = await engine.handlers['rows/read']({ handle, from: 0, to: 20 }, signal);
        const call = rows.find(({ kind }) => kind === 'toolUse');
        const result = rows.find(({ kind }) => kind === 'toolResult');
        assert.ok(call !== undefined && result !== undefined);
        const request = { kind: 'full', keepMessages: 4 } as const;
        const preview = engine.handlers['compaction/preview'];
        const [plain, pinned] = [
          await preview({ handle, request }, signal),
          await preview({ handle, request: { ...request, pinned: [result.id, 'gone'] } }, signal),
        ];
        assert.ok(plain.outcome === 'plan' && pinned.outcome === 'plan');
        assert.ok(plain.summarizedIds.includes(result.id));
        assert.ok(pinned.keptIds.includes(result.id) && pinned.keptIds.includes(call.id));
        assert.equal(pinned.keptCount, plain.keptCount + 2);
      } finally {
        engine.dispose();
      }
    }));
});
