import { carriesResults, toolResultText, type Message } from '../model/message';
import { toolNamesById } from '../model/toolNames';
import { offloadThreshold } from './offloadThreshold';
import { holdsMedia } from '../model/resultBlocks';

/** A tool result whose text counts towards the budget of its group. */
export interface Candidate {
  readonly toolUseId: string;
  readonly text: string;
  readonly messageIndex: number;
  readonly blockIndex: number;
  /** A second result for an id: the one decision for that id is about the first, so this one is never replaced. */
  readonly isRepeated: boolean;
  /** Its tool wants it left alone; it is not counted either. */
  readonly isExempt: boolean;
}

/**
 * The tool results that a budget looks at, in groups that reach a provider as one message: all between two responses of the assistant, also
 * where fragments of one response stand between them (R50). Left out: results without id, without text, and with media. Text that looks like a
 * saved output counts like any other, since only a record of ours proves that something was saved.
 */
export function candidateGroups(messages: readonly Message[], skipToolNames?: ReadonlySet<string>): readonly (readonly Candidate[])[] {
  const names = skipToolNames === undefined ? undefined : toolNamesById(messages);
  const taken = new Set<string>();
  const groups: Candidate[][] = [];
  let group: Candidate[] | undefined;
  let response: string | undefined;
  messages.forEach((message, messageIndex) => {
    if (!carriesResults(message)) {
      const isFragment = message.role === 'assistant' && message.messageId !== undefined && message.messageId === response;
      if (!isFragment) group = undefined;
      response = message.role === 'assistant' ? message.messageId : undefined;
      return;
    }
    message.content.forEach((block, blockIndex) => {
      if (block.type !== 'toolResult' || block.toolUseId === '' || holdsMedia(block)) return;
      const text = toolResultText(block);
      if (text === '') return;
      const { toolUseId } = block;
      const isSkipped = names?.get(toolUseId)?.some((name) => skipToolNames?.has(name)) === true;
      const isExempt = isSkipped || offloadThreshold(block.metadata) === undefined;
      if (group === undefined) groups.push((group = []));
      group.push({ toolUseId, text, messageIndex, blockIndex, isRepeated: taken.has(toolUseId), isExempt });
      taken.add(toolUseId);
    });
  });
  return groups;
}
