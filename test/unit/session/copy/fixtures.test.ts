import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { assertFaithful, planFor, readSession, requestsFor, roundTrip } from './roundTrip';

/** Formats whose fixtures hold what is rare: damage, earlier compactions, old versions. */
const FORMATS = ['gemini', 'qwen', 'pi', 'opencode', 'docker-agent'] as const;

describe('copies of the fixtures', () => {
  let copies = 0;
  for (const format of FORMATS) {
    const folder = join(process.cwd(), 'test/fixtures', format);
    for (const name of readdirSync(folder).filter((file) => /\.jsonl?$/.test(file) && !file.endsWith('.expected.json'))) {
      it(`${format}/${name} reads back as planned, wherever it is cut, in both directions`, () => {
        const source = readSession(join(folder, name));
        const plans = requestsFor(source).flatMap((request) => planFor(source, request) ?? []);
        for (const plan of plans) assertFaithful(roundTrip(source, plan));
        copies += plans.length;
      });
    }
  }
  it('made many copies', () => assert.ok(copies > 80, `${copies} copies`));
});
