// Plans of the stand-in host over the made-up rows: the sums are real, the strategies simple.
import type {
  ClearableView,
  CostView,
  LostView,
  MicroPlanView,
  PlanPartView,
  PlanRequestView,
  PlanView,
  SafetyView,
} from '../../../src/core/protocol/planView';
import type { Category, GaugeView, RowView, WindowState } from '../../../src/core/protocol/viewModel';

export interface PlanFacts {
  readonly planId: string;
  readonly revision: number;
  readonly rowCount: number;
  /** All rows in order. */
  readonly rows: readonly RowView[];
  readonly gauge: GaugeView;
  readonly pinned: ReadonlySet<string>;
  readonly lost: LostView | undefined;
  /** Text of the offline summary, and of what stands in results; undefined for a usual one. */
  readonly text: string | undefined;
  readonly cost: CostView | null | undefined;
  readonly ofSummary: boolean;
  /** Tool results that are made up beyond those of the rows. */
  readonly moreResults: number;
}

const SUMMARY_TOKENS = 6_500;
/** Most that a summary takes, which is what the figures alone reckon with. */
const SUMMARY_LIMIT = 8_000;
const MARK_TOKENS = 12;
const LEAST = 2;

/** The plan for a request, or a refusal in the product's words. */
export function fakePlan(request: PlanRequestView, facts: PlanFacts): PlanView {
  if (request.kind === 'micro') return microPlan(request.clear, facts);
  const context = facts.rows.filter((row) => row.active);
  const pivot = pivotOf(request, context);
  if (pivot < 0) return { outcome: 'refusal', code: 'notFound', message: 'This message is not in the context any more.' };
  const cut = safeCut(context, pivot);
  const isFrom = request.kind === 'partialFrom';
  const inRange = new Set(isFrom ? context.slice(cut) : context.slice(0, cut));
  const summarized = context.filter((row) => inRange.has(row) && !facts.pinned.has(row.id));
  const kept = context.filter((row) => !inRange.has(row) || facts.pinned.has(row.id));
  if (summarized.length < LEAST) {
    return {
      outcome: 'refusal',
      code: 'notEnoughMessages',
      message: 'There are not enough messages to summarize here. Choose a later message.',
    };
  }
  const fixed = Math.max(0, facts.gauge.usedTokens - sum(context));
  const summaryTokens = request.figuresOnly === true ? SUMMARY_LIMIT : summarySize(request);
  const tokensAfter = fixed + sum(kept) + summaryTokens;
  const isEarly = request.figuresOnly === true;
  return {
    outcome: 'plan',
    planId: facts.planId,
    revision: facts.revision,
    kind: request.kind,
    ...(isEarly ? { figuresOnly: true } : {}),
    pivotIndex: request.kind === 'full' ? null : (context[pivot]?.index ?? null),
    cutIndex: context[cut]?.index ?? facts.rowCount,
    cutPosition: cut,
    previousPosition: neighbour(context, cut, -1, isFrom),
    nextPosition: neighbour(context, cut, 1, isFrom),
    contextCount: context.length,
    keptTurns: kept.filter((row) => row.kind === 'user').length,
    refillTurns: refill(facts.gauge, tokensAfter),
    cost: facts.cost === undefined ? costOf(request, { fixed, summarized: sum(summarized), summaryTokens, tokensAfter }) : facts.cost,
    ofSummary: facts.ofSummary,
    safety: isEarly ? [] : safetyOf(context, inRange),
    movedBecause: cut === pivot ? null : 'keptTogether',
    summarizedIds: summarized.map((row) => row.id),
    keptIds: kept.map((row) => row.id),
    summarizedCount: summarized.length,
    keptCount: kept.length,
    summarizedFrom: summarized[0]?.index ?? 0,
    summarizedTo: summarized.at(-1)?.index ?? 0,
    tokensBefore: fixed + sum(context),
    tokensKept: sum(kept),
    tokensSummarized: sum(summarized),
    unattributedTokens: 0,
    summaryTokens,
    tokensAfter,
    before: parts(context, fixed, 0),
    after: parts(kept, fixed, summaryTokens),
    stateAfter: stateAt(facts.gauge, tokensAfter),
    summaryPreview: isEarly
      ? ''
      : (facts.text ?? 'The user asked why the token counter drifts.\n\nFiles read: src/core/count.ts, test/fixtures/usage.json'),
    lost: isEarly ? { count: 0, groups: [] } : (facts.lost ?? usualLost(facts.text)),
  };
}

/** Some of each sort, with the session's own text among them; the files are more than are listed. */
export function usualLost(text: string | undefined): LostView {
  const files = Array.from({ length: 120 }, (_, at) => ({ value: `src/core/part-${at}.ts`, messageId: 'm-074', index: 74 }));
  const names = [{ value: text ?? 'countBlock', messageId: 'm-085', index: 85 }];
  return {
    count: 143,
    groups: [
      { kind: 'constraint', count: 1, items: [{ value: 'Never change the recorded usage.', messageId: 'm-073', index: 73 }] },
      { kind: 'file', count: 141, items: files },
      { kind: 'identifier', count: 1, items: names },
    ],
  };
}

function pivotOf(request: PlanRequestView, context: readonly RowView[]): number {
  const { kind, pivotId, position, keepTurns, keepTokens, keepMessages = 10 } = request;
  const end = context.length;
  if (kind === 'full') return Math.max(0, end - keepMessages);
  if (pivotId !== undefined) return context.findIndex((row) => row.id === pivotId);
  if (position !== undefined) return Math.min(position, end);
  if (keepTurns !== undefined) {
    const starts = context.flatMap((row, at) => (row.kind === 'user' ? [at] : []));
    return keepTurns === 0 ? end : (starts[starts.length - keepTurns] ?? 0);
  }
  let at = end;
  for (let kept = 0; at > 0 && kept < (keepTokens ?? 0); at--) kept += context[at - 1]?.tokens ?? 0;
  return at;
}

/** A result stays with its call. */
function safeCut(context: readonly RowView[], at: number): number {
  return context[at]?.kind === 'toolResult' ? Math.max(0, at - 1) : at;
}

function neighbour(context: readonly RowView[], cut: number, step: 1 | -1, isFrom: boolean): number | null {
  const [low, high] = isFrom ? [0, context.length - LEAST] : [LEAST, context.length];
  for (let at = cut + step; at >= low && at <= high; at += step) if (safeCut(context, at) === at) return at;
  return null;
}

function summarySize({ summarizer = 'offline', detail = 'normal' }: PlanRequestView): number {
  const factor = detail === 'brief' ? 0.5 : detail === 'full' ? 1.5 : 1;
  return Math.round((summarizer === 'offline' ? SUMMARY_TOKENS : SUMMARY_LIMIT) * factor);
}

interface CostFacts {
  readonly fixed: number;
  readonly summarized: number;
  readonly summaryTokens: number;
  readonly tokensAfter: number;
}

const PER_MILLION = 1_000_000;
const PRICES = { input: 1.25, output: 10, cacheRead: 0.5, cacheWrite: 6.25 } as const;

function costOf({ summarizer = 'offline' }: PlanRequestView, { fixed, summarized, summaryTokens, tokensAfter }: CostFacts): CostView {
  const isCalled = summarizer !== 'offline';
  const input = isCalled ? summarized + 1_200 : 0;
  const output = isCalled ? summaryTokens : 0;
  const rewrite = tokensAfter - fixed;
  const saved = summarized - summaryTokens;
  const summaryUsd = (input * PRICES.input + output * PRICES.output) / PER_MILLION;
  const rewriteUsd = (rewrite * PRICES.cacheWrite) / PER_MILLION;
  const savedUsdPerTurn = (saved * PRICES.cacheRead) / PER_MILLION;
  const usd = summaryUsd + rewriteUsd;
  return {
    summaryInputTokens: input,
    summaryOutputTokens: output,
    cacheKeptTokens: fixed,
    cacheRewriteTokens: rewrite,
    savedTokensPerTurn: saved,
    summaryUsd,
    rewriteUsd,
    savedUsdPerTurn,
    usd,
    paysBackAfterTurns: savedUsdPerTurn > 0 ? usd / savedUsdPerTurn : null,
    priceSource: 'catalogue',
    priceModel: 'claude-opus-4',
  };
}

function safetyOf(context: readonly RowView[], inRange: ReadonlySet<RowView>): readonly SafetyView[] {
  const fate = (row: RowView, quoted: boolean): SafetyView['fate'] => (!inRange.has(row) ? 'kept' : quoted ? 'quoted' : 'atRisk');
  const last = context.findLast((row) => row.kind === 'user');
  const constraint = context.find((row) => row.kind === 'user');
  const call = context.findLast((row) => row.kind === 'toolUse');
  const view = (kind: SafetyView['kind'], row: RowView | undefined, quoted: boolean): readonly SafetyView[] =>
    row === undefined
      ? []
      : [{ kind, text: `${row.label} ${row.preview}`.trim(), messageId: row.id, index: row.index, fate: fate(row, quoted) }];
  return [...view('openCall', call, false), ...view('lastRequest', last, true), ...view('constraint', constraint, false)];
}

function microPlan(clear: readonly string[] | undefined, facts: PlanFacts): PlanView {
  const context = facts.rows.filter((row) => row.active);
  const found = clearable(context, facts);
  const chosen = new Set(clear ?? found.filter((one) => one.protection === null && one.reason !== 'none').map((one) => one.toolUseId));
  const results = found.map((one) => ({ ...one, chosen: chosen.has(one.toolUseId) && one.protection !== 'pinned' }));
  const cleared = results.filter((one) => one.chosen);
  const freed = cleared.reduce((total, one) => total + Math.max(0, one.tokens - MARK_TOKENS), 0);
  const before = Math.max(facts.gauge.usedTokens, sum(context));
  const fixed = Math.max(0, facts.gauge.usedTokens - sum(context));
  const ids = new Set(cleared.map((one) => one.messageId));
  const left = context.map((row) => (ids.has(row.id) ? { ...row, tokens: MARK_TOKENS } : row));
  const plan: MicroPlanView = {
    outcome: 'micro',
    kind: 'micro',
    planId: facts.planId,
    revision: facts.revision,
    contextCount: context.length,
    tokensBefore: before,
    unattributedTokens: 0,
    tokensAfter: before - freed,
    before: parts(context, fixed, 0),
    after: parts(left, fixed, 0),
    stateAfter: stateAt(facts.gauge, before - freed),
    refillTurns: refill(facts.gauge, before - freed),
    cost:
      facts.cost === undefined
        ? costOf({ kind: 'micro' }, { fixed, summarized: freed, summaryTokens: 0, tokensAfter: before - freed })
        : facts.cost,
    results: results.slice(0, 500),
    resultCount: results.length,
    clearedCount: cleared.length,
    freedTokens: freed,
    problem: null,
  };
  return plan;
}

function clearable(context: readonly RowView[], { pinned, text, moreResults }: PlanFacts): readonly ClearableView[] {
  const rows = context.filter((row) => row.kind === 'toolResult');
  const own = rows.map((row, at): ClearableView => {
    const call = context.find((one) => one.index === row.index - 1);
    const isNewest = at >= rows.length - 2;
    return {
      toolUseId: `call-${row.index}`,
      messageId: row.id,
      index: row.index,
      tool: row.label,
      about: text ?? call?.preview ?? '',
      tokens: row.tokens,
      turnsAgo: context.filter((one) => one.kind === 'user' && one.index > row.index).length,
      reason: isNewest ? 'none' : row.isError ? 'error' : row.label === 'Read' ? 'superseded' : 'old',
      protection: pinned.has(row.id) ? 'pinned' : isNewest ? 'newest' : row.hasMedia ? 'media' : null,
      chosen: false,
    };
  });
  const more = Array.from({ length: moreResults }, (_, at): ClearableView => ({
    toolUseId: `more-${at}`,
    messageId: rows[0]?.id ?? '',
    index: rows[0]?.index ?? 0,
    tool: 'Read',
    about: `src/part-${at}.ts`,
    tokens: 900,
    turnsAgo: 12,
    reason: at % 2 === 0 ? 'changed' : 'duplicate',
    protection: null,
    chosen: false,
  }));
  return [...own, ...more].sort((a, b) => b.tokens - a.tokens);
}

function parts(list: readonly RowView[], fixed: number, summary: number): readonly PlanPartView[] {
  const of = (category: Category): number => sum(list.filter((row) => row.category === category));
  return [
    { category: 'tools', tokens: fixed },
    { category: 'summary', tokens: summary + of('summary') },
    { category: 'user', tokens: of('user') },
    { category: 'assistant', tokens: of('assistant') },
    { category: 'toolResults', tokens: of('toolResults') },
  ];
}

function stateAt({ limits, windowTokens }: GaugeView, tokens: number): WindowState {
  if (windowTokens === null) return 'unknown';
  return limits.filter(({ at }) => tokens >= at).at(-1)?.kind ?? 'normal';
}

function refill({ limits }: GaugeView, tokens: number): number | null {
  const limit = limits.find(({ kind }) => kind === 'autoCompact');
  return limit === undefined || tokens >= limit.at ? null : Math.round((limit.at - tokens) / 4_900);
}

function sum(list: readonly RowView[]): number {
  return list.reduce((total, row) => total + row.tokens, 0);
}
