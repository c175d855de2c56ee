// Puts marks in the place of cleared tool results in the JSON text of a record; all other bytes stay.
import type { ClearedBlocks } from '../../compaction/microPlan';
import { isToolResult, type Message } from '../../model/message';
import { stringOf, type JsonRecord } from '../../util/json';
import type { CopyInput } from './copyInput';
import { elementSpans, mapMember, memberText, withMembers } from './jsonSpans';

/** Text that stands in the place of a result, by the id of its call. */
export type ClearedTexts = ReadonlyMap<string, string>;

/** Answers what is cleared in a message by the places of its blocks; undefined where nothing is. */
export function clearedBlocks({
  transcript,
  cleared,
}: Pick<CopyInput, 'transcript' | 'cleared'>): (message: Message) => ClearedBlocks | undefined {
  const blocks = new Map([...(cleared ?? [])].map(([index, texts]) => [transcript.messages[index], texts]));
  return (message) => blocks.get(message);
}

/** Answers what is cleared in a message; undefined where nothing is. */
export function clearedIn(input: CopyInput): (message: Message) => ClearedTexts | undefined {
  const texts = new Map<Message, ClearedTexts>();
  for (const [index, blocks] of input.cleared ?? []) {
    const message = input.transcript.messages[index];
    if (message === undefined) continue;
    const byCall = new Map<string, string>();
    for (const [blockIndex, text] of blocks) {
      const block = message.content[blockIndex];
      if (block !== undefined && isToolResult(block)) byCall.set(block.toolUseId, text);
    }
    texts.set(message, byCall);
  }
  return (message) => texts.get(message);
}

/** A message with Anthropic's blocks, or of a chat's tool role, with its results cleared. */
export function clearMessage(message: string, texts: ClearedTexts): string {
  const call = unquoted(memberText(message, 'tool_call_id'));
  const text = call === undefined ? undefined : texts.get(call);
  if (text !== undefined) return withMembers(message, new Map([['content', JSON.stringify(text)]]));
  return mapMember(message, 'content', (content) => (content.startsWith('[') ? clearBlocks(content, texts) : undefined));
}

/** An item of the Responses API: the output of the call that it answers. */
export function clearItem(item: string, texts: ClearedTexts): string {
  const text = texts.get(unquoted(memberText(item, 'call_id')) ?? unquoted(memberText(item, 'id')) ?? '');
  return text === undefined ? item : withMembers(item, new Map([['output', JSON.stringify(text)]]));
}

function clearBlocks(content: string, texts: ClearedTexts): string {
  const blocks = elementSpans(content).map(({ start, end }) => {
    const block = content.slice(start, end);
    const id = unquoted(memberText(block, 'tool_use_id'));
    const text = id === undefined ? undefined : texts.get(id);
    return text === undefined ? block : withMembers(block, new Map([['content', JSON.stringify(text)]]));
  });
  return `[${blocks.join(',')}]`;
}

function unquoted(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const parsed: JsonRecord = { value: JSON.parse(text) };
  return stringOf(parsed, 'value');
}
