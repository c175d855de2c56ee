// Where ccusage counts by other rules than we do, and by how much for one file. Worked out from the raw file, not from our reader.
import { field, isRecord, numberOf, recordOf, stringOf } from '../../src/core/util/json';
import type { CcusageTotals } from './ccusage';

export type CcusageRule =
  /** `progress` records repeat the messages of sub-agents and are counted; theirs are the sub-agents' own files, and we leave them out. */
  | 'progressRecords'
  /** What a fork copied from its parent is left out; we show what this file states, since the parent may not be there. */
  | 'copyOfParent';

export type CcusageDifferences = Readonly<Record<CcusageRule, CcusageTotals>>;

const NOTHING: CcusageTotals = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheCreationTokens: 0 };

/** What each rule adds to our totals of a file. */
export function ccusageDifferences(text: string): CcusageDifferences {
  const records = text.split('\n').flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return isRecord(value) ? [value] : [];
    } catch {
      return [];
    }
  });
  return {
    progressRecords: progress(records),
    copyOfParent: copied(records),
  };
}

export function sumOf(totals: readonly CcusageTotals[]): CcusageTotals {
  return totals.reduce(
    (sum, one) => ({
      inputTokens: sum.inputTokens + one.inputTokens,
      outputTokens: sum.outputTokens + one.outputTokens,
      cacheReadTokens: sum.cacheReadTokens + one.cacheReadTokens,
      cacheCreationTokens: sum.cacheCreationTokens + one.cacheCreationTokens,
    }),
    NOTHING,
  );
}

type Raw = Readonly<Record<string, unknown>>;

function progress(records: readonly Raw[]): CcusageTotals {
  const latest = new Map<string, CcusageTotals>();
  for (const record of records) {
    const data = record['type'] === 'progress' ? recordOf(record, 'data') : undefined;
    const outer = data === undefined ? undefined : recordOf(data, 'message');
    const message = outer === undefined ? undefined : recordOf(outer, 'message');
    const usage = message === undefined ? undefined : recordOf(message, 'usage');
    if (outer === undefined || message === undefined || usage === undefined) continue;
    const key = `${stringOf(message, 'id') ?? ''} ${stringOf(outer, 'requestId') ?? ''}`;
    const totals = anthropicTotals(usage);
    const known = latest.get(key);
    if (known === undefined || totals.outputTokens >= known.outputTokens) latest.set(key, totals);
  }
  return sumOf([...latest.values()]);
}

/** A fork writes its parent's events at one moment, before its own first one. */
const BURST_MS = 1000;

function copied(records: readonly Raw[]): CcusageTotals {
  const [first] = records;
  const head = first === undefined ? undefined : recordOf(first, 'payload');
  if (first === undefined || head === undefined || stringOf(head, 'forked_from_id') === undefined) return NOTHING;
  const start = Date.parse(stringOf(first, 'timestamp') ?? '');
  let before = '';
  const parts: CcusageTotals[] = [];
  for (const record of records) {
    if (!(Date.parse(stringOf(record, 'timestamp') ?? '') - start < BURST_MS)) break;
    const payload = recordOf(record, 'payload');
    const info = payload === undefined ? undefined : recordOf(payload, 'info');
    const last = info === undefined ? undefined : recordOf(info, 'last_token_usage');
    const total = JSON.stringify(info === undefined ? undefined : field(info, 'total_token_usage'));
    if (last === undefined || total === before) continue;
    before = total;
    const cacheReadTokens = numberOf(last, 'cached_input_tokens') ?? 0;
    const inputTokens = (numberOf(last, 'input_tokens') ?? 0) - cacheReadTokens;
    parts.push({ inputTokens, outputTokens: numberOf(last, 'output_tokens') ?? 0, cacheReadTokens, cacheCreationTokens: 0 });
  }
  return negative(sumOf(parts));
}

function anthropicTotals(usage: Raw): CcusageTotals {
  return {
    inputTokens: numberOf(usage, 'input_tokens') ?? 0,
    outputTokens: numberOf(usage, 'output_tokens') ?? 0,
    cacheReadTokens: numberOf(usage, 'cache_read_input_tokens') ?? 0,
    cacheCreationTokens: numberOf(usage, 'cache_creation_input_tokens') ?? 0,
  };
}

function negative({ inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens }: CcusageTotals): CcusageTotals {
  return {
    inputTokens: 0 - inputTokens,
    outputTokens: 0 - outputTokens,
    cacheReadTokens: 0 - cacheReadTokens,
    cacheCreationTokens: 0 - cacheCreationTokens,
  };
}
