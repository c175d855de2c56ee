// Sessions for the page's tests, made up: a believable one of 47 turns with two compactions, and variations of it.
import type { BoundaryView, Category, GaugeView, RowKind, RowView, SessionView, TimelineView } from '../../../src/core/protocol/viewModel';

export interface Scenario {
  readonly view: SessionView;
  readonly row: (index: number) => RowView;
}

const WINDOW = 200_000;
const USED = 152_304;

type Script = readonly [kind: RowKind, label: string, preview: string, tokens: number];

const FIRST: readonly Script[] = [
  ['user', '', 'The token counter drifts from what the provider reports. Find out why.', 42],
  ['assistant', '', 'I will look at the counter first, then at the recorded usage.', 310],
  ['toolUse', 'Grep', 'countTokens', 96],
  ['toolResult', 'Grep', 'src/core/count.ts:14:export function countTokens(text: string): number {', 3_120],
  ['toolUse', 'Read', 'src/core/count.ts', 88],
  ['toolResult', 'Read', '1 import { encode } from "./bpe"; 2 3 /** Tokens of a text. */', 14_180],
  ['assistant', '', 'The counter looks right for text. Images go through another path.', 640],
  ['toolUse', 'Bash', 'git log --oneline -20 src/core', 120],
  ['toolResult', 'Bash', '8c1f20e Count images by their size 41d09aa Cache counts by text', 1_910],
];

const LATE: readonly Script[] = [
  ['user', '', 'Now write the failing test first.', 210],
  ['toolUse', 'Read', 'src/core/count.ts', 90],
  ['toolResult', 'Read', '1 import { encode } from "./bpe"; 2 3 /** Tokens of a text. */', 14_210],
  ['assistant', '', 'I will add a fixture with one PNG block and compare it with the reported usage.', 1_820],
  ['toolUse', 'Write', 'test/fixtures/one-image.json', 1_240],
  ['toolResult', 'Write', 'The file test/fixtures/one-image.json has been created.', 34],
  ['toolUse', 'Bash', 'npm test -- --grep image', 80],
  ['toolResult', 'Bash', '38 passing, 3 failing: counts an image block by its size', 12_630],
  ['assistant', '', '3 of 41 fail: the counter adds the length of the base64 text.', 2_140],
  ['toolUse', 'Read', 'test/fixtures/usage.json', 84],
  ['toolResult', 'Read', '{ "turns": [ { "input": 41231, "cacheRead": 38110 }', 11_790],
  ['toolUse', 'Edit', 'src/core/count.ts', 860],
  ['toolResult', 'Edit', 'The file src/core/count.ts has been updated.', 1_130],
  ['assistant', '', 'Patch applied to countBlock().', 620],
  ['user', '', 'Also check the PDF path, see the screenshot.', 2_410],
  ['toolUse', 'Grep', '“document” in src/', 90],
  ['toolResult', 'Grep', 'src/core/count.ts:88: case "document": return size(block);', 6_810],
  ['assistant', '', 'PDF pages take the same path; fixed.', 1_380],
  ['toolUse', 'Bash', 'npm test', 74],
  ['toolResult', 'Bash', '44 passing', 3_390],
  ['assistant', '', 'All 44 pass. Shall I open the pull request?', 310],
];

const SUMMARY = `## Primary request
Find why the token counter drifts from the provider's usage on sessions with images, and mend it with a test first.

## Key findings
- The drift begins at the first image block: its base64 text was counted as text.
- src/core/count.ts, countBlock(): the branch for "image" falls through to "text".
- Reported usage is in test/fixtures/usage.json.

## Open
Compare PDF pages as well. See https://example.invalid/issues/12 for the report.`;

function kindCategory(kind: RowKind): Category {
  if (kind === 'toolResult') return 'toolResults';
  if (kind === 'summary') return 'summary';
  return kind === 'user' ? 'user' : 'assistant';
}

/** Rows before the second boundary are no longer in the context, but for the six that it preserved. */
function scriptedRows(): readonly RowView[] {
  const rows: RowView[] = [];
  const add = (script: Script, active: boolean, preserved = false): void => {
    const [kind, label, preview, tokens] = script;
    const index = rows.length;
    rows.push({
      index,
      id: `m-${index.toString().padStart(3, '0')}`,
      kind,
      active,
      preserved,
      preview,
      label,
      tokens,
      measurement: kind === 'assistant' ? 'reported' : preview.includes('screenshot') ? 'lowerBound' : 'estimate',
      category: kindCategory(kind),
      timestamp: new Date(Date.UTC(2026, 10, 30, 9, index)).toISOString(),
      isError: preview.includes('3 failing'),
      hasMedia: preview.includes('screenshot'),
      canCompact: active && kind !== 'boundary',
    });
  };
  for (let round = 0; round < 4; round++) for (const script of FIRST) add(script, false);
  add(['boundary', '', 'Conversation compacted', 0], false);
  add(['summary', '', 'The counter is right for text; images go through another path…', 6_120], false);
  for (let round = 0; round < 3; round++) for (const script of FIRST) add(script, false, false);
  for (const script of FIRST.slice(3)) add(script, true, true);
  add(['boundary', '', 'Conversation compacted', 0], false);
  add(['summary', '', 'Summary: find why the token counter drifts; the drift starts at the first image block', 8_214], true);
  for (const script of LATE) add(script, true);
  return rows;
}

function boundariesOf(rows: readonly RowView[]): readonly BoundaryView[] {
  const at = rows.filter((row) => row.kind === 'boundary').map((row) => row.index);
  const [first = 0, second = 0] = at;
  const kept = rows.filter((row) => row.preserved).map((row) => row.id);
  return [
    {
      index: 0,
      rowIndex: first,
      id: rows[first]?.id ?? '',
      timestamp: '2026-11-30T09:36:00.000Z',
      trigger: 'auto',
      preTokens: 166_812,
      postTokens: 31_402,
      durationMs: 61_300,
      summaryId: rows[first + 1]?.id ?? null,
      summary: SUMMARY.slice(0, 160),
      summaryTokens: 6_120,
      preserved: null,
      summarizedCount: first,
      valid: true,
    },
    {
      index: 1,
      rowIndex: second,
      id: rows[second]?.id ?? '',
      timestamp: '2026-11-30T10:11:00.000Z',
      trigger: 'manual',
      preTokens: 141_208,
      postTokens: null,
      durationMs: 48_200,
      summaryId: rows[second + 1]?.id ?? null,
      summary: SUMMARY,
      summaryTokens: 8_214,
      preserved: { startIndex: second - kept.length, count: kept.length, anchor: kept[0] ?? null, direction: 'upTo', ids: kept },
      summarizedCount: second - first - 1 - kept.length,
      valid: true,
    },
  ];
}

const GAUGE: GaugeView = {
  state: 'error',
  usedTokens: USED,
  measurement: 'reported',
  reportedTokens: 150_104,
  estimatedTailTokens: 2_200,
  errorTokens: 310,
  windowTokens: WINDOW,
  windowSource: 'catalogue',
  effectiveInputWindowTokens: 180_000,
  outputReserveTokens: 20_000,
  percentUsed: (USED / WINDOW) * 100,
  percentLeft: 8.8,
  limits: [
    { kind: 'warning', at: 147_000 },
    { kind: 'error', at: 147_000 },
    { kind: 'autoCompact', at: 167_000 },
    { kind: 'blocked', at: 177_000 },
  ],
  agentLimit: { agent: 'Claude Code', at: 167_000, due: false, chosen: false },
  counters: [
    { kind: 'window', usedTokens: USED, ofTokens: WINDOW, percent: (USED / WINDOW) * 100, left: false },
    { kind: 'usable', usedTokens: USED, ofTokens: 180_000, percent: (USED / 180_000) * 100, left: false },
    { kind: 'untilCompact', usedTokens: USED, ofTokens: 167_000, percent: 100 - (USED / 167_000) * 100, left: true },
    { kind: 'agentShows', usedTokens: 150_104, ofTokens: WINDOW, percent: (150_104 / WINDOW) * 100, left: false },
    { kind: 'agentDecides', usedTokens: USED, ofTokens: 167_000, percent: (USED / 167_000) * 100, left: false },
  ],
  next: { kind: 'autoCompact', tokens: 167_000 - USED, turns: 3 },
  tooSmall: false,
};

/** A context for every fifth row, falling at each compaction, with one mark of each kind. */
function timelineOf(rows: readonly RowView[]): TimelineView {
  const compactions = rows.filter((row) => row.kind === 'boundary').map((row) => row.index);
  const points = rows
    .filter((_, index) => index % 5 === 0)
    .map(({ index }) => {
      const stretch = compactions.filter((at) => at <= index).length;
      const start = stretch === 0 ? 0 : (compactions[stretch - 1] ?? 0);
      return { index, stretch, tokens: Math.min(USED, 38_000 + (index - start) * 1_150) };
    });
  const at = (share: number): number => points[Math.floor(points.length * share)]?.index ?? 0;
  return {
    points,
    marks: [
      { kind: 'jump', index: at(0.2), tokens: 12_400, cause: 'hidden' },
      { kind: 'refill', index: at(0.5), tokens: 61_000, cause: 'repeatedCalls' },
      { kind: 'drop', index: at(0.8), tokens: 9_300, cause: 'silent' },
    ],
    peakTokens: points.reduce((most, { tokens }) => Math.max(most, tokens), 0),
    reports: 47,
    whole: true,
  };
}

/** The believable session: 47 turns, two compactions, 152.3K of 200K. */
export function usualSession(): Scenario {
  const rows = scriptedRows();
  const view: SessionView = {
    revision: 1,
    handle: 'session-1',
    title: 'Fix token counter drift',
    fileName: '7f3a9c1e-2b4d-4c55-9a01-5d2f3c9e8b77.jsonl',
    format: 'claude-code',
    agent: 'Claude Code',
    agentVersion: '2.1.332',
    sessionId: '7f3a9c1e-2b4d-4c55-9a01-5d2f3c9e8b77',
    model: 'claude-opus-4',
    turns: 47,
    live: true,
    partial: false,
    gauge: GAUGE,
    categories: [
      { category: 'systemPrompt', tokens: 3_200, measurement: 'estimate' },
      { category: 'tools', tokens: 17_400, measurement: 'estimate' },
      { category: 'mcpTools', tokens: 12_900, measurement: 'estimate' },
      { category: 'memory', tokens: 5_700, measurement: 'estimate' },
      { category: 'summary', tokens: 8_214, measurement: 'estimate' },
      { category: 'user', tokens: 6_300, measurement: 'estimate' },
      { category: 'assistant', tokens: 24_100, measurement: 'estimate' },
      { category: 'thinking', tokens: 1_900, measurement: 'estimate' },
      { category: 'toolResults', tokens: 69_500, measurement: 'estimate' },
      { category: 'images', tokens: 2_400, measurement: 'lowerBound' },
      { category: 'unattributed', tokens: 690, measurement: 'derived' },
    ],
    boundaries: boundariesOf(rows),
    timeline: timelineOf(rows),
    rows: { count: rows.length, activeCount: rows.filter((row) => row.active).length, maxTokens: 14_210 },
    sidechains: [
      { id: 'agent-explore-1', messages: 34, usedTokens: 28_400 },
      { id: 'agent-explore-2', messages: 12, usedTokens: 9_150 },
    ],
    diagnostics: [
      { line: 118, code: 'bad_json', severity: 'error', detail: 'The line is not valid JSON and was left out.' },
      { line: 240, code: 'dup_uuid', severity: 'warning', detail: 'Two records have the same id; the later one counts.' },
      { line: 311, code: 'truncated_tail', severity: 'info', detail: '' },
    ],
    problem: null,
    canCompact: true,
  };
  return { view, row: (index) => at(rows, index) };
}

/** A long session without any compaction; its rows are made on demand. */
export function longSession(count: number): Scenario {
  const usual = usualSession();
  const rows = scriptedRows();
  const late = rows.slice(-LATE.length);
  return {
    view: {
      ...usual.view,
      title: 'A very long session',
      boundaries: [],
      timeline: null,
      sidechains: [],
      diagnostics: [],
      rows: { count, activeCount: count, maxTokens: 14_210 },
    },
    row: (index) => ({ ...at(late, index % late.length), index, id: `m-${index}`, preview: `Message ${index}` }),
  };
}

/** Neither transcript nor model tells the window. */
export function unknownWindow(): Scenario {
  const { view, row } = usualSession();
  const gauge: GaugeView = {
    ...GAUGE,
    state: 'unknown',
    measurement: 'estimate',
    reportedTokens: null,
    windowTokens: null,
    windowSource: null,
    effectiveInputWindowTokens: null,
    outputReserveTokens: null,
    percentUsed: null,
    percentLeft: null,
    limits: [],
    agentLimit: null,
    counters: [],
    next: null,
  };
  return { view: { ...view, title: 'A model that nobody knows', model: 'my-own-model', gauge, live: false }, row };
}

/** The agent cannot send another request. */
export function blockedSession(): Scenario {
  const { view, row } = usualSession();
  const used = 203_100;
  const gauge: GaugeView = {
    ...GAUGE,
    state: 'blocked',
    usedTokens: used,
    reportedTokens: used,
    estimatedTailTokens: 0,
    errorTokens: 0,
    percentUsed: 101.55,
    next: null,
  };
  const categories = view.categories.map((part) =>
    part.category === 'toolResults' ? { ...part, tokens: part.tokens + used - USED } : part,
  );
  return { view: { ...view, gauge, categories }, row };
}

/** Written by an agent that decides by another rule than the gauge's. */
export function otherAgentSession(): Scenario {
  const { view, row } = usualSession();
  const gauge: GaugeView = {
    ...GAUGE,
    agentLimit: { agent: 'Gemini CLI', at: 100_000, due: true, chosen: false },
    counters: GAUGE.counters.map((counter) =>
      counter.kind === 'agentDecides' ? { ...counter, usedTokens: 150_104, ofTokens: 100_000, percent: 150.104 } : counter,
    ),
  };
  return { view: { ...view, agent: 'Gemini CLI', format: 'gemini', gauge }, row };
}

/** Just begun: far from every limit. */
export function freshSession(): Scenario {
  const { view, row } = usualSession();
  const used = 24_800;
  const gauge: GaugeView = {
    ...GAUGE,
    state: 'normal',
    usedTokens: used,
    reportedTokens: 24_100,
    estimatedTailTokens: 700,
    percentUsed: 12.4,
    windowSource: 'assumed',
    next: { kind: 'autoCompact', tokens: 167_000 - used, turns: null },
  };
  return {
    view: {
      ...view,
      title: 'Say hello',
      turns: 1,
      gauge,
      categories: [
        { category: 'user', tokens: 40, measurement: 'estimate' },
        { category: 'assistant', tokens: 860, measurement: 'estimate' },
        { category: 'unattributed', tokens: 23_900, measurement: 'derived' },
      ],
      boundaries: [],
      timeline: null,
      sidechains: [],
      diagnostics: [],
      rows: { count: 2, activeCount: 2, maxTokens: 310 },
    },
    row: (index) => ({ ...row(index), active: true, canCompact: true }),
  };
}

/** Opened before the agent has written anything. */
export function emptySession(): Scenario {
  const { view, row } = freshSession();
  return {
    view: {
      ...view,
      title: '',
      turns: 0,
      categories: [],
      rows: { count: 0, activeCount: 0, maxTokens: 0 },
      gauge: {
        ...view.gauge,
        next: { kind: 'autoCompact', tokens: 167_000, turns: null },
        usedTokens: 0,
        percentUsed: 0,
        reportedTokens: null,
        measurement: 'estimate',
        estimatedTailTokens: 0,
      },
      canCompact: false,
    },
    row,
  };
}

/** The file went away while it was watched. */
export function problemSession(): Scenario {
  const { view, row } = usualSession();
  return { view: { ...view, live: false, problem: 'The transcript is no longer there. It may have been moved or deleted.' }, row };
}

/** Puts one text of a stranger wherever the page shows such a text. */
export function hostileSession(text: string): Scenario {
  const { view, row } = usualSession();
  return {
    view: {
      ...view,
      title: text,
      fileName: text,
      agentVersion: text,
      model: text,
      boundaries: view.boundaries.map((boundary) => ({ ...boundary, trigger: text, summary: text, timestamp: text })),
      sidechains: [{ id: text, messages: 1, usedTokens: 10 }],
      diagnostics: [{ line: 1, code: text, severity: 'error', detail: text }],
    },
    // The host cuts what a row shows (protocol/viewModel.ts).
    row: (index) => ({ ...row(index), preview: text.slice(0, 200), label: text.slice(0, 200) }),
  };
}

function at(rows: readonly RowView[], index: number): RowView {
  const row = rows[index];
  if (row === undefined) throw new Error(`There is no row ${index}.`);
  return row;
}
