import { isToolResult, isToolUse, type Message, type ToolResultBlock } from '../model/message';

/** Where a call began. */
export interface CallPlace {
  readonly index: number;
}

/** Hears of a result in the message at `index`, and of the call that it answers; undefined for one whose call is nowhere before it. */
export type AnswerSink = (block: ToolResultBlock, index: number, call: CallPlace | undefined) => void;

/**
 * Tells of every tool result which call it answers. An id that is used again after its answer begins a new call; one used twice while open is one
 * call that began earlier. A result may be told twice. Linear (R01).
 */
export function forEachAnswer(messages: readonly Message[], tell: AnswerSink): void {
  // Only open calls are kept, of which there are few: a table of all ids of a long session takes longer to grow than everything else here.
  const open = new Map<string, CallPlace>();
  const unmatched = new Set<string>();
  messages.forEach(({ content }, index) => {
    for (const block of content) {
      if (isToolUse(block)) {
        if (!open.has(block.id)) open.set(block.id, { index });
      } else if (isToolResult(block)) {
        const call = open.get(block.toolUseId);
        if (call === undefined) unmatched.add(block.toolUseId);
        else tell(block, index, call);
        open.delete(block.toolUseId);
      }
    }
  });
  if (unmatched.size > 0) tellUnmatched(messages, unmatched, tell);
}

/** Results that come again, or without their call: of these ids every answered call has to be remembered. */
function tellUnmatched(messages: readonly Message[], ids: ReadonlySet<string>, tell: AnswerSink): void {
  const calls = new Map<string, CallPlace & { answered: boolean }>();
  messages.forEach(({ content }, index) => {
    for (const block of content) {
      if (isToolUse(block) && ids.has(block.id)) {
        if (calls.get(block.id)?.answered !== false) calls.set(block.id, { index, answered: false });
      } else if (isToolResult(block) && ids.has(block.toolUseId)) {
        const call = calls.get(block.toolUseId);
        if (call !== undefined) call.answered = true;
        tell(block, index, call);
      }
    }
  });
}
