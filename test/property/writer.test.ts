// P70-P73 on generated sessions of every format that copies are written in.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { PlanRequest } from '../../src/core/compaction/plan';
import { isCompactError } from '../../src/core/errors/compactError';
import { buildCopy } from '../../src/core/session/copy/copyWriter';
import { asyncProperty } from '../support/asyncProperty';
import { addedTo, assertOldOrNew, compactIn, openWritable } from '../support/compactInMemory';
import type { FaultKind } from '../support/faultyFileSystem';
import { property } from '../support/property';
import { SESSION_FOLDER } from '../support/writableSessions';
import { WIRE_FORMS, wireTurns, type WireForm, type WireTurn } from '../support/wireSessions';
import { assertFaithful, copyInput, planFor, roundTrip, session } from '../unit/session/copy/roundTrip';

const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

type Kind = 'full' | 'partialUpTo' | 'partialFrom';

function requestOf(kind: Kind, pivotId: string, keepMessages: number): PlanRequest {
  if (kind === 'full') return { kind, keepMessages };
  return kind === 'partialUpTo' ? { kind, pivotId } : { kind, pivotId };
}

function checkRoundTrip({ format, render }: WireForm, turns: readonly WireTurn[], wanted: Kind, at: number): void {
  const source = session(render(turns));
  assert.equal(source.transcript.format, format);
  const { messages, context } = source.transcript;
  assert.ok(context.length >= turns.length * 2, 'the whole conversation was read');
  const pivotId = messages[context[Math.floor(at * context.length)] ?? 0]?.id ?? '';
  const plan = planFor(source, requestOf(wanted, pivotId, 1 + Math.floor(at * 6)));
  if (plan === undefined) return;
  const before = JSON.stringify(messages);
  assertFaithful(roundTrip(source, plan));
  assert.deepEqual(buildCopy(copyInput(source, plan)), buildCopy(copyInput(source, plan)), 'the same input gives the same bytes');
  assert.equal(JSON.stringify(messages), before, 'nothing that was read was changed');
}

describe('copies of generated sessions', () => {
  const forms: readonly (readonly [string, readonly WireForm[]])[] = [
    ['lines', WIRE_FORMS.filter(({ render }) => render([{ asked: 'a', calls: [], said: 'b' }]).endsWith('\n'))],
    ['documents', WIRE_FORMS.filter(({ render }) => !render([{ asked: 'a', calls: [], said: 'b' }]).endsWith('\n'))],
  ];
  for (const [name, list] of forms) {
    property(
      `P72: ${name} read back as they were written, and are written the same way again`,
      fc.tuple(fc.constantFrom(...list), wireTurns, fc.constantFrom<Kind>('full', 'partialUpTo', 'partialFrom'), place),
      ([form, turns, wanted, at]) => checkRoundTrip(form, turns, wanted, at),
    );
  }

  const fault = fc.option(fc.constantFrom<FaultKind>('crash', 'crashAfter', 'EIO', 'ENOSPC', 'EACCES', 'EPERM', 'short'), {
    nil: undefined,
  });
  const disturbed = fc.record({
    form: fc.constantFrom(...WIRE_FORMS),
    turns: wireTurns,
    links: fc.boolean(),
    kind: fault,
    at: fc.integer({ min: 1, max: 60 }),
    appends: fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 4 }),
  });
  asyncProperty('P70, P71, P73: whatever fails, and whatever the agent appends meanwhile', disturbed, async (given) => {
    const path = `${SESSION_FOLDER}/source.json`;
    const text = given.form.render(given.turns);
    const late = text.endsWith('\n') ? `${text.trimEnd().split('\n').at(-1) ?? ''}\n` : '\n';
    const files = new Map([[path, new TextEncoder().encode(text)]]);
    const opened = await openWritable({ name: given.form.name, path, files, growths: [] });
    let appended = '';
    const outcome = await compactIn(opened, {
      links: given.links,
      strike: (number) => (number === given.at ? given.kind : undefined),
      before: (disk, number) => {
        const now = late.repeat(given.appends.filter((one) => one === number).length);
        if (now === '') return;
        disk.append(path, now);
        appended += now;
      },
    });
    const isCrash = given.kind === 'crash' || given.kind === 'crashAfter';
    assert.equal(outcome.disk.text(path), text + appended, 'the original is what its agent wrote');
    assertOldOrNew(opened, outcome, { links: given.links, isCrash }, 'here');
    if (appended !== '' && !isCrash) assert.ok(outcome.error !== undefined, 'what was appended is reported');
    if (given.kind === undefined) assert.deepEqual(addedTo(outcome.disk, opened.session).scratch, []);
    if (given.kind === undefined && appended !== '')
      assert.ok(isCompactError(outcome.error, 'staleSource'), outcome.error instanceof Error ? outcome.error.stack : '');
  });
});
