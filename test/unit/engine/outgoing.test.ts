// What is shown as the request is what a model is sent.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CompactError } from '../../../src/core/errors/compactError';
import type { Summarizer } from '../../../src/core/ports/summarizer';
import { outgoingRequest } from '../../../src/core/privacy/outgoingRequest';
import { createEngine } from '../../../src/node/engine/engine';
import { OpenSession } from '../../../src/node/engine/openSession';
import { inFolder } from '../../support/folders';
import { longSessionLines, writeLongSession } from '../../support/longSession';

const OPEN = { options: { tokenizer: 'chars' }, watch: false, pollMs: 2000 } as const;
const SECRET = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
const signal = new AbortController().signal;
const withoutNonce = (text: string): string => text.replace(/\b[0-9a-f]{32}\b/g, 'NONCE');

describe('the request that is shown', function () {
  this.timeout(60_000);

  it('is the one that a run hands to a summarizer, with the same wishes', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'session.jsonl');
      writeLongSession(path);
      const session = await OpenSession.open(path, OPEN);
      try {
        const plan = session.plans.plan({ kind: 'full', keepMessages: 4 });
        assert.ok(plan.outcome === 'plan');
        const shown = session.plans.outgoing(plan, ' Keep the names. ');
        let asked = '';
        const summarizer: Summarizer = {
          capabilities: { label: 'test', host: 'test' },
          summarize: (request) => {
            const { system, user } = outgoingRequest(request, 'f'.repeat(32));
            asked = `${system}\n${user}`;
            return Promise.reject(new CompactError('noSummary'));
          },
        };
        await assert.rejects(session.plans.run(plan, summarizer, { instructions: ' Keep the names. ', onProgress: () => undefined }));
        assert.equal(withoutNonce(`${shown.system}\n${shown.user}`), withoutNonce(asked));
        assert.ok(shown.user.includes('Keep the names.'));
      } finally {
        session.dispose();
      }
    }));

  it('has its secrets masked and counted, and is refused for a plan that was never made', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'session.jsonl');
      writeFileSync(path, `${longSessionLines().join('\n').replace('Request 0:', `Request 0 with ${SECRET}:`)}\n`);
      assert.ok(readFileSync(path, 'utf8').includes(SECRET));
      const engine = createEngine(() => undefined);
      try {
        const { handle } = await engine.handlers['session/open']({ path, ...OPEN }, signal);
        const request = { kind: 'full', keepMessages: 4 } as const;
        const plan = await engine.handlers['compaction/preview']({ handle, request }, signal);
        assert.ok(plan.outcome === 'plan');
        const params = { handle, planId: plan.planId, instructions: '' };
        const { text, masked } = await engine.handlers['compaction/request'](params, signal);
        assert.equal(masked, 1);
        assert.ok(!text.includes(SECRET) && text.includes('Request 0 with [secret]:'));
        assert.ok(text.startsWith('[system]\n\n') && text.includes('\n\n[user]\n\n'));
        await assert.rejects(engine.handlers['compaction/request']({ ...params, planId: 'never made' }, signal), { code: 'staleSource' });
      } finally {
        engine.dispose();
      }
    }));
});
