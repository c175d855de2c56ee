import { isText, isToolResult, isToolUse, toolResultText, type Message, type ToolResultBlock } from '../model/message';
import { field, isRecord, stringOf } from '../util/json';

/** A call of the main conversation with its answer. */
export interface ObservedCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** Undefined while it is unanswered. */
  readonly result: ToolResultBlock | undefined;
  /** Index of the message that holds the call. */
  readonly index: number;
  /** Index of the message that holds the answer; undefined while it is unanswered. */
  readonly resultIndex: number | undefined;
}

/** All calls in order. Sub-agents have windows and states of their own, so their calls do not count (R26); of two equal ids the first counts. */
export function observedCalls(messages: readonly Message[]): readonly ObservedCall[] {
  const answers = new Map<string, { readonly result: ToolResultBlock; readonly resultIndex: number }>();
  const calls = new Map<string, Pick<ObservedCall, 'id' | 'name' | 'input' | 'index'>>();
  messages.forEach((message, index) => {
    if (message.isSidechain === true) return;
    for (const block of message.content) {
      if (isToolUse(block) && message.role === 'assistant' && !calls.has(block.id)) {
        calls.set(block.id, { id: block.id, name: block.name, input: block.input, index });
      } else if (isToolResult(block) && calls.has(block.toolUseId) && !answers.has(block.toolUseId)) {
        answers.set(block.toolUseId, { result: block, resultIndex: index });
      }
    }
  });
  return [...calls.values()].map((call) => ({ ...call, ...(answers.get(call.id) ?? { result: undefined, resultIndex: undefined }) }));
}

/** True for a call that was answered without an error. */
export function hasSucceeded({ result }: ObservedCall): boolean {
  return result !== undefined && result.isError !== true;
}

/** A text argument; undefined when it is missing or of another type. */
export function textInput({ input }: ObservedCall, key: string): string | undefined {
  return isRecord(input) ? stringOf(input, key) : undefined;
}

/** True when an argument is the value `true`. */
export function isSet({ input }: ObservedCall, key: string): boolean {
  return isRecord(input) && field(input, key) === true;
}

/** The answer as the model sees it; '' while there is none. */
export function answerText({ result }: ObservedCall): string {
  return result === undefined ? '' : toolResultText(result);
}

/**
 * Texts that the agent's program added by records of its own, oldest first, without the tags around them. Ours are left out: they are copies
 * of what was found before.
 */
export function programTexts(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message) => {
    if (message.kind !== 'attachment' || message.isSidechain === true || message.line === 0) return [];
    return message.content.filter(isText).map(({ text }) => withoutTags(text));
  });
}

const OPEN = '<system-reminder>';
const CLOSE = '</system-reminder>';

function withoutTags(text: string): string {
  const trimmed = text.trim();
  return trimmed.startsWith(OPEN) && trimmed.endsWith(CLOSE) ? trimmed.slice(OPEN.length, -CLOSE.length).trim() : trimmed;
}
