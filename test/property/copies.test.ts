// Copies of sessions that are odd, damaged, or other than they were when they were read: right, refused, or known to be wrong; never anything else.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { ClearedBlocks } from '../../src/core/compaction/microPlan';
import type { CompactionPlan } from '../../src/core/compaction/plan';
import { isCompactError } from '../../src/core/errors/compactError';
import { isToolResult } from '../../src/core/model/message';
import type { FormatId, Transcript } from '../../src/core/model/transcript';
import { checkCopy } from '../../src/core/session/checkCopy';
import type { CopyInput } from '../../src/core/session/copy/copyInput';
import { buildCopy, canWriteCopy } from '../../src/core/session/copy/copyWriter';
import { readTranscript } from '../../src/core/transcript/readTranscript';
import { isRecord } from '../../src/core/util/json';
import { property } from '../support/property';
import { WIRE_FORMS } from '../support/wireSessions';
import { countingIds, NEW_ID, NOW, SUMMARY } from '../unit/session/copy/roundTrip';

const FORMATS: readonly FormatId[] = [
  'claude-code',
  'codex',
  'gemini',
  'qwen',
  'pi',
  'docker-agent',
  'opencode',
  'anthropic-messages',
  'openai-chat',
];
const FIXTURES = join(process.cwd(), 'test/fixtures');
const TURNS = [0, 1, 2].map((turn) => ({
  asked: `question ${turn}`,
  calls: [{ id: `c${turn}`, input: { path: 'a.ts' }, result: 'r' }],
  said: `answer ${turn}`,
}));

interface Source {
  readonly format: FormatId;
  readonly text: string;
}

const SOURCES: readonly Source[] = [
  ...FORMATS.flatMap((format) =>
    readdirSync(join(FIXTURES, format))
      .filter((name) => /\.jsonl?$/.test(name) && !name.endsWith('.expected.json'))
      .map((name) => ({ format, text: readFileSync(join(FIXTURES, format, name), 'utf8') }))
      .filter(({ text }) => text.length < 14_000),
  ),
  ...WIRE_FORMS.map(({ format, render }) => ({ format, text: render(TURNS) })),
];

/** A change somewhere in the values of a source: where, as shares of what is there, and what happens to it. */
interface Change {
  readonly line: number;
  readonly path: readonly number[];
  readonly to: 'gone' | 'null' | 'text' | 'empty' | 'number' | 'list' | 'record' | 'twice';
}

const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const change: fc.Arbitrary<Change> = fc.record({
  line: share,
  path: fc.array(share, { minLength: 1, maxLength: 7 }),
  to: fc.constantFrom('gone', 'null', 'text', 'empty', 'number', 'list', 'record', 'twice'),
});

/** The text of a source with a change; a line that is no JSON, or that has nothing there, stays. */
function changed(text: string, { line, path, to }: Change): string {
  const lines = isJson(text) ? [text] : text.split('\n');
  const at = Math.floor(line * lines.length);
  const value = parsed(lines[at] ?? '');
  if (value === undefined) return text;
  return lines.map((one, index) => (index === at ? JSON.stringify(changedValue(value, path, to)) : one)).join('\n');
}

function changedValue(value: unknown, [here = 0, ...rest]: readonly number[], to: Change['to']): unknown {
  const isList = Array.isArray(value);
  if (!isList && !isRecord(value)) return replacement(value, to);
  const entries: readonly (readonly [string, unknown])[] = Object.entries(value);
  const at = Math.floor(here * entries.length);
  const after = entries.flatMap(([key, one], index): (readonly [string, unknown])[] => {
    if (index !== at) return [[key, one]];
    const isEnd = rest.length === 0 || (!Array.isArray(one) && !isRecord(one));
    if (!isEnd) return [[key, changedValue(one, rest, to)]];
    if (to === 'gone') return [];
    return to === 'twice'
      ? [
          [key, one],
          [key, one],
        ]
      : [[key, replacement(one, to)]];
  });
  return isList ? after.map(([, one]) => one) : Object.fromEntries(after);
}

function replacement(value: unknown, to: Change['to']): unknown {
  if (to === 'text') return 'other';
  if (to === 'empty') return '';
  if (to === 'number') return 7;
  if (to === 'list') return [];
  if (to === 'record') return {};
  return to === 'null' || to === 'gone' ? null : value;
}

function isJson(text: string): boolean {
  return parsed(text) !== undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function read(text: string, format: FormatId): Transcript {
  return readTranscript(new TextEncoder().encode(text), { format });
}

type Cut = Pick<CompactionPlan, 'kept' | 'summarized' | 'order'>;

/** A cut at any place of the context, also where no planner would make it. */
function cutAt({ context }: Transcript, at: number, order: Cut['order']): Cut {
  const place = 1 + Math.floor(at * Math.max(1, context.length - 1));
  const [first, second] = [context.slice(0, place), context.slice(place)];
  return order === 'summaryFirst' ? { summarized: first, kept: second, order } : { summarized: second, kept: first, order };
}

function inputOf(transcript: Transcript, plan: Cut, text: string, more: Partial<CopyInput> = {}): CopyInput {
  const lines = text.split('\n');
  return {
    ...{ transcript, plan, lines: (line: number) => lines[line - 1], lineCount: lines.length, document: text },
    ...{ summary: SUMMARY, newSessionId: NEW_ID, ids: countingIds(), now: NOW, tokens: { before: 2000, after: 500 } },
    ...more,
  };
}

/** Builds a copy and answers what is wrong with it; a source that is not as it was read is refused in the right way. */
function faultsOf(input: CopyInput): readonly string[] {
  try {
    return checkCopy(input, buildCopy(input).records).faults;
  } catch (error) {
    assert.ok(isCompactError(error, 'staleSource'), error instanceof Error ? error.stack : 'no error');
    return ['stale'];
  }
}

const source = fc.constantFrom(...SOURCES);
const order = fc.constantFrom('summaryFirst' as const, 'keptFirst' as const);

describe('copies of odd sessions', () => {
  it('are made in every format', () => assert.ok(FORMATS.every(canWriteCopy)));

  let right = 0;
  property(
    'of any values: right, or known to be wrong before they are written',
    fc.tuple(source, fc.array(change, { maxLength: 3 }), share, order),
    ([{ format, text }, changes, at, wanted]) => {
      const odd = changes.reduce(changed, text);
      const transcript = read(odd, format);
      if (transcript.context.length < 2) return;
      if (faultsOf(inputOf(transcript, cutAt(transcript, at, wanted), odd)).length === 0) right++;
    },
  );
  it('are right most of the time', () => assert.ok(right > 300, `${right} were right`));

  property(
    'of a source that changed after it was read: as it was, stale, or known to be wrong',
    fc.tuple(source, fc.array(change, { minLength: 1, maxLength: 3 }), share, order),
    ([{ format, text }, changes, at, wanted]) => {
      const transcript = read(text, format);
      faultsOf(inputOf(transcript, cutAt(transcript, at, wanted), changes.reduce(changed, text)));
      const cut = text.slice(0, Math.floor(at * text.length));
      faultsOf(inputOf(transcript, cutAt(transcript, at, wanted), cut));
    },
  );

  property(
    'without any of their results: right, or known to be wrong before they are written',
    fc.tuple(source, fc.array(change, { maxLength: 2 }), fc.array(fc.boolean(), { minLength: 1, maxLength: 12 })),
    ([{ format, text }, changes, chosen]) => {
      const odd = changes.reduce(changed, text);
      const transcript = read(odd, format);
      const cleared = new Map<number, ClearedBlocks>();
      let nth = 0;
      for (const index of transcript.context) {
        const blocks = new Map<number, string>();
        for (const [at, block] of transcript.messages[index]?.content.entries() ?? []) {
          if (isToolResult(block) && chosen[nth++ % chosen.length] === true) blocks.set(at, '[cleared]');
        }
        if (blocks.size > 0) cleared.set(index, blocks);
      }
      const plan: Cut = { kept: transcript.context, summarized: [], order: 'keptFirst' };
      faultsOf(inputOf(transcript, plan, odd, { summary: undefined, cleared }));
    },
  );
});
