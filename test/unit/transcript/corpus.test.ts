// Reads every real Claude Code and Codex session of the shared collection in place, and compares with what a plain scan of each file counted.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Transcript } from '../../../src/core/model/transcript';
import { readTranscript } from '../../../src/core/transcript/readTranscript';
import { isRecord, numberOf, type JsonRecord } from '../../../src/core/util/json';
import { contextUsage } from '../../../src/core/window/contextUsage';
import { NO_TRANSCRIPTS, sha256, TRANSCRIPTS } from '../../support/folders';

interface Row {
  readonly file: string;
  readonly boundaries: number;
  /** Undefined where no response follows the last boundary. */
  readonly lastReported: number | undefined;
}

interface Difference {
  readonly boundaries?: number;
  readonly lastReported?: number | undefined;
  readonly responses?: number;
  readonly why: string;
}

/** Files in which the live branch rightly differs from a scan in file order. Both had their ids and numbers blanked. */
const DIFFERENCES = new Map<string, Difference>([
  [
    'claude/fixture-trimmed-2.1.220.jsonl',
    {
      boundaries: 0,
      lastReported: undefined,
      responses: 1,
      why: 'lines of several sessions under one blanked id: the last root stands behind both boundaries, and a report of 0 tokens is none',
    },
  ],
  [
    'codex/fixture-trimmed-0.146.jsonl',
    {
      lastReported: undefined,
      why: 'its last report is blanked to 0 tokens, and the reports before it are older than the last compaction',
    },
  ],
]);

describe(`real sessions${NO_TRANSCRIPTS}`, () => {
  if (TRANSCRIPTS === undefined) return;
  const folder = TRANSCRIPTS;

  for (const row of indexRows(folder)) {
    const difference = DIFFERENCES.get(row.file);
    it(`${row.file}: boundaries and reported tokens${difference === undefined ? '' : ` (differs: ${difference.why})`}`, () => {
      const path = join(folder, row.file);
      const hash = sha256(path);
      const transcript = readTranscript(readFileSync(path));
      const known = DIFFERENCES.get(row.file);
      assert.equal(transcript.boundaries.length, known?.boundaries ?? row.boundaries);
      assert.equal(reported(transcript), known === undefined ? row.lastReported : known.lastReported);
      assertSound(transcript);
      if (known === undefined) assertPaired(transcript);
      assert.equal(sha256(path), hash);
    });
  }

  for (const [file, sums] of expectedSums(folder)) {
    it(`${file}: usage, each response once`, () => {
      const { totals } = readTranscript(readFileSync(join(folder, file)));
      if (file.startsWith('claude/')) {
        assert.deepEqual(
          [totals.responses, totals.inputTokens, totals.outputTokens, totals.cacheReadTokens, totals.cacheCreationTokens],
          [
            DIFFERENCES.get(file)?.responses ?? numberOf(sums, 'requests'),
            ...['input', 'output', 'cache_read', 'cache_creation'].map((name) => numberOf(sums, name)),
          ],
        );
      } else {
        assert.deepEqual(
          [totals.inputTokens + totals.cacheReadTokens, totals.cacheReadTokens, totals.outputTokens],
          ['input_incl_cached', 'cached', 'output'].map((name) => numberOf(sums, name)),
        );
      }
    });
  }
});

function indexRows(folder: string): readonly Row[] {
  const [head = '', ...lines] = readFileSync(join(folder, 'INDEX.tsv'), 'utf8').trimEnd().split('\n');
  const column = (name: string): number => head.split('\t').indexOf(name);
  return lines.flatMap((line): Row[] => {
    const cells = line.split('\t');
    const format = cells[column('format')];
    if (format !== 'claude' && format !== 'codex') return [];
    const last = cells[column('last_reported')] ?? '';
    return [
      {
        file: cells[column('file')] ?? '',
        boundaries: Number(cells[column('boundaries')]),
        lastReported: last === '' ? undefined : Number(last),
      },
    ];
  });
}

function expectedSums(folder: string): readonly (readonly [string, JsonRecord])[] {
  return readFileSync(join(folder, 'EXPECTED_SUMS.tsv'), 'utf8')
    .trimEnd()
    .split('\n')
    .flatMap((line): (readonly [string, JsonRecord])[] => {
      const [file = '', json = ''] = line.split('\t');
      const sums: unknown = JSON.parse(json);
      return /^(?:claude|codex)\//.test(file) && isRecord(sums) ? [[file, sums]] : [];
    });
}

function reported(transcript: Transcript): number | undefined {
  return contextUsage(
    transcript,
    transcript.messages.map(() => 0),
  ).reportedTokens;
}

/** What holds of every transcript: ids stand for one message, and the context names messages once. */
function assertSound({ messages, context, boundaries, diagnostics }: Transcript): void {
  assert.equal(new Set(messages.map((message) => message.id)).size, messages.length);
  assert.equal(new Set(context).size, context.length);
  assert.ok(context.every((index) => messages[index] !== undefined));
  assert.ok(boundaries.every(({ index }) => messages[index]?.kind === 'boundary'));
  assert.ok(diagnostics.every(({ line }, at) => at === 0 || line === 0 || line >= (diagnostics[at - 1]?.line ?? 0)));
}

/** Results follow their calls. */
function assertPaired({ messages }: Transcript): void {
  const calls = new Set<string>();
  for (const message of messages) {
    for (const block of message.content) {
      if (block.type === 'toolUse') calls.add(block.id);
      else if (block.type === 'toolResult') assert.ok(calls.has(block.toolUseId), `${block.toolUseId} is answered before it is called`);
    }
  }
}
