import type { ContentBlock, Message, ToolResultBlock } from '../../model/message';
import { arrayOf, field, isRecord, recordOf, stringOf, type JsonRecord } from '../../util/json';
import { toWellFormed } from '../../util/text';
import { messageOf } from '../assemble';
import { MAX_BLOCKS, textBlock } from './anthropicBlocks';
import { filledOf } from './fields';

export interface ResponseMessages {
  readonly messages: readonly Message[];
  /** What sub-agents did, by the id of the call that started them. */
  readonly sidechains: ReadonlyMap<string, readonly Message[]>;
}

interface Place {
  readonly id: string;
  readonly line: number;
  readonly timestamp: string | undefined;
  readonly model: string | undefined;
}

/**
 * Makes messages of the parts that the user was shown: text, thinking and calls of tools with what is shown of their results. They stand in
 * for what the model saw where nothing else tells it.
 */
export function responseMessages(parts: readonly unknown[], place: Place): ResponseMessages {
  const main: ContentBlock[] = [];
  const results: ToolResultBlock[] = [];
  const sidechains = new Map<string, Message[]>();
  parts.slice(0, MAX_BLOCKS).forEach((part, at) => {
    const { blocks, result, chain } = shownPart(part, `${place.id}#part${at + 1}`);
    if (chain === undefined) {
      main.push(...blocks);
      if (result !== undefined) results.push(result);
      return;
    }
    const messages = sidechains.get(chain) ?? [];
    sidechains.set(chain, messages);
    const said = messageOf({
      ...place,
      id: `${place.id}#part${at + 1}`,
      role: 'assistant',
      kind: 'message',
      content: blocks,
      isSidechain: true,
    });
    messages.push(said);
    if (result !== undefined) messages.push({ ...said, id: `${said.id}#result`, role: 'tool', content: [result] });
  });
  const { line, timestamp } = place;
  const messages: Message[] = [];
  if (main.length > 0)
    messages.push(messageOf({ ...place, id: `${place.id}#answer`, role: 'assistant', kind: 'message', content: joined(main) }));
  if (results.length > 0)
    messages.push(messageOf({ id: `${place.id}#results`, role: 'tool', kind: 'message', content: results, line, timestamp }));
  return { messages, sidechains };
}

interface ShownPart {
  readonly blocks: readonly ContentBlock[];
  readonly result: ToolResultBlock | undefined;
  readonly chain: string | undefined;
}

const NOTHING: ShownPart = { blocks: [], result: undefined, chain: undefined };

function shownPart(part: unknown, id: string): ShownPart {
  if (!isRecord(part)) return NOTHING;
  const kind = stringOf(part, 'kind');
  if (kind === undefined || kind === 'markdownContent') {
    const text = markdownText(field(part, kind === undefined ? 'value' : 'content'));
    return text === '' ? NOTHING : { ...NOTHING, blocks: [textBlock(text)] };
  }
  if (kind === 'thinking') {
    const value = field(part, 'value');
    const text = toWellFormed(Array.isArray(value) ? value.filter((piece) => typeof piece === 'string').join('') : markdownText(value));
    return text === '' ? NOTHING : { ...NOTHING, blocks: [{ type: 'thinking', text }] };
  }
  return kind === 'toolInvocationSerialized' ? shownCall(part, id) : NOTHING;
}

function shownCall(part: JsonRecord, id: string): ShownPart {
  const callId = filledOf(part, 'toolCallId') ?? id;
  const details = recordOf(part, 'toolSpecificData') ?? {};
  const name = toWellFormed(filledOf(part, 'toolId') ?? 'tool');
  const input = recordOf(details, 'commandLine') ?? field(details, 'prompt') ?? markdownText(field(part, 'invocationMessage'));
  const told = markdownText(field(part, 'pastTenseMessage'));
  const output = outputText(field(part, 'resultDetails'));
  const text = output === '' ? told : output;
  return {
    blocks: [{ type: 'toolUse', id: callId, name, input }],
    result: text === '' ? undefined : { type: 'toolResult', toolUseId: callId, content: toWellFormed(text) },
    chain: filledOf(part, 'subAgentInvocationId'),
  };
}

/** Results with an input and an output show it as parts of text; others are lists of places, which say nothing. */
function outputText(details: unknown): string {
  const output = isRecord(details) ? field(details, 'output') : undefined;
  if (typeof output === 'string') return output;
  if (!Array.isArray(output)) return '';
  return output.flatMap((item) => (isRecord(item) ? (stringOf(item, 'value') ?? []) : [])).join('\n');
}

/** Text, or a record that holds it. */
function markdownText(value: unknown): string {
  if (typeof value === 'string') return value;
  return isRecord(value) ? (stringOf(value, 'value') ?? (arrayOf(value, 'parts') ?? []).map(markdownText).join('')) : '';
}

/** Text that streamed in pieces is one text. */
function joined(blocks: readonly ContentBlock[]): readonly ContentBlock[] {
  const whole: { block: ContentBlock; texts: string[] }[] = [];
  for (const block of blocks) {
    const last = whole.at(-1);
    if (block.type === 'text' && last?.block.type === 'text') last.texts.push(block.text);
    else whole.push({ block, texts: block.type === 'text' ? [block.text] : [] });
  }
  return whole.map(({ block, texts }) => (texts.length > 1 ? textBlock(texts.join('')) : block));
}
