import { isToolResult, isToolUse, textOf, toolResultText, type Message, type ToolUseBlock } from '../model/message';
import { argumentsText } from '../tokens/blockText';

/** What one line of text says of a message: its text, else its call or result, else its thinking. */
export function previewText(message: Message): string {
  const text = textOf(message);
  if (text.trim() !== '') return text;
  const call = message.content.find(isToolUse);
  if (call !== undefined) return callText(call);
  const result = message.content.find(isToolResult);
  if (result !== undefined) return toolResultText(result);
  for (const block of message.content) {
    if (block.type === 'thinking') return block.text;
    if (block.type === 'image' || block.type === 'document') return `[${block.type}]`;
    if (block.type === 'unknown') return block.raw;
  }
  return '';
}

/** The telling argument of a call: a path, command, pattern, query or prompt; else its JSON. */
function callText(call: ToolUseBlock): string {
  const value = call.rawInput === undefined ? call.input : parsed(call.rawInput);
  if (typeof value !== 'object' || value === null) return argumentsText(call);
  for (const key of ['file_path', 'path', 'notebook_path', 'command', 'cmd', 'pattern', 'query', 'url', 'description', 'prompt']) {
    if (!Object.hasOwn(value, key)) continue;
    const part: unknown = Reflect.get(value, key);
    if (typeof part === 'string' && part !== '') return part;
    if (Array.isArray(part) && part.every((word) => typeof word === 'string')) return part.join(' ');
  }
  return argumentsText(call);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
