import type { InspectReport } from '../../core/view/inspectReport';
import { inspectFile } from '../../node/engine/inspectFile';
import { countOption, flag, onlyFile, parse, textOption } from '../args';
import { bar, gaugeLine, shortTokens, signed, table } from '../format';
import { EXIT, printJson, type CliIo, type ExitCode } from '../io';
import { inspectBoundary } from './boundary';

/** `inspect FILE [--window N] [--model ID] [--messages] [--json]`, or `inspect FILE --boundary N [--json]` */
export async function inspect(args: readonly string[], io: CliIo): Promise<ExitCode> {
  const { values, positionals } = parse(args, {
    window: { type: 'string' },
    model: { type: 'string' },
    messages: { type: 'boolean' },
    boundary: { type: 'string' },
    json: { type: 'boolean' },
  });
  const file = onlyFile('inspect', positionals);
  const windowTokens = countOption(values, 'window', 1);
  const model = textOption(values, 'model');
  const options = { ...(windowTokens === undefined ? {} : { windowTokens }), ...(model === undefined ? {} : { model }) };
  const boundary = countOption(values, 'boundary', 1);
  if (boundary !== undefined) return inspectBoundary(file, options, boundary, flag(values, 'json'), io);
  const report = await inspectFile(file, options, flag(values, 'messages'), io.signal);
  if (flag(values, 'json')) printJson(io, report);
  else io.out(humanReport(report));
  return EXIT.done;
}

function humanReport(report: InspectReport): string {
  const { usage, window, warning } = report;
  const lines = [
    report.file,
    [report.format, report.agentVersion, report.model].filter((part) => part !== null).join(' · '),
    '',
    gaugeLine(report),
  ];
  if (window.tokens !== null) lines.push(bar(usage.usedTokens / window.tokens));
  if (window.source !== null) lines.push(`window ${shortTokens(window.tokens ?? 0)} (${window.source})`);
  if (usage.reportedTokens !== null)
    lines.push(`reported ${shortTokens(usage.reportedTokens)} + estimated since ~${shortTokens(usage.estimatedTailTokens)}`);
  if (warning.autoCompactThresholdTokens !== null && warning.blockingLimitTokens !== null && warning.warningThresholdTokens !== null) {
    lines.push(
      `warning and error at ${shortTokens(warning.warningThresholdTokens)}, auto-compact at ${shortTokens(warning.autoCompactThresholdTokens)}, blocked at ${shortTokens(warning.blockingLimitTokens)}`,
    );
  }
  if (report.categories.length > 0) {
    lines.push('', table(report.categories.map((row) => [row.category, signed(row.tokens, row.measurement)])));
  }
  for (const boundary of report.boundaries) {
    const before = boundary.preTokens === null ? '?' : shortTokens(boundary.preTokens);
    const after = boundary.postTokens === null ? '?' : shortTokens(boundary.postTokens);
    const kept = boundary.preservedSegment === null ? '' : `, ${boundary.preservedSegment.count} preserved`;
    lines.push(
      '',
      `compaction ${boundary.index + 1}: ${boundary.trigger}, ${before} → ${after}${kept}${boundary.valid ? '' : ', incomplete'}`,
    );
  }
  if (report.sidechains.length > 0) lines.push('', `${report.sidechains.length} sub-agent conversations`);
  if (report.messages !== undefined) {
    lines.push(
      '',
      table(
        report.messages.map((m) => [
          String(m.index),
          m.active ? '●' : ' ',
          m.kind === 'message' ? m.role : m.kind,
          signed(m.tokens, m.measurement),
          m.preview,
        ]),
      ),
    );
  }
  for (const note of report.diagnostics) lines.push(`${note.severity}: ${note.line === 0 ? '' : `line ${note.line}: `}${note.code}`);
  return `${lines.join('\n')}\n`;
}
