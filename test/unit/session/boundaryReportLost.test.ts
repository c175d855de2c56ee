// Facts are planted into sessions of two agents' forms; their compactions tell all of them but some. The report must name exactly those.
import assert from 'node:assert/strict';
import { boundaryReport, type BoundaryReport } from '../../../src/core/session/boundaryReport';
import { inspectTranscript } from '../../../src/core/session/inspection';
import { readTranscript } from '../../../src/core/transcript/readTranscript';
import { finish } from '../../../src/core/util/steps';
import { present } from '../../../src/core/util/present';
import { claudeSession, codexSession, type Stretch } from '../../support/plantedSessions';
import { asks, bash, says, talk, type Part } from '../compaction/offline/talk';
import { FACTS, type Planted } from '../compaction/plantedFacts';

const FILLER: Part = [...asks('hello'), ...says('Hello to you.'), ...bash('ls -la', 'x\n'.repeat(600)), ...says('All of it is there.')];

const FORMS: readonly (readonly [string, (stretches: readonly Stretch[]) => Uint8Array])[] = [
  ['Claude Code', claudeSession],
  ['Codex', codexSession],
];

function reportOf(bytes: Uint8Array, ordinal: number): BoundaryReport {
  return present(finish(boundaryReport(inspectTranscript(readTranscript(bytes), {}), ordinal)));
}

function told(facts: readonly Planted[]): string {
  return ['## What happened', 'hello', ...facts.map((fact) => fact.told)].join('\n');
}

function stretch(facts: readonly Planted[], isTold: (fact: Planted) => boolean): Stretch {
  return { messages: talk(FILLER, ...facts.map(({ parts }) => parts), FILLER), summary: told(facts.filter(isTold)) };
}

const AFTER: Stretch = { messages: talk(asks('go on'), says('I will.')) };

function lostIn({ lost }: BoundaryReport): readonly string[] {
  return present(lost)
    .map(({ kind, value }) => `${kind} ${value}`)
    .sort();
}

function named(facts: readonly Planted[]): readonly string[] {
  return facts.map(({ kind, value }) => `${kind} ${value}`).sort();
}

for (const [form, write] of FORMS) {
  describe(`what a compaction of ${form} lost`, () => {
    it('is each fact that its summary leaves out, and nothing else', () => {
      for (const fact of FACTS)
        assert.deepEqual(lostIn(reportOf(write([stretch(FACTS, (one) => one !== fact), AFTER]), 0)), named([fact]), fact.value);
    });

    it('is nothing where all is told, and all where nothing is', () => {
      assert.deepEqual(lostIn(reportOf(write([stretch(FACTS, () => true), AFTER]), 0)), []);
      assert.deepEqual(lostIn(reportOf(write([stretch(FACTS, () => false), AFTER]), 0)), named(FACTS));
    });

    it('is told of each compaction by what stood before it alone', () => {
      const half = Math.ceil(FACTS.length / 2);
      const [first, second] = [FACTS.slice(0, half), FACTS.slice(half)];
      const [lostFirst, lostSecond] = [first[2], second[1]];
      const later = {
        ...stretch(second, () => true),
        summary: told([...first, ...second].filter((one) => one !== lostFirst && one !== lostSecond)),
      };
      const bytes = write([stretch(first, (one) => one !== lostFirst), later, AFTER]);
      assert.deepEqual(lostIn(reportOf(bytes, 0)), named([present(lostFirst)]));
      const report = reportOf(bytes, 1);
      assert.deepEqual(lostIn(report), named([present(lostSecond)]));
      assert.equal(report.ofSummary, true);
    });

    it('is nothing of what stays word for word', () => {
      const spoken = FACTS.filter(
        ({ parts }) => parts.length === 1 && parts.every(({ content }) => content.every(({ type }) => type === 'text')),
      );
      const others = FACTS.filter((fact) => !spoken.includes(fact));
      const kept = spoken.map(({ parts }) => parts);
      const messages = talk(FILLER, ...others.map(({ parts }) => parts), ...kept);
      const report = reportOf(write([{ messages, summary: told([]), keep: kept.flat().length }, AFTER]), 0);
      assert.deepEqual(lostIn(report), named(others));
      assert.equal(report.contexts.kept.length, kept.flat().length);
    });
  });
}
