// What the stand-in host answers about compactions of the past and about projections.
import type { BoundaryReportView, ProjectionAnswer, ProjectionItemView } from '../../../src/core/protocol/boundaryReportView';
import type { Handlers, PageRequests } from '../../../src/core/protocol/contract';
import type { SessionView } from '../../../src/core/protocol/viewModel';

export interface BoundaryOptions {
  /** Reports are refused, or never come. */
  readonly report?: 'fails' | 'waits';
  /** Replaces parts of each report. */
  readonly reportParts?: Partial<BoundaryReportView>;
  readonly projection?: 'fails' | 'waits' | 'none' | 'admitted';
}

/** Answers for the made-up session of the harness. `check` refuses a handle that is not open, `note` keeps what was asked. */
export function boundaryAnswers(
  options: BoundaryOptions,
  check: (handle: string) => SessionView,
  note: (name: string, params: unknown) => void,
): Pick<Handlers<PageRequests>, 'boundary/report' | 'projection/preview'> {
  return {
    'boundary/report': ({ handle, index }, signal) => {
      note('boundary/report', { index });
      const boundary = check(handle).boundaries[index];
      if (options.report === 'fails' || boundary === undefined) return Promise.reject(new Error('The file was changed while it was read.'));
      if (options.report === 'waits') return aborted(signal);
      return Promise.resolve({ ...(index === 0 ? FIRST : SECOND), index, ...options.reportParts });
    },
    'projection/preview': ({ handle }, signal) => {
      note('projection/preview', {});
      check(handle);
      if (options.projection === 'fails') return Promise.reject(new Error('The file was changed while it was read.'));
      if (options.projection === 'waits') return aborted(signal);
      return Promise.resolve(PROJECTIONS[options.projection ?? 'kept']);
    },
  };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('cancelled'))));
}

const FIRST: BoundaryReportView = {
  index: 0,
  before: [
    { category: 'user', tokens: 2_900 },
    { category: 'assistant', tokens: 29_800 },
    { category: 'toolResults', tokens: 96_812 },
    { category: 'unattributed', tokens: 37_300 },
  ],
  after: [
    { category: 'memory', tokens: 2_100 },
    { category: 'summary', tokens: 6_120 },
    { category: 'unattributed', tokens: 37_300 },
  ],
  tokensBefore: 166_812,
  tokensAfter: 45_520,
  summarizedCount: 36,
  keptCount: 0,
  clearedCount: 0,
  clearedRows: [],
  lost: { count: 0, groups: [] },
  faults: [],
  ofSummary: false,
  refill: null,
};

const SECOND: BoundaryReportView = {
  index: 1,
  before: [
    { category: 'summary', tokens: 6_120 },
    { category: 'user', tokens: 4_400 },
    { category: 'assistant', tokens: 21_300 },
    { category: 'toolResults', tokens: 72_088 },
    { category: 'unattributed', tokens: 37_300 },
  ],
  after: [
    { category: 'memory', tokens: 1_900 },
    { category: 'summary', tokens: 8_214 },
    { category: 'assistant', tokens: 850 },
    { category: 'toolResults', tokens: 5_800 },
    { category: 'unattributed', tokens: 37_300 },
  ],
  tokensBefore: 141_208,
  tokensAfter: 54_064,
  summarizedCount: 28,
  keptCount: 6,
  clearedCount: 2,
  clearedRows: [67, 69],
  lost: {
    count: 4,
    groups: [
      {
        kind: 'constraint',
        count: 1,
        items: [{ value: 'Never change the recorded usage.', messageId: 'm-038', index: 38 }],
      },
      {
        kind: 'file',
        count: 3,
        items: [
          { value: 'src/core/count.ts', messageId: 'm-042', index: 42 },
          { value: 'test/fixtures/usage.json', messageId: 'm-043', index: 43 },
        ],
      },
    ],
  },
  faults: [
    { kind: 'missingPreserved', ids: ['ef7d2f48-1267-4e8b-8a79-32422420b4bc', 'e6a01fda-2ee3-4490-85a8-8388f4a160e2'] },
    { kind: 'wrongOrder', ids: [] },
  ],
  ofSummary: true,
  refill: {
    turns: 2,
    tokens: 48_100,
    items: [
      { cause: 'repeatedCall', about: 'src/core/count.ts', tokens: 14_210, messageId: 'm-075', index: 75, sameAsIndex: 43 },
      { cause: 'largeResult', about: 'npm test -- --grep image', tokens: 12_630, messageId: 'm-080', index: 80, sameAsIndex: null },
      { cause: 'reread', about: 'test/fixtures/usage.json', tokens: 11_790, messageId: 'm-083', index: 83, sameAsIndex: 52 },
      { cause: 'newWork', about: 'Now write the failing test first.', tokens: 7_570, messageId: 'm-073', index: 73, sameAsIndex: null },
      { cause: 'reinjected', about: 'CLAUDE.md', tokens: 1_900, messageId: 'm-072', index: 72, sameAsIndex: null },
    ],
  },
};

const item = (
  index: number,
  tool: string,
  about: string,
  [tokensBefore, tokensAfter]: readonly [number, number],
  outcome: Pick<ProjectionItemView, 'form' | 'keptBecause'>,
): ProjectionItemView => ({
  toolUseId: `call-${index}`,
  messageId: `m-0${index}`,
  index,
  tool,
  about,
  tokensBefore,
  tokensAfter,
  ...outcome,
});

const whole = (keptBecause: ProjectionItemView['keptBecause']): Pick<ProjectionItemView, 'form' | 'keptBecause'> => ({
  form: 'whole',
  keptBecause,
});

const ITEMS: readonly ProjectionItemView[] = [
  item(75, 'Read', 'src/core/count.ts', [14_210, 420], { form: 'rewrite', keptBecause: null }),
  item(83, 'Read', 'test/fixtures/usage.json', [11_790, 130], { form: 'index', keptBecause: null }),
  item(80, 'Bash', 'npm test -- --grep image', [12_630, 12_630], whole('otherTool')),
  item(89, 'Grep', '“document” in src/', [6_810, 6_810], whole('newest')),
  item(92, 'Bash', 'npm test', [3_390, 3_390], whole('otherTool')),
];

const KEPT: ProjectionAnswer = {
  admitted: false,
  reason: 'cost',
  tokensBefore: 152_304,
  tokensAfter: 126_854,
  netSavingsUsd: -0.4931,
  resultCount: 9,
  items: ITEMS,
};

const PROJECTIONS: Readonly<Record<'kept' | 'admitted' | 'none', ProjectionAnswer>> = {
  kept: KEPT,
  admitted: { ...KEPT, admitted: true, reason: 'netSavings', netSavingsUsd: 0.1297 },
  none: {
    outcome: 'refusal',
    code: 'nothingToDo',
    message: 'There is no tool result in the context, so there is nothing that could be shortened.',
  },
};
