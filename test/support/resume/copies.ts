// Copies of one session in every kind, and what an agent that resumes them has to send.
import { planMicro } from '../../../src/core/compaction/microPlan';
import { partitionFor } from '../../../src/core/compaction/strategies';
import { planOf } from '../../../src/core/compaction/strategies/partition';
import type { PlanInput } from '../../../src/core/compaction/planInput';
import { withClearedResults } from '../../../src/core/compaction/clearCandidates';
import { isText, isToolResult, isToolUse, textOf, toolResultText, type Message } from '../../../src/core/model/message';
import { checkCopy } from '../../../src/core/session/checkCopy';
import { clearedBlocks } from '../../../src/core/session/copy/clearedResults';
import { messagesAt, type CopyInput, type CopyPlan } from '../../../src/core/session/copy/copyInput';
import { buildCopy, copiedMessages } from '../../../src/core/session/copy/copyWriter';
import { readTranscript } from '../../../src/core/transcript/readTranscript';

export const SUMMARY = 'EXTERNAL-SUMMARY-MARK The pebble project was explored and its jars were counted.';
/** The turns that are kept or summarized together begin here. */
const PIVOT = 'TURN-3';

export interface AgentCopy {
  readonly variant: string;
  readonly records: readonly string[];
  readonly faults: readonly string[];
  readonly expected: Expected;
}

export interface Expected {
  /** Texts, calls and results of the new context in order, each as one line. */
  readonly order: readonly string[];
  /** Texts that the request may not hold: what was summarized or cleared. */
  readonly gone: readonly string[];
}

/** Builds the copies. `sessionId` answers the id of the n-th one. */
export function copiesOf(bytes: Uint8Array, sessionId: (index: number) => string, now: string, uuid: () => string): readonly AgentCopy[] {
  const transcript = readTranscript(bytes);
  const text = new TextDecoder().decode(bytes);
  const lines = text.split('\n');
  const { messages, context } = transcript;
  const plans: PlanInput = { messages, context, tokens: messages.map(() => 1000), unattributedTokens: 0, revision: 1 };
  const pivotId =
    messagesAt(transcript, context).findLast((message) => message.role === 'user' && textOf(message).includes(PIVOT))?.id ?? '';
  const partial = (kind: 'partialUpTo' | 'partialFrom'): CopyPlan => planned(partitionFor({ kind, pivotId }, plans), plans);
  const micro = planMicro({ keepResults: 1 }, plans, () => 1);
  if (micro.outcome === 'refusal') throw new Error(`no results to clear: ${micro.detail ?? micro.code}`);
  const variants: readonly (readonly [string, CopyPlan, CopyInput['cleared']])[] = [
    ['up_to', partial('partialUpTo'), undefined],
    ['from', partial('partialFrom'), undefined],
    ['full', planned(partitionFor({ kind: 'full', keepMessages: 2 }, plans), plans), undefined],
    ['micro', micro, micro.blocks],
  ];
  return variants.map(([variant, plan, cleared], index): AgentCopy => {
    const input: CopyInput = {
      transcript,
      plan,
      lines: (line) => lines[line - 1],
      lineCount: lines.length,
      document: text,
      summary: cleared === undefined ? SUMMARY : undefined,
      ...(cleared === undefined ? {} : { cleared }),
      newSessionId: sessionId(index),
      ids: { uuid },
      now,
      tokens: { before: 23_000, after: 1000 },
    };
    const { records } = buildCopy(input);
    return { variant, records, faults: checkCopy(input, records).faults, expected: expectedOf(input) };
  });
}

function planned(partition: ReturnType<typeof partitionFor>, input: PlanInput): CopyPlan {
  if (partition.outcome === 'refusal') throw new Error(`no plan: ${partition.detail ?? partition.code}`);
  return planOf(input, partition);
}

function expectedOf(input: CopyInput): Expected {
  const blocksOf = clearedBlocks(input);
  const kept = copiedMessages(input).filter(({ kind }) => kind === 'message');
  const shown = kept.map((message) => {
    const blocks = blocksOf(message);
    return blocks === undefined ? message : withClearedResults(message, blocks);
  });
  const items = shown.flatMap(itemsOf);
  const summary = input.summary === undefined ? [] : [`text ${SUMMARY}`];
  const order = input.plan.order === 'keptFirst' ? [...items, ...summary] : [...summary, ...items];
  const held = order.join('\n');
  const dropped = [...messagesAt(input.transcript, input.plan.summarized).filter(({ kind }) => kind === 'message'), ...kept]
    .flatMap(itemsOf)
    .filter((item) => !item.startsWith('call ') && !held.includes(item))
    .map((item) => item.slice(item.indexOf(' ') + 1));
  return { order, gone: [...new Set(dropped)] };
}

/** Lines of texts, calls and results. Thoughts are sent or left out as each agent likes. */
function itemsOf(message: Message): readonly string[] {
  return message.content.flatMap((block): readonly string[] => {
    if (isText(block)) return block.text.trim() === '' ? [] : [`text ${block.text.trim()}`];
    if (isToolUse(block)) return [`call ${block.name}`];
    return isToolResult(block) ? [`result ${toolResultText(block).trim()}`] : [];
  });
}
