import { carriesResults, toolResultText, type Message, type ToolResultBlock } from '../model/message';
import { toolNamesById } from '../model/toolNames';
import { utf8Length } from '../util/text';
import { isProofOf, isProofTool, LONGEST_PROOF_BYTES, proofOf, type ProofTool } from './proofs';

/** Tools whose output can be had again: files can be read, commands run and pages fetched once more. */
const CLEARABLE: ReadonlySet<string> = new Set(['Read', 'Bash', 'Grep', 'Glob', 'WebSearch', 'WebFetch', 'Write', 'Edit']);

/** What stands in the place of a cleared result. */
export const CLEARED_TEXT = '[An old tool result was cleared.]';

/** A tool result that may be cleared, in the order of the conversation. */
export interface Clearable {
  readonly block: ToolResultBlock;
  readonly messageIndex: number;
  readonly blockIndex: number;
  readonly text: string;
  /** What stands in its place: the mark, or the proof where the tool has one that is shorter. */
  readonly replacement: string;
  readonly isProof: boolean;
  /** It shows its replacement already. */
  readonly isCleared: boolean;
}

/**
 * The results that may be cleared. Never those of an id that any other tool was called with too, since an answer that a person typed cannot be
 * had again; and none of a proof tool whose proof is no shorter than its text (seed 2, microcompaction).
 */
export function clearableResults(messages: readonly Message[], withProofs: boolean): readonly Clearable[] {
  const names = toolNamesById(messages);
  return messages.flatMap((message, messageIndex) => {
    if (!carriesResults(message)) return [];
    return message.content.flatMap((block, blockIndex): readonly Clearable[] => {
      if (block.type !== 'toolResult') return [];
      const tools = names.get(block.toolUseId) ?? [];
      const clearable = clearableOf(block, tools, withProofs);
      return clearable === undefined ? [] : [{ ...clearable, messageIndex, blockIndex }];
    });
  });
}

type Found = Omit<Clearable, 'messageIndex' | 'blockIndex'>;

function clearableOf(block: ToolResultBlock, tools: readonly string[], withProofs: boolean): Found | undefined {
  const [tool, ...others] = tools;
  if (tool === undefined) return undefined;
  const text = toolResultText(block);
  if (tools.every((name) => CLEARABLE.has(name))) {
    return { block, text, replacement: CLEARED_TEXT, isProof: false, isCleared: block.content === CLEARED_TEXT };
  }
  return withProofs && others.length === 0 && isProofTool(tool) ? provable(block, tool, text) : undefined;
}

function provable(block: ToolResultBlock, tool: ProofTool, text: string): Found | undefined {
  if (isProofOf(tool, text)) return { block, text, replacement: text, isProof: true, isCleared: true };
  const replacement = proofOf(tool, block);
  const isShorter = utf8Length(replacement) < utf8Length(text) && utf8Length(replacement) <= LONGEST_PROOF_BYTES;
  return isShorter ? { block, text, replacement, isProof: true, isCleared: false } : undefined;
}
