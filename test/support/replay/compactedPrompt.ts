import { withClearedResults } from '../../../src/core/compaction/clearCandidates';
import type { MicroPlan } from '../../../src/core/compaction/microPlan';
import type { CompactionPlan } from '../../../src/core/compaction/plan';
import type { Message } from '../../../src/core/model/message';
import { messageIndex } from './billing';
import type { Piece } from './promptCache';

/** What the replay needs to know of a session to make a prompt of a plan. */
export interface PromptParts {
  readonly messages: readonly Message[];
  readonly sizeOf: (message: Message) => number;
  readonly summaryTokens: number;
}

/** A prompt after a compaction, from what it was: instructions of a chat and the system prompt stay ahead of a summary. */
export function compactedPrompt(prompt: readonly Piece[], plan: CompactionPlan | MicroPlan, parts: PromptParts): readonly Piece[] {
  if (plan.kind === 'micro') return prompt.map((piece) => clearedPiece(piece, plan, parts));
  const gone = new Set(plan.summarized);
  const rest = prompt.filter((piece) => {
    const index = messageIndex(piece);
    return index === undefined ? piece.key === 'system' : !gone.has(index);
  });
  const summary = { key: 'summary', tokens: parts.summaryTokens };
  if (plan.order === 'keptFirst') return [...rest, summary];
  const head = rest.findIndex((piece) => {
    const role = parts.messages[messageIndex(piece) ?? -1]?.role;
    return piece.key !== 'system' && role !== 'system' && role !== 'developer';
  });
  return head < 0 ? [...rest, summary] : [...rest.slice(0, head), summary, ...rest.slice(head)];
}

function clearedPiece(piece: Piece, { blocks }: MicroPlan, { messages, sizeOf }: PromptParts): Piece {
  const index = messageIndex(piece) ?? -1;
  const [texts, message] = [blocks.get(index), messages[index]];
  if (texts === undefined || message === undefined) return piece;
  return { key: `cleared ${index}`, tokens: Math.min(piece.tokens, sizeOf(withClearedResults(message, texts))) };
}
