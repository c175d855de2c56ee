import type { ContentBlock, Message, MessageKind, Role, ToolResultBlock } from '../../model/message';
import type { Usage } from '../../model/usage';
import { field, isRecord, recordOf, stringOf, type JsonRecord } from '../../util/json';
import { toWellFormed } from '../../util/text';
import { messageId, messageOf } from '../assemble';
import type { SourceRecord } from '../lineReader';
import { contentsOf, type LineContents } from '../storedLines';
import { usableUsage } from '../usage';
import type { SessionFacts } from '../transcriptDraft';
import { MAX_BLOCKS, textBlock, unknownBlock } from './anthropicBlocks';
import { callBlock } from './session';
import { countOf, filledOf, timeOf, titleOf } from './fields';
import type { StoredTexts } from './format';

/** What a compaction keeps: from an entry on, or (version 1) from the entry with that number on; the session's first line is not counted. */
export interface PiCompaction {
  readonly boundary: Message;
  readonly summary: Message | undefined;
  readonly firstKeptId: string | undefined;
  readonly firstKeptIndex: number | undefined;
  readonly preTokens: number | undefined;
}

/** A line of a session in our terms. */
export interface PiEntry {
  readonly id: string | undefined;
  /** Undefined where entries form no tree: each follows the one before. */
  readonly parentId: string | null | undefined;
  /** Where a `leaf` entry says that the conversation goes on. */
  readonly leafId: string | undefined;
  readonly isHeader: boolean;
  readonly message: Message | undefined;
  /** The message with what it has cost, which an answer that broke off states too, though it says nothing about the context. */
  readonly spent: Message | undefined;
  readonly compaction: PiCompaction | undefined;
  readonly facts: SessionFacts;
  /** Nothing is known about lines of that type. */
  readonly isOdd: boolean;
  readonly line: number;
}

const KNOWN = new Set(['thinking_level_change', 'label', 'custom', 'leaf']);
const NO_NAMES = new Set<string>();

/** Translates one line; everything in it may be of any type. */
export function piEntry(source: SourceRecord): PiEntry {
  const { value, line } = source;
  if (!isRecord(value)) return { ...emptyEntry(line), isOdd: true };
  const type = stringOf(value, 'type') ?? '';
  const parent = field(value, 'parentId');
  const id = filledOf(value, 'id');
  const entry: PiEntry = {
    ...emptyEntry(line),
    id,
    parentId: parent === null || typeof parent === 'string' ? parent : undefined,
    leafId: type === 'leaf' ? (filledOf(value, 'leafId') ?? filledOf(value, 'targetId')) : undefined,
  };
  const place = { id: messageId(id, line, source.part, NO_NAMES), line, timestamp: timeOf(value, 'timestamp'), stored: source.stored };
  switch (type) {
    case 'session': {
      const facts = { sessionId: id, cwd: filledOf(value, 'cwd'), model: filledOf(value, 'modelId') };
      return { ...emptyEntry(line), isHeader: true, facts };
    }
    case 'message': {
      const stored = recordOf(value, 'message') ?? {};
      const message = storedMessage(stored, place);
      return { ...entry, message, spent: message === undefined ? undefined : spentOn(message, stored) };
    }
    case 'model_change':
      return { ...entry, facts: { model: filledOf(value, 'modelId') } };
    case 'session_info':
      return { ...entry, facts: { title: titleOf(value, 'name') ?? titleOf(value, 'title') } };
    case 'compaction':
      return { ...entry, compaction: compactionOf(value, place) };
    case 'branch_summary':
      return { ...entry, message: textMessage('summary', stringOf(value, 'summary'), place) };
    case 'custom_message':
      return { ...entry, message: messageOf({ ...place, role: 'user', kind: 'meta', content: contentOf(field(value, 'content')) }) };
    default:
      return { ...entry, isOdd: !KNOWN.has(type) };
  }
}

/** How long texts of a session may stay in its file. */
export const piStored: StoredTexts = {
  needsWhole: (outline) => !isRecord(outline) || !SPOKEN.has(stringOf(outline, 'type') ?? ''),
  contentOf: (value) => contentsOf(value, piEntry),
};

/** Lines of which nothing is taken but a message. */
const SPOKEN = new Set(['message', 'custom_message']);

interface Place {
  readonly id: string;
  readonly line: number;
  readonly timestamp: string | undefined;
  readonly stored: LineContents | undefined;
}

function emptyEntry(line: number): PiEntry {
  return {
    id: undefined,
    parentId: undefined,
    leafId: undefined,
    isHeader: false,
    message: undefined,
    spent: undefined,
    compaction: undefined,
    facts: {},
    isOdd: false,
    line,
  };
}

function storedMessage(message: JsonRecord, place: Place): Message | undefined {
  const content = contentOf(field(message, 'content'));
  switch (stringOf(message, 'role')) {
    case 'user':
      return messageOf({ ...place, role: 'user', kind: 'message', content });
    case 'assistant':
      return answer(message, content, place);
    case 'toolResult':
      return messageOf({ ...place, role: 'tool', kind: 'message', content: [resultBlock(message, content)] });
    case 'bashExecution':
      return commandMessage(message, place);
    case 'custom':
      return messageOf({ ...place, role: 'user', kind: 'meta', content });
    case 'branchSummary':
    case 'compactionSummary':
      return textMessage('summary', stringOf(message, 'summary'), place);
    default:
      return content.length === 0 ? undefined : messageOf({ ...place, role: roleOf(message), kind: 'message', content });
  }
}

function roleOf(message: JsonRecord): Role {
  const role = stringOf(message, 'role');
  return role === 'system' || role === 'developer' ? role : 'user';
}

function textMessage(kind: MessageKind, text: string | undefined, place: Place): Message | undefined {
  return text === undefined || text === '' ? undefined : messageOf({ ...place, role: 'user', kind, content: [textBlock(text)] });
}

/** An answer that broke off has no usage to trust; one that failed is an error line. */
function answer(message: JsonRecord, content: readonly ContentBlock[], place: Place): Message {
  const stop = stringOf(message, 'stopReason');
  const failed = stop === 'error' && content.length === 0;
  const error = filledOf(message, 'errorMessage');
  return messageOf({
    ...place,
    role: 'assistant',
    kind: failed ? 'apiError' : 'message',
    content: failed && error !== undefined ? [textBlock(error)] : content,
    messageId: filledOf(message, 'responseId'),
    model: failed ? undefined : filledOf(message, 'model'),
    usage: stop === 'error' || stop === 'aborted' ? undefined : usageOf(message),
  });
}

/** The input excludes both cache parts. */
function usageOf(message: JsonRecord): Usage | undefined {
  const usage = recordOf(message, 'usage') ?? {};
  return usableUsage({
    input: field(usage, 'input'),
    output: field(usage, 'output'),
    cacheRead: field(usage, 'cacheRead'),
    cacheCreation: field(usage, 'cacheWrite'),
  });
}

function spentOn(message: Message, stored: JsonRecord): Message {
  const usage = message.role === 'assistant' && message.usage === undefined ? usageOf(stored) : undefined;
  return usage === undefined ? message : { ...message, kind: 'message', usage };
}

function contentOf(content: unknown): readonly ContentBlock[] {
  if (typeof content === 'string') return content === '' ? [] : [textBlock(content)];
  return Array.isArray(content) ? content.slice(0, MAX_BLOCKS).map(blockOf) : [];
}

function blockOf(block: unknown): ContentBlock {
  if (!isRecord(block)) return unknownBlock('content', block);
  const type = stringOf(block, 'type') ?? '';
  const text = stringOf(block, 'text');
  if (type === 'text' && text !== undefined) return textBlock(text);
  if (type === 'thinking') return thinkingBlock(block);
  const id = stringOf(block, 'id');
  const name = stringOf(block, 'name');
  if (type === 'toolCall' && id !== undefined && name !== undefined) return callBlock(id, name, field(block, 'arguments'));
  const mediaType = stringOf(block, 'mimeType');
  return type === 'image' ? { type, ...(mediaType === undefined ? {} : { mediaType }) } : unknownBlock(type, block);
}

function thinkingBlock(block: JsonRecord): ContentBlock {
  const text = toWellFormed(stringOf(block, 'thinking') ?? '');
  const signature = filledOf(block, 'thinkingSignature');
  return { type: 'thinking', text, ...(signature === undefined ? {} : { signature }), ...(text === '' ? { redacted: true } : {}) };
}

function resultBlock(message: JsonRecord, content: readonly ContentBlock[]): ToolResultBlock {
  const [first] = content;
  const isError = field(message, 'isError');
  return {
    type: 'toolResult',
    toolUseId: stringOf(message, 'toolCallId') ?? '',
    content: content.length === 1 && first?.type === 'text' ? first.text : content,
    ...(typeof isError === 'boolean' ? { isError } : {}),
  };
}

/** A command that the user ran; the model gets it with its output, unless the user kept it to himself. */
function commandMessage(message: JsonRecord, place: Place): Message | undefined {
  if (field(message, 'excludeFromContext') === true) return undefined;
  const text = [stringOf(message, 'command'), stringOf(message, 'output')].filter((part) => part !== undefined && part !== '').join('\n');
  return textMessage('meta', text, place);
}

function compactionOf(value: JsonRecord, place: Place): PiCompaction {
  const index = field(value, 'firstKeptEntryIndex');
  return {
    boundary: messageOf({ ...place, role: 'system', kind: 'boundary', content: [] }),
    summary: textMessage('summary', stringOf(value, 'summary'), { ...place, id: `${place.id}#summary`.slice(-200) }),
    firstKeptId: filledOf(value, 'firstKeptEntryId'),
    firstKeptIndex: typeof index === 'number' && Number.isSafeInteger(index) && index >= 0 ? index : undefined,
    preTokens: countOf(value, 'tokensBefore'),
  };
}
