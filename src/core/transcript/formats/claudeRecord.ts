import type { ContentBlock, Message, MessageKind } from '../../model/message';
import type { Diagnostic } from '../../model/transcript';
import { isTokenCount } from '../../model/usage';
import { arrayOf, field, isRecord, recordOf, stringOf, type JsonRecord } from '../../util/json';
import { messageId, messageOf, type TakenIds } from '../assemble';
import type { ChainNode } from '../chain';
import type { SourceRecord } from '../lineReader';
import type { LineContents } from '../storedLines';
import { anthropicUsage } from '../usage';
import { anthropicContent, textBlock } from './anthropicBlocks';
import { announcedModel, attachmentContent, attachmentType, isQueuedPrompt } from './claudeAttachment';
import { ClaudeLine, NO_PROGRAM, type LineFacts, type RareFacts, type SharedValues } from './claudeLine';

/** What a `compact_boundary` record says about its compaction. */
export interface BoundaryFacts {
  readonly trigger: string;
  readonly preTokens: number | undefined;
  readonly postTokens: number | undefined;
  readonly durationMs: number | undefined;
  readonly preserved: PreservedFacts | undefined;
}

export interface PreservedFacts {
  /** Every preserved record by name; undefined when the record names only the two ends. */
  readonly ids: readonly string[] | undefined;
  readonly head: string | undefined;
  readonly tail: string | undefined;
  readonly anchor: string | undefined;
}

/** A line of a Claude Code transcript in our terms. */
export interface ClaudeRecord {
  /** Undefined for metadata lines, which stand outside the chain. */
  readonly node: ChainNode | undefined;
  readonly message: Message | undefined;
  readonly boundary: BoundaryFacts | undefined;
  readonly isApiFailure: boolean;
  readonly agentId: string | undefined;
  /** Leaf that a `last-prompt` line names. */
  readonly leafId: string | undefined;
  readonly title: { readonly rank: number; readonly text: string } | undefined;
  readonly version: string | undefined;
  readonly sessionId: string | undefined;
  readonly cwd: string | undefined;
  readonly diagnostic: Diagnostic | undefined;
}

const LEAVES = new Set(['user', 'assistant', 'attachment', 'system']);
const SYNTHETIC_MODEL = '<synthetic>';
/** A user's own title beats the agent's, which beats the summary line of old versions. */
const TITLES = new Map([
  ['summary', { rank: 1, key: 'summary' }],
  ['ai-title', { rank: 2, key: 'aiTitle' }],
  ['custom-title', { rank: 3, key: 'customTitle' }],
]);

/**
 * Translates one line; everything in it may be of any type. A record whose id is taken by another one before it is named by its line, so
 * that ids of messages stay unique. `shared` holds what earlier lines said already.
 */
export function claudeRecord(source: SourceRecord, takenIds: TakenIds, shared: SharedValues): ClaudeRecord {
  const value = source.value;
  if (!isRecord(value)) {
    return new ClaudeLine({
      ...NOTHING,
      line: source.line,
      rare: { diagnostic: { line: source.line, code: 'unknown_record', severity: 'info' } },
    });
  }
  const type = stringOf(value, 'type');
  const subtype = type === 'system' ? stringOf(value, 'subtype') : undefined;
  const isConversation = type === 'user' || type === 'assistant';
  const isSidechain = field(value, 'isSidechain') === true;
  const own = stringOf(value, 'uuid');
  const parsed = isConversation ? conversationMessage(value, type, isSidechain, idOf(value, own, source, takenIds), shared) : undefined;
  const message = parsed?.message ?? programMessage(value, type, subtype, isSidechain, () => idOf(value, own, source, takenIds), shared);
  const isCarrier = isConversation || own !== undefined;
  const parent = isCarrier ? field(value, 'parentUuid') : undefined;
  const line = new ClaudeLine({
    line: source.line,
    id: isCarrier ? own : undefined,
    parentId: typeof parent === 'string' ? shared.again('id', parent) : parent === null ? parent : undefined,
    message,
    isCarrier,
    isSidechain,
    canBeLeaf: type !== undefined && LEAVES.has(type),
    program: shared.program(stringOf(value, 'version'), stringOf(value, 'sessionId'), stringOf(value, 'cwd')),
    rare: rareFacts(value, source.line, { type, subtype, parent, message, odd: parsed?.odd === true }),
  });
  shared.again('id', line.id);
  return line;
}

const NOTHING: Omit<LineFacts, 'line'> = {
  id: undefined,
  parentId: undefined,
  message: undefined,
  isCarrier: false,
  isSidechain: false,
  canBeLeaf: false,
  program: NO_PROGRAM,
  rare: undefined,
};

interface LineKind {
  readonly type: string | undefined;
  readonly subtype: string | undefined;
  readonly parent: unknown;
  readonly message: Message | undefined;
  readonly odd: boolean;
}

function rareFacts(value: JsonRecord, line: number, { type, subtype, parent, message, odd }: LineKind): RareFacts | undefined {
  const boundary = subtype === 'compact_boundary' ? boundaryFacts(value) : undefined;
  const isApiFailure = field(value, 'isApiErrorMessage') === true;
  const agentId = stringOf(value, 'agentId');
  const leafId = type === 'last-prompt' ? stringOf(value, 'leafUuid') : undefined;
  const title = titleOf(value, type);
  // A summary without a boundary (old versions) also begins a new tree, although the conversation goes on.
  const restarts = parent === null && (boundary !== undefined || message?.kind === 'summary');
  const isPlain = boundary === undefined && !isApiFailure && agentId === undefined && leafId === undefined && title === undefined;
  if (isPlain && !restarts && !odd) return undefined;
  return {
    boundary,
    isApiFailure,
    agentId,
    leafId,
    title,
    ...(odd ? { diagnostic: { line, code: 'odd_content', severity: 'info' } } : {}),
    ...(restarts ? { continues: { id: stringOf(value, 'logicalParentUuid') } } : {}),
  };
}

/** Kinds of lines that say nothing by their texts but what their one message says. */
const PLAIN_TYPES = new Set(['user', 'assistant', 'attachment', 'progress', 'file-history-snapshot', 'queue-operation']);

/** How long texts of a line may stay in its file; see `StoredTexts`. */
export const claudeStored = {
  needsWhole(outline: unknown): boolean {
    // The beginning of a queued prompt tells whose it is.
    return !isRecord(outline) || !PLAIN_TYPES.has(stringOf(outline, 'type') ?? '') || attachmentType(outline) === 'queued_command';
  },
  contentOf(value: unknown): readonly ContentBlock[] {
    if (!isRecord(value)) return [];
    const type = stringOf(value, 'type');
    if (type === 'attachment') return attachmentContent(value);
    if (type === 'system') return markContent(value);
    return anthropicContent(field(recordOf(value, 'message') ?? {}, 'content')).blocks;
  },
};

function conversationMessage(
  value: JsonRecord,
  role: 'user' | 'assistant',
  isSidechain: boolean,
  identity: Identity,
  shared: SharedValues,
): { readonly message: Message; readonly odd: boolean } {
  const body = recordOf(value, 'message') ?? {};
  const content = anthropicContent(field(body, 'content'));
  const model = stringOf(body, 'model');
  const isSynthetic = role === 'assistant' && (field(value, 'isApiErrorMessage') === true || model === SYNTHETIC_MODEL);
  const message = messageOf({
    id: identity.id,
    line: identity.line,
    timestamp: identity.timestamp,
    stored: identity.stored,
    role,
    kind: isSynthetic ? 'apiError' : kindOf(value, role),
    content: content.blocks,
    messageId: role === 'assistant' ? shared.again('message', stringOf(body, 'id')) : undefined,
    requestId: shared.again('request', stringOf(value, 'requestId')),
    model: isSynthetic ? undefined : shared.name(model),
    usage: role === 'assistant' && !isSynthetic ? shared.usage(anthropicUsage(field(body, 'usage'))) : undefined,
    isSidechain,
    isInherited: recordOf(value, 'forkedFrom') !== undefined,
  });
  return { message, odd: content.odd };
}

function kindOf(value: JsonRecord, role: 'user' | 'assistant'): MessageKind {
  if (role === 'user' && field(value, 'isCompactSummary') === true) return 'summary';
  return field(value, 'isMeta') === true ? 'meta' : 'message';
}

/** Messages that the program wrote as records of their own: boundaries, and attachments that the model gets. */
function programMessage(
  value: JsonRecord,
  type: string | undefined,
  subtype: string | undefined,
  isSidechain: boolean,
  identityOf: () => Identity,
  shared: SharedValues,
): Message | undefined {
  if (subtype === 'compact_boundary' || subtype === 'microcompact_boundary') {
    const content = markContent(value);
    const kind = subtype === 'compact_boundary' ? 'boundary' : 'microBoundary';
    return messageOf({ ...identityOf(), role: 'system', kind, content, isSidechain });
  }
  if (type !== 'attachment') return undefined;
  const content = attachmentContent(value);
  const modelForNext = announcedModel(value);
  if (content.length === 0 && modelForNext === undefined) return undefined;
  const kind = isQueuedPrompt(value) ? 'message' : 'attachment';
  const named = shared.name(attachmentType(value));
  return messageOf({ ...identityOf(), role: 'user', kind, content, modelForNext, attachmentType: named, isSidechain });
}

function markContent(value: JsonRecord): readonly ContentBlock[] {
  const text = stringOf(value, 'content');
  return text === undefined ? [] : [textBlock(text)];
}

interface Identity {
  readonly id: string;
  readonly line: number;
  readonly timestamp: string | undefined;
  readonly stored: LineContents | undefined;
}

function idOf(value: JsonRecord, own: string | undefined, source: SourceRecord, takenIds: TakenIds): Identity {
  const timestamp = stringOf(value, 'timestamp');
  return {
    id: messageId(own, source.line, source.part, takenIds),
    line: source.line,
    timestamp: timestamp !== undefined && timestamp.length <= 64 ? timestamp : undefined,
    stored: source.stored,
  };
}

function boundaryFacts(value: JsonRecord): BoundaryFacts {
  const metadata = recordOf(value, 'compactMetadata') ?? {};
  const count = (key: string): number | undefined => {
    const number = field(metadata, key);
    return isTokenCount(number) ? number : undefined;
  };
  return {
    trigger: stringOf(metadata, 'trigger')?.slice(0, 100) ?? 'unknown',
    preTokens: count('preTokens'),
    postTokens: count('postTokens'),
    durationMs: count('durationMs'),
    preserved: preservedFacts(metadata),
  };
}

function preservedFacts(metadata: JsonRecord): PreservedFacts | undefined {
  const segment = recordOf(metadata, 'preservedSegment');
  const messages = recordOf(metadata, 'preservedMessages');
  if (segment === undefined && messages === undefined) return undefined;
  const named = messages === undefined ? undefined : (arrayOf(messages, 'allUuids') ?? arrayOf(messages, 'uuids'));
  const anchor = messages === undefined ? undefined : stringOf(messages, 'anchorUuid');
  return {
    ids: named?.filter((id) => typeof id === 'string'),
    head: segment === undefined ? undefined : stringOf(segment, 'headUuid'),
    tail: segment === undefined ? undefined : stringOf(segment, 'tailUuid'),
    anchor: anchor ?? (segment === undefined ? undefined : stringOf(segment, 'anchorUuid')),
  };
}

function titleOf(value: JsonRecord, type: string | undefined): ClaudeRecord['title'] {
  const known = type === undefined ? undefined : TITLES.get(type);
  const text = known === undefined ? undefined : stringOf(value, known.key);
  return known === undefined || text === undefined || text === '' ? undefined : { rank: known.rank, text: text.slice(0, 200) };
}
