import type { HistoryEntryView, PlanRequestView } from '../protocol/planView';
import { resumeCommand } from '../session/copy/copyName';
import type { HistoryRecord } from '../session/historyRecord';
import { oneLine } from '../util/text';

const NAME_UNITS = 200;

/** What is known of an entry beside its record. */
export interface HistoryFacts {
  readonly copyPath: string;
  /** Name of the original's file. */
  readonly sourceName: string;
  readonly copy: HistoryEntryView['copy'];
  readonly source: HistoryEntryView['source'];
  readonly role: HistoryEntryView['role'];
}

/** A compaction as the page lists it. The command is made of an id of ours and the copy's place, never of what the record says of commands. */
export function historyEntryView(record: HistoryRecord, facts: HistoryFacts): HistoryEntryView {
  return {
    id: record.id,
    createdAt: record.createdAt,
    kind: record.kind,
    sourceName: oneLine(facts.sourceName, NAME_UNITS),
    fileName: oneLine(record.copy.name, NAME_UNITS),
    tokensBefore: record.tokensBefore,
    tokensAfter: record.tokensAfter,
    summarizer: record.summarizer,
    model: record.model === null ? null : oneLine(record.model, NAME_UNITS),
    usd: record.cost?.usd ?? null,
    copy: facts.copy,
    source: facts.source,
    role: facts.role,
    resume: facts.copy === 'missing' ? null : resumeCommand(record.format, record.id, facts.copyPath),
  };
}

/** The request by which the same compaction is previewed again on the original. */
export function requestAgain({ kind, request }: Pick<HistoryRecord, 'kind' | 'request'>): PlanRequestView {
  const keep = request.keepMessages === null ? {} : { keepMessages: request.keepMessages };
  const pivot = request.pivotId === null ? {} : { pivotId: request.pivotId };
  return kind === 'full' ? { kind, ...keep } : { kind, ...pivot };
}
