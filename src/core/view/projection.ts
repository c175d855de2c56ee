import type { ProjectionItemView, ProjectionView } from '../protocol/boundaryReportView';
import type { Inspection } from '../session/inspection';
import type { ProjectedResult, ProjectionWhatIf } from '../session/projectionWhatIf';
import { oneLine } from '../util/text';

const MAX_ITEMS = 200;
const ABOUT_UNITS = 200;
const TOOL_UNITS = 60;

/** A projection as the page shows it. */
export function projectionView({ transcript }: Inspection, whatIf: ProjectionWhatIf): ProjectionView {
  const { admitted, reason, tokensBefore, tokensAfter, netSavingsUsd, results } = whatIf;
  const itemOf = ({ index, tool, about, keptBecause, ...result }: ProjectedResult): ProjectionItemView => ({
    ...result,
    messageId: transcript.messages[index]?.id ?? '',
    index,
    tool: oneLine(tool, TOOL_UNITS),
    about: oneLine(about, ABOUT_UNITS),
    keptBecause: keptBecause ?? null,
  });
  return {
    admitted,
    reason,
    tokensBefore,
    tokensAfter,
    netSavingsUsd: netSavingsUsd ?? null,
    resultCount: results.length,
    items: results.slice(0, MAX_ITEMS).map(itemOf),
  };
}
