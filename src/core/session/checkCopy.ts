import { withClearedResults } from '../compaction/clearCandidates';
import { textOf, type Message } from '../model/message';
import type { Transcript } from '../model/transcript';
import { clearedBlocks } from './copy/clearedResults';
import { messagesAt, type CopyInput } from './copy/copyInput';
import { copiedMessages, copiedSummary } from './copy/copyWriter';
import { readTranscript } from '../transcript/readTranscript';

type CheckedInput = Pick<CopyInput, 'transcript' | 'plan' | 'summary' | 'cleared'>;

export interface CheckedCopy {
  /** The copy as a reader will see it. */
  readonly transcript: Transcript;
  /** Index of the boundary that is the copy's own; -1 where the format marks none. */
  readonly boundary: number;
  /** Id of the message that carries the summary; undefined where there is none. */
  readonly summaryId: string | undefined;
  /** What is wrong with it, for the log; empty when the copy may be published. */
  readonly faults: readonly string[];
}

/**
 * Reads the records of a copy back and compares them with the plan: the context is the summary, where there is one, and the kept messages,
 * each word for word but for what was cleared, in the plan's order; nothing was damaged on the way; no usage was carried over, so that the agent does not compact the copy at once.
 */
export function checkCopy({ transcript: source, plan, summary, cleared }: CheckedInput, records: readonly string[]): CheckedCopy {
  const bytes = new TextEncoder().encode(records.map((record) => `${record}\n`).join(''));
  const transcript = readTranscript(bytes, { format: source.format });
  const faults: string[] = [];
  const context = messagesAt(transcript, transcript.context);
  const form = summary === undefined ? undefined : copiedSummary(source.format, summary);
  const isSummary = (message: Message): boolean => form !== undefined && textOf(message) === form.text;
  const at = plan.order === 'summaryFirst' ? context.findIndex(isSummary) : context.findLastIndex(isSummary);
  const thanksAt = form?.thanks === undefined || at === -1 ? -1 : at + 1;
  if (form !== undefined && at === -1) faults.push('the summary is not in the context');
  else if (at !== -1 && at !== (plan.order === 'summaryFirst' ? leadingSystem(context) : context.length - (thanksAt === -1 ? 1 : 2)))
    faults.push('the summary stands in the wrong place');
  if (thanksAt !== -1 && textOf(context[thanksAt] ?? NO_MESSAGE) !== form?.thanks)
    faults.push('nothing stands for the answer to the summary');
  const blocksOf = clearedBlocks({ transcript: source, ...(cleared === undefined ? {} : { cleared }) });
  const kept = copiedMessages({ transcript: source, plan }).map((message) => {
    const blocks = blocksOf(message);
    return blocks === undefined ? message : withClearedResults(message, blocks);
  });
  const copied = context.filter((_, index) => index !== at && index !== thanksAt);
  if (kept.length !== copied.length) faults.push(`${kept.length} messages are kept but ${copied.length} were copied`);
  const shorter = Math.min(kept.length, copied.length);
  const different = kept.slice(0, shorter).findIndex((message, index) => !sameContent(message, copied[index]));
  if (different !== -1) faults.push(`kept message ${different} is not as it was`);
  if (context.some((message) => message.usage !== undefined)) faults.push('usage was carried over');
  if (transcript.reports?.some((report) => report.contextTokens > 0) === true) faults.push('usage was carried over');
  const known = new Set(source.diagnostics.map((diagnostic) => diagnostic.code));
  for (const { code, severity } of transcript.diagnostics) {
    if (severity !== 'info' && !known.has(code)) faults.push(`reading it back reports ${code}`);
  }
  const summaryId = context[at]?.id;
  const boundary = summaryId === undefined ? -1 : transcript.boundaries.findIndex((one) => one.summaryId === summaryId);
  return { transcript, boundary, summaryId, faults };
}

const NO_MESSAGE: Message = { id: '', role: 'assistant', kind: 'meta', content: [], line: 0 };

/** System messages of a chat stay before everything else. */
function leadingSystem(context: readonly Message[]): number {
  const first = context.findIndex((message) => message.role !== 'system' && message.role !== 'developer');
  return first === -1 ? context.length : first;
}

function sameContent(one: Message, other: Message | undefined): boolean {
  return other !== undefined && one.role === other.role && JSON.stringify(one.content) === JSON.stringify(other.content);
}
