import assert from 'node:assert/strict';
import type { ToolResultBlock } from '../../../src/core/model/message';
import { boundedChunk, runExcerpt } from '../../../src/core/projection/excerpt';
import { inspectForms } from '../../../src/core/projection/inspectForms';
import { projectionForms } from '../../../src/core/projection/rewrites';
import { isWellFormed, utf8Length } from '../../../src/core/util/text';
import { field, isRecord } from '../../../src/core/util/json';
import { inspectResult, runResult } from '../../support/inspections';

describe('excerpts', () => {
  it('cut between code points, within their bytes', () => {
    for (const unit of ['a', 'é', '漢', '🦊']) {
      for (const shift of ['', 'x', 'xy', 'xyz']) {
        const text = `${shift}${unit.repeat(2000)}`;
        const chunk = boundedChunk(text);
        assert.ok(isWellFormed(chunk) && utf8Length(chunk) <= 384 && utf8Length(chunk) > 384 - 9, `${shift}${unit}`);
        const [head = '', tail = ''] = chunk.split('\n<snip/>\n');
        assert.ok(text.startsWith(head) && text.endsWith(tail));
        const excerpt = runExcerpt(text);
        for (const end of [excerpt.head, excerpt.tail]) assert.ok(isWellFormed(end) && utf8Length(end) <= 768 && utf8Length(end) > 764);
        assert.ok(excerpt.truncated && text.startsWith(excerpt.head) && text.endsWith(excerpt.tail));
      }
    }
  });
});

describe('forms of an Inspect result', () => {
  it('hold at most 6,144 bytes, count what they leave out, and still take something smaller', () => {
    const chunks = [...Array.from({ length: 40 }, () => ({ content: 'y'.repeat(500), lines: [1, 2] })), { content: 'z', lines: [3, 4] }];
    const forms = inspectForms(withSource({ evidence: [{ path: 'a', chunks }], requests: [] }));
    assert.ok(forms !== undefined);
    assert.ok(utf8Length(forms.rewrite) <= 6144 && utf8Length(forms.rewrite) > 5000);
    const kept = chunksOf(forms.rewrite);
    assert.deepEqual(kept.at(-1), { lines: [3, 4], content: 'z' });
    assert.equal(field(parsed(forms.rewrite), 'omitted_chunks'), 41 - kept.length);
    assert.deepEqual(chunksOf(forms.index).at(-1), { lines: [3, 4] });
    assert.equal(field(parsed(forms.index), 'omitted_chunks'), undefined);
  });

  it('are none when the requests alone are too long', () => {
    assert.equal(inspectForms(withSource({ evidence: [{ path: 'a', chunks: [] }], requests: [{ id: 'x'.repeat(7000) }] })), undefined);
  });

  it('tell of matches where they are and not what they say', () => {
    const matches = [
      { path: 'a', line: 9, text: 'secret' },
      { path: 'b', line: 1 },
      { path: 'a', line: 3 },
      { path: '__proto__' },
      { line: 4 },
    ];
    const forms = inspectForms(withSource({ evidence: [{ path: 'a' }], requests: [{ id: 'r', kind: 'search', matches }] }));
    assert.deepEqual(field(parsed(forms?.rewrite), 'requests'), [
      {
        id: 'r',
        kind: 'search',
        matches: [
          { path: 'a', count: 2, first_line: 3, last_line: 9 },
          { path: 'b', count: 1, first_line: 1, last_line: 1 },
          { path: '__proto__', count: 1 },
        ],
      },
    ]);
  });
});

describe('forms of a Run or a patch', () => {
  const good = runResult('r', 4000);
  const run = isRecord(good.proof?.['run']) ? good.proof['run'] : {};
  const step = { ordinal: 1, status: 'succeeded', exit_code: 0, invoked: true };
  const withRun = (more: object): ToolResultBlock => ({ ...good, proof: { run: { ...run, ...more } } });
  const rows: readonly [string, ToolResultBlock, boolean][] = [
    ['all steps done', good, true],
    ['verified', withRun({ verification_status: 'passed' }), true],
    ['verification not asked for', { ...good, metadata: new Map([['verification.status', 'not_requested']]) }, true],
    ['verification failed beside it', { ...good, metadata: new Map([['verification.status', 'failed']]) }, false],
    ['not committed', withRun({ logical_execution_committed: false }), false],
    ['a step never started', withRun({ steps: [{ ...step, invoked: false }] }), false],
    ['a step without exit code', withRun({ steps: [{ ordinal: 1, status: 'succeeded', invoked: true }] }), false],
    ['a step with a reason', withRun({ steps: [{ ...step, reason: 'slow' }] }), false],
    ['one bad step of two', withRun({ steps: [step, { ...step, exit_code: 2 }] }), false],
    ['a reason of the whole', withRun({ stop_reason: 'budget' }), false],
    ['something deep in it', withRun({ nested: { deep: 1 } }), false],
    ['partial', { ...good, outcome: 'partial' }, false],
  ];
  for (const [name, result, expected] of rows) {
    it(`Run, ${name}: ${expected ? 'a rewrite' : 'none'}`, () => {
      assert.equal(projectionForms('Run', result).rewrite !== undefined, expected);
    });
  }

  it('gives a committed patch its proof, and no other', () => {
    const patch: ToolResultBlock = { type: 'toolResult', toolUseId: 'p', content: 'x'.repeat(2000), outcome: 'succeeded' };
    assert.match(projectionForms('ApplyPatch', patch).rewrite ?? '', /"cas":"committed"/);
    const withCode = { ...patch, metadata: new Map([['error.code', 'receipt']]) };
    for (const other of [withCode, { ...patch, outcome: 'partial' as const }, { ...patch, isError: true }]) {
      assert.equal(projectionForms('ApplyPatch', other).rewrite, undefined);
    }
  });
});

function withSource(source: unknown): ToolResultBlock {
  return { ...inspectResult('i', 1), content: JSON.stringify(source) };
}

function parsed(text: string | undefined): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text ?? 'null');
  assert.ok(isRecord(value));
  return value;
}

function chunksOf(text: string): readonly unknown[] {
  const evidence: unknown = field(parsed(text), 'evidence');
  const first: unknown = Array.isArray(evidence) ? evidence[0] : undefined;
  const chunks = isRecord(first) ? field(first, 'chunks') : undefined;
  return Array.isArray(chunks) ? chunks : [];
}
