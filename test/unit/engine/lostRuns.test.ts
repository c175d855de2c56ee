// Facts are planted into sessions of two agents' forms, and a summarizer tells all of them but one. The copy's list names exactly that one, and
// what is put back from it is lost no more.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { QUOTES_HEADING } from '../../../src/core/compaction/quotes';
import type { Summarizer } from '../../../src/core/ports/summarizer';
import { lostView } from '../../../src/core/view/lostView';
import { OpenSession } from '../../../src/node/engine/openSession';
import { inFolder } from '../../support/folders';
import { claudeSession, codexSession } from '../../support/plantedSessions';
import { asks, bash, says, talk, type Part } from '../compaction/offline/talk';
import { FACTS, type Planted } from '../compaction/plantedFacts';

const FILLER: Part = [...asks('hello'), ...says('Hello to you.'), ...bash('ls -la', 'x\n'.repeat(900)), ...says('All of it is there.')];
const OPEN = { options: { tokenizer: 'chars' }, watch: false, pollMs: 2000 } as const;
const OPTIONS = { instructions: '', onProgress: () => undefined };

/** Says what is told of the facts, whatever it is asked. */
function telling(facts: readonly Planted[]): Summarizer {
  const text = ['## What happened', 'hello', ...facts.map(({ told }) => told)].join('\n');
  return { capabilities: { label: 'test', host: undefined }, summarize: () => Promise.resolve({ text, usage: undefined }) };
}

for (const [form, write] of [
  ['Claude Code', claudeSession],
  ['Codex', codexSession],
] as const) {
  describe(`what a copy of a ${form} session lost`, function () {
    this.timeout(120_000);

    it('is each fact that the summary leaves out, and nothing once it is put back', () =>
      inFolder(async (folder) => {
        const path = join(folder, 'session.jsonl');
        const messages = talk(FILLER, ...FACTS.map(({ parts }) => parts), FILLER, asks('go on'), says('I will.'));
        writeFileSync(path, write([{ messages }]));
        const session = await OpenSession.open(path, OPEN);
        try {
          const plan = session.plans.plan({ kind: 'full', keepMessages: 2 });
          assert.ok(plan.outcome === 'plan', JSON.stringify(plan));
          for (const fact of FACTS) {
            const { copy, report } = await session.plans.run(plan, telling(FACTS.filter((one) => one !== fact)), OPTIONS);
            const lost = report.lost ?? [];
            assert.deepEqual(
              lost.map(({ kind, value }) => `${kind} ${value}`),
              [`${fact.kind} ${fact.value}`],
            );
            const items = lostView(lost, () => undefined).groups.flatMap(({ kind, items: shown }) => {
              return shown.map(({ value, messageId }) => ({ kind, value, messageId }));
            });
            const again = await session.plans.putBack(copy.sessionId, items, OPTIONS.onProgress);
            assert.deepEqual(again.report.lost, []);
            assert.ok(again.report.summary.split(QUOTES_HEADING)[1]?.includes(`\n${fact.value}\n`), fact.value);
            assert.ok(again.copy.tokensAfter > copy.tokensAfter);
            const [line = ''] = fact.value.split('\n');
            assert.ok(readFileSync(again.copy.path, 'utf8').includes(JSON.stringify(line).slice(1, -1)), line);
          }
        } finally {
          session.dispose();
        }
      }));
  });
}
