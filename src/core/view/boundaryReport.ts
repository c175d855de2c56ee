import { CATEGORIES } from '../model/category';
import type { BoundaryReportView, ChainFaultView, RefillItemView } from '../protocol/boundaryReportView';
import type { PlanPartView } from '../protocol/planView';
import type { BoundaryReport } from '../session/boundaryReport';
import type { ContextSize } from '../session/boundaryReportSizes';
import type { Inspection } from '../session/inspection';
import type { Refill } from '../session/refill';
import { oneLine } from '../util/text';
import { lostView } from './lostView';

const MAX_FAULT_IDS = 20;
const MAX_REFILL_ITEMS = 50;
const MAX_CLEARED_ROWS = 50;
const ABOUT_UNITS = 200;

/** The report on a boundary as the page shows it. */
export function boundaryReportView({ transcript: { messages } }: Inspection, report: BoundaryReport): BoundaryReportView {
  const { contexts, sizes, cleared, lost, faults, refill } = report;
  const rows = new Map([...contexts.left].reverse().map((index) => [messages[index]?.id ?? '', index]));
  return {
    index: report.ordinal,
    before: partsOf(sizes.before),
    after: partsOf(sizes.after),
    tokensBefore: sizes.before.tokens,
    tokensAfter: sizes.after.tokens,
    summarizedCount: contexts.left.length,
    keptCount: contexts.kept.length,
    clearedCount: cleared.length,
    clearedRows: cleared.slice(0, MAX_CLEARED_ROWS),
    lost: lost === undefined ? null : lostView(lost, (id) => rows.get(id)),
    faults: faults.map(({ kind, ids }): ChainFaultView => ({
      kind,
      ids: ids.slice(0, MAX_FAULT_IDS).map((id) => oneLine(id, ABOUT_UNITS)),
    })),
    ofSummary: report.ofSummary,
    refill: refill === undefined ? null : refillView(refill, (index) => messages[index]?.id ?? ''),
  };
}

function partsOf({ categories }: ContextSize): readonly PlanPartView[] {
  const tokens = new Map(categories.map((entry) => [entry.category, entry.tokens]));
  return CATEGORIES.map((category) => ({ category, tokens: tokens.get(category) ?? 0 })).filter((part) => part.tokens > 0);
}

function refillView({ turns, tokens, items }: Refill, idOf: (index: number) => string): NonNullable<BoundaryReportView['refill']> {
  return {
    turns,
    tokens,
    items: items.slice(0, MAX_REFILL_ITEMS).map((item): RefillItemView => ({
      cause: item.cause,
      about: oneLine(item.about, ABOUT_UNITS),
      tokens: item.tokens,
      messageId: idOf(item.index),
      index: item.index,
      sameAsIndex: item.sameAs ?? null,
    })),
  };
}
