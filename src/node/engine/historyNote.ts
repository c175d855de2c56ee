import { HISTORY_SCHEMA, type HistoryRecord, type HistoryRequest } from '../../core/session/historyRecord';
import { VERSION } from '../version';
import type { CopyJob } from './writeCompactedCopy';

/** What a compaction that is about to be written is noted as. All it says of the plan is ids. */
export function historyRecordOf(
  { plan, inspection, options }: CopyJob,
  facts: Pick<HistoryRecord, 'id' | 'createdAt' | 'source' | 'copy' | 'summary' | 'summaryId' | 'cost' | 'tokensBefore' | 'tokensAfter'>,
): HistoryRecord {
  const { messages, format } = inspection.transcript;
  const idsOf = (indexes: readonly number[]): string[] => indexes.map((index) => messages[index]?.id ?? '');
  const { summarizer, model } = plan.kind === 'micro' ? NOBODY : (options.writtenBy ?? NOBODY);
  return {
    schema: HISTORY_SCHEMA,
    version: VERSION,
    ...facts,
    format,
    kind: plan.kind,
    request: requestOf({ plan, inspection }),
    summarizedIds: idsOf(plan.summarized),
    keptIds: idsOf(plan.kept),
    clearedIds: plan.kind === 'micro' ? plan.cleared.map(({ toolUseId }) => toolUseId) : [],
    order: plan.order,
    summarizer,
    model,
  };
}

const NOBODY: Pick<HistoryRecord, 'summarizer' | 'model'> = { summarizer: 'offline', model: null };

/** The request by which the same plan is made again. */
function requestOf({ plan, inspection }: Pick<CopyJob, 'plan' | 'inspection'>): HistoryRequest {
  const { messages, context } = inspection.transcript;
  switch (plan.kind) {
    case 'full':
      return { pivotId: null, keepMessages: Math.max(1, context.length - plan.requestedCut) };
    case 'partialUpTo':
    case 'partialFrom':
      return { pivotId: messages[context[plan.requestedCut] ?? -1]?.id ?? null, keepMessages: null };
    case 'micro':
      return { pivotId: null, keepMessages: null };
  }
}
