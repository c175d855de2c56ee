import type { ContentBlock, Message, ToolResultBlock } from '../../model/message';
import { arrayOf, field, isRecord, recordOf, stringOf, type JsonRecord } from '../../util/json';
import { toWellFormed } from '../../util/text';
import { messageId, messageOf } from '../assemble';
import type { SourceRecord } from '../lineReader';
import { contentsOf, type LineContents } from '../storedLines';
import type { SessionFacts } from '../transcriptDraft';
import { filledOf, timeOf, titleOf } from './fields';
import { geminiCall, geminiContent, geminiRole, geminiUsage } from './geminiParts';
import type { StoredTexts } from './format';

/** A stored message. A later one with the same key replaces it. */
export interface GeminiEntry {
  readonly key: string;
  readonly message: Message;
  /** Results that stand inside the record; the model got them from here where no message carries them. */
  readonly results: Message | undefined;
  /** The mark of the compaction whose summary this is. */
  readonly mark: Message | undefined;
  /** What the message is as half of the pair that a compaction writes: the summary, or the program's own thanks for it. */
  readonly inPair: Message | undefined;
  readonly isOdd: boolean;
}

/** A line of a session, or a session that is one document. */
export type GeminiRecord =
  | { readonly kind: 'facts'; readonly facts: SessionFacts; readonly list: readonly GeminiEntry[] | undefined }
  | { readonly kind: 'message'; readonly entry: GeminiEntry }
  | { readonly kind: 'rewind'; readonly to: string }
  /** Told to the user alone. */
  | { readonly kind: 'notice' }
  | { readonly kind: 'odd'; readonly line: number };

const SNAPSHOT = '<state_snapshot>';
const NOTICES = new Set(['info', 'warning']);
/** Nobody can be told how long its messages are otherwise. */
const NO_NAMES = new Set<string>();

/** Translates one line; everything in it may be of any type. */
export function geminiRecord(source: SourceRecord): GeminiRecord {
  const { value, line } = source;
  if (!isRecord(value)) return { kind: 'odd', line };
  const changes = recordOf(value, '$set');
  if (changes !== undefined) return factsRecord(changes, source);
  const to = field(value, '$rewindTo');
  if (to !== undefined) return typeof to === 'string' ? { kind: 'rewind', to } : { kind: 'odd', line };
  if (stringOf(value, 'sessionId') !== undefined && stringOf(value, 'type') === undefined) return factsRecord(value, source);
  return messageRecord(value, source);
}

/** How long texts of a session may stay in its file. What a user said tells whether it is a summary, or what the program added. */
export const geminiStored: StoredTexts = {
  needsWhole: (outline) => !isRecord(outline) || !SPOKEN.has(stringOf(outline, 'type') ?? '') || recordOf(outline, '$set') !== undefined,
  contentOf: (value) => contentsOf(value, geminiRecord),
};

const SPOKEN = new Set(['gemini', 'error', ...NOTICES]);

/** Where a message stands: the line, and its place among those of the line. */
interface Place {
  readonly line: number;
  readonly part: number;
  readonly stored?: LineContents;
}

function factsRecord(value: JsonRecord, { line, stored }: SourceRecord): GeminiRecord {
  const list = arrayOf(value, 'messages')?.flatMap((message, at): readonly GeminiEntry[] => {
    const record = isRecord(message) ? messageRecord(message, { line, part: at, ...(stored === undefined ? {} : { stored }) }) : undefined;
    return record?.kind === 'message' ? [record.entry] : [];
  });
  const folder: unknown = arrayOf(value, 'directories')?.[0];
  const facts = {
    sessionId: filledOf(value, 'sessionId'),
    title: titleOf(value, 'summary'),
    cwd: typeof folder === 'string' ? folder : undefined,
  };
  return { kind: 'facts', facts, list };
}

function messageRecord(value: JsonRecord, { line, part, stored }: Place): GeminiRecord {
  const type = stringOf(value, 'type') ?? '';
  if (NOTICES.has(type)) return { kind: 'notice' };
  if (type !== 'user' && type !== 'gemini' && type !== 'error') return { kind: 'odd', line };
  const content = geminiContent(field(value, 'content'));
  const id = messageId(stringOf(value, 'id'), line, part, NO_NAMES);
  const isModel = type === 'gemini';
  const blocks = isModel ? [...thoughts(value), ...content.blocks, ...calls(value, content.blocks)] : content.blocks;
  const usage = isModel ? tokensOf(value) : undefined;
  const text = blocks[0]?.type === 'text' ? blocks[0].text : '';
  const isContext = type === 'user' && text.startsWith('<session_context>') && text.trimEnd().endsWith('</session_context>');
  const message = messageOf({
    id,
    role: geminiRole(type !== 'user', blocks),
    kind: type === 'error' ? 'apiError' : isContext ? 'meta' : 'message',
    content: blocks,
    stored,
    line,
    timestamp: timeOf(value, 'timestamp'),
    model: isModel ? filledOf(value, 'model') : undefined,
    usage,
  });
  const key = stringOf(value, 'id') ?? id;
  const half = inPair(message, text);
  const mark = half?.kind === 'summary' ? boundaryOf(message) : undefined;
  return { kind: 'message', entry: { key, message, mark, inPair: half, results: resultsOf(value, message, stored), isOdd: content.odd } };
}

/** A model's own answer has usage; the thanks have none. */
function inPair(message: Message, text: string): Message | undefined {
  if (message.role === 'user') return text.startsWith(SNAPSHOT) ? { ...message, kind: 'summary' } : undefined;
  const isThanks = message.role === 'assistant' && message.kind === 'message' && message.usage === undefined;
  return isThanks ? { ...message, kind: 'meta' } : undefined;
}

/** Gemini CLI marks a compaction by nothing but its summary. */
function boundaryOf({ line, timestamp }: Message): Message {
  return messageOf({ id: `line:${line}`, role: 'system', kind: 'boundary', content: [], line, timestamp });
}

function thoughts(value: JsonRecord): readonly ContentBlock[] {
  return (arrayOf(value, 'thoughts') ?? []).flatMap((thought): readonly ContentBlock[] => {
    if (!isRecord(thought)) return [];
    const text = [stringOf(thought, 'subject'), stringOf(thought, 'description')].filter((part) => part !== undefined).join('\n');
    return text === '' ? [] : [{ type: 'thinking', text: toWellFormed(text) }];
  });
}

/** Calls that the content does not hold itself; a checkpoint stores them as parts. */
function calls(value: JsonRecord, content: readonly ContentBlock[]): readonly ContentBlock[] {
  const known = new Set(content.flatMap((block) => (block.type === 'toolUse' ? [block.id] : [])));
  return toolCalls(value)
    .map(geminiCall)
    .filter((block) => block.type !== 'toolUse' || !known.has(block.id));
}

function toolCalls(value: JsonRecord): readonly JsonRecord[] {
  return (arrayOf(value, 'toolCalls') ?? []).filter(isRecord);
}

function resultsOf(value: JsonRecord, message: Message, stored: LineContents | undefined): Message | undefined {
  const content = toolCalls(value).flatMap((call): readonly ContentBlock[] => {
    const { blocks } = geminiContent(field(call, 'result'));
    const id = stringOf(call, 'id');
    const failed = stringOf(call, 'status') === 'error' || stringOf(call, 'status') === 'cancelled';
    return blocks.map((block) => (block.type === 'toolResult' ? named(block, id, failed) : block));
  });
  if (content.length === 0) return undefined;
  const { line, timestamp } = message;
  return messageOf({ id: `${message.id}#results`.slice(-200), role: 'tool', kind: 'message', content, stored, line, timestamp });
}

function named(block: ToolResultBlock, id: string | undefined, failed: boolean): ToolResultBlock {
  return { ...block, ...(id === undefined ? {} : { toolUseId: id }), ...(failed ? { isError: true } : {}) };
}

function tokensOf(value: JsonRecord): Message['usage'] {
  const tokens = recordOf(value, 'tokens');
  if (tokens === undefined) return undefined;
  return geminiUsage({
    prompt: field(tokens, 'input'),
    cached: field(tokens, 'cached'),
    output: field(tokens, 'output'),
    thoughts: field(tokens, 'thoughts'),
    tool: field(tokens, 'tool'),
    total: field(tokens, 'total'),
  });
}
