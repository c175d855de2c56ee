// npm run bench -- boundary: reports on compactions of a session of 100,000 messages, and a projection of its context.
import type { CompactBoundary } from '../../src/core/model/boundary';
import type { ContentBlock, Message, Role } from '../../src/core/model/message';
import { boundaryReport } from '../../src/core/session/boundaryReport';
import { inspectTranscript, type Inspection } from '../../src/core/session/inspection';
import { projectionWhatIf } from '../../src/core/session/projectionWhatIf';
import { finish, type Steps } from '../../src/core/util/steps';
import { boundaryReportView } from '../../src/core/view/boundaryReport';
import { transcriptOf } from '../support/transcriptOf';
import { cpuMs, median, type Bench, type BenchCheck } from './bench';

const MESSAGES = 100_000;
/** More than any real session at hand has between two compactions but one. */
const STRETCH = 1000;
const LIMIT_MS = 300;

export const bench: Bench = {
  run() {
    const usual = session(STRETCH);
    const whole = session(MESSAGES);
    const count = usual.transcript.boundaries.length;
    const asked = [0, Math.floor(count / 2), count - 1];
    const times = asked.map((ordinal) => Array.from({ length: 5 }, () => cpuMs(() => reportOn(usual, ordinal))));
    const once = cpuMs(() => reportOn(whole, 0));
    const longest = longestStep(boundaryReport(usual, asked[1] ?? 0));
    const projection = cpuMs(() => projectionWhatIf(usual));
    const checks: BenchCheck[] = asked.map((ordinal, at) => ({
      label: `report on compaction ${ordinal + 1} of ${count}`,
      value: median(times[at] ?? []),
      atMost: LIMIT_MS,
      unit: 'ms',
    }));
    checks.push({ label: 'the projection of its context', value: projection, atMost: LIMIT_MS, unit: 'ms' });
    return Promise.resolve({
      columns: ['session of 100,000 messages', 'ms'],
      rows: [
        ...asked.map((ordinal, at) => [`compaction ${ordinal + 1} of ${count}, the first time`, times[at]?.[0] ?? 0]),
        ['the longest piece of such a report', longest],
        ['a single compaction of all of it', once],
        ['projection of the context', projection],
      ],
      checks,
      notes: [
        'There are 1,000 messages between two compactions; no window holds the 100,000 of the single one, which is a figure without a limit.',
      ],
    });
  },
};

function reportOn(inspection: Inspection, ordinal: number): void {
  const report = finish(boundaryReport(inspection, ordinal));
  if (report === undefined) throw new Error(`no boundary ${ordinal}`);
  boundaryReportView(inspection, report);
}

function longestStep(steps: Steps<unknown>): number {
  let longest = 0;
  for (;;) {
    const before = process.cpuUsage();
    const { done } = steps.next();
    const { user, system } = process.cpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
    if (done === true) return longest;
  }
}

/** Turns with readings, commands and answers that name things, compacted each `stretch` messages but at the end. */
function session(stretch: number): Inspection {
  const messages: Message[] = [];
  const boundaries: CompactBoundary[] = [];
  while (messages.length < MESSAGES) {
    messages.push(...turn(messages.length));
    if (messages.length - (boundaries.at(-1)?.index ?? 0) < stretch) continue;
    const index = messages.length;
    messages.push(made(index, 'system', [], 'boundary'), made(index + 1, 'user', [words(index, 60)], 'summary'));
    boundaries.push({
      index,
      id: `m${index}`,
      timestamp: undefined,
      trigger: 'auto',
      preTokens: undefined,
      postTokens: undefined,
      durationMs: undefined,
      summaryId: `m${index + 1}`,
      preservedSegment: undefined,
      valid: true,
    });
  }
  messages.push(...turn(messages.length));
  const from = boundaries.at(-1)?.index ?? -1;
  const context = messages.flatMap((_, index) => (index > from ? [index] : []));
  return inspectTranscript(transcriptOf(messages, { boundaries, context, model: 'claude-opus-4-5' }), {});
}

function turn(at: number): readonly Message[] {
  const path = `/repo/src/part${at % 977}/module${at % 4001}.ts`;
  const read: ContentBlock = { type: 'toolUse', id: `r${at}`, name: 'Read', input: { file_path: path } };
  const run: ContentBlock = { type: 'toolUse', id: `c${at}`, name: 'Bash', input: { command: `npm test -- --grep part${at % 977}` } };
  const answer = (id: string, lines: number): ContentBlock => ({
    type: 'toolResult',
    toolUseId: id,
    content: `const value${at} = ${at};\n`.repeat(lines),
  });
  return [
    made(at, 'user', [words(at, 2)]),
    made(at + 1, 'assistant', [words(at + 1, 2)]),
    made(at + 2, 'assistant', [read]),
    made(at + 3, 'user', [answer(`r${at}`, 40 + (at % 60))]),
    made(at + 4, 'assistant', [words(at + 4, 1), run]),
    made(at + 5, 'user', [answer(`c${at}`, 5 + (at % 20))]),
    made(at + 6, 'assistant', [words(at + 6, 3)]),
  ];
}

function words(at: number, sentences: number): ContentBlock {
  const text = Array.from(
    { length: sentences },
    (_, more) => `The parser of part${at + more} keeps readRecord${at % 313} and reports ${at * 7} lines of src/a${at % 89}.ts.`,
  );
  return { type: 'text', text: text.join(' ') };
}

function made(at: number, role: Role, content: readonly ContentBlock[], kind: Message['kind'] = 'message'): Message {
  return { id: `m${at}`, role, kind, content, line: at + 1 };
}
