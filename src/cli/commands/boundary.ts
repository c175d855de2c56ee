import type { BoundaryReportView, ChainFaultView, RefillItemView } from '../../core/protocol/boundaryReportView';
import type { LostView } from '../../core/protocol/planView';
import type { InspectOptions } from '../../node/engine/contract';
import { reportBoundary } from '../../node/engine/boundaryFile';
import { shortTokens, table } from '../format';
import { EXIT, printJson, usageError, type CliIo, type ExitCode } from '../io';

/** `inspect FILE --boundary N [--json]`: what the N-th compaction of a session did, 1 first. */
export async function inspectBoundary(
  file: string,
  options: InspectOptions,
  number: number,
  asJson: boolean,
  io: CliIo,
): Promise<ExitCode> {
  const { count, report } = await reportBoundary(file, options, number - 1, io.signal);
  if (report === undefined) {
    const has = count === 0 ? 'has not been compacted' : count === 1 ? 'has one' : `has ${count}`;
    throw usageError(`There is no compaction ${number}; this session ${has}.`);
  }
  if (asJson) printJson(io, { schema: 'context-inspector/boundary/v1', file, ...report });
  else io.out(humanReport(file, number, report));
  return EXIT.done;
}

function humanReport(file: string, number: number, report: BoundaryReportView): string {
  const { tokensBefore, tokensAfter, summarizedCount, keptCount, clearedRows, faults, lost, refill } = report;
  const before = tokensBefore === 0 ? 'what was before it stands in another file' : `~${shortTokens(tokensBefore)}`;
  const lines = [
    file,
    `compaction ${number}: ${before} → ~${shortTokens(tokensAfter)}`,
    `${summarizedCount} messages left the context, ${keptCount} stayed word for word${report.ofSummary ? '; an earlier summary was summarized again' : ''}`,
    '',
    partsTable(report),
  ];
  if (clearedRows.length > 0)
    lines.push('', `results cleared or shortened (they still stand before it): ${clearedRows.map((row) => `#${row}`).join(' ')}`);
  lines.push('', ...(faults.length === 0 ? ['the records around it hang together'] : faults.map(faultLine)));
  lines.push('', ...lostLines(lost));
  if (refill === null) lines.push('', 'nothing has come behind it yet');
  else
    lines.push(
      '',
      `came back since: ~${shortTokens(refill.tokens)} in ${refill.turns} turn${refill.turns === 1 ? '' : 's'}, largest first`,
      table(refill.items.slice(0, MOST_LINES).map(refillRow)),
    );
  return `${lines.join('\n')}\n`;
}

function partsTable({ before, after }: BoundaryReportView): string {
  const names = [...new Set([...before, ...after].map(({ category }) => category))];
  const cell = (parts: typeof before, name: (typeof names)[number]): string =>
    `~${shortTokens(parts.find(({ category }) => category === name)?.tokens ?? 0)}`;
  return table(names.map((name) => [name, cell(before, name), cell(after, name)]));
}

function faultLine({ kind, ids }: ChainFaultView): string {
  return `fault: ${FAULTS[kind]}${ids.length === 0 ? '' : ` (${ids.join(', ')})`}`;
}

const FAULTS = {
  missingParent: 'a record names a parent that is not in the file',
  missingSummary: 'the summary is not in the file',
  missingPreserved: 'messages that it says it kept are not in the file',
  stalePreserved: 'it keeps messages that had left the context already',
  duplicateId: 'records have an id that another one has',
  wrongOrder: 'records stand in another order than their links say',
} as const satisfies Record<ChainFaultView['kind'], string>;

function lostLines(lost: LostView | null): readonly string[] {
  if (lost === null) return ['nobody can tell what was lost: the file holds no summary that can be read'];
  if (lost.count === 0) return ['nothing was found that the context behind it does not state'];
  const items = lost.groups.flatMap(({ kind, items: list }) =>
    list.map(({ value, index }) => [kind, index === null ? '' : `#${index}`, value]),
  );
  const shown = items.slice(0, MOST_LINES);
  const more = lost.count > shown.length ? [`and ${lost.count - shown.length} more`] : [];
  return [`not stated any more: ${lost.count}`, table(shown), ...more];
}

function refillRow({ cause, about, tokens, index, sameAsIndex }: RefillItemView): readonly string[] {
  return [`~${shortTokens(tokens)}`, `#${index}`, CAUSES[cause], sameAsIndex === null ? about : `${about} (before: #${sameAsIndex})`];
}

const CAUSES = {
  repeatedCall: 'same call again',
  reread: 'same file again',
  largeResult: 'large new result',
  reinjected: 'put back by the agent',
  newWork: 'new work',
} as const satisfies Record<RefillItemView['cause'], string>;

const MOST_LINES = 20;
