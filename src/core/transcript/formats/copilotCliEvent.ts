import type { ContentBlock, Message } from '../../model/message';
import { isTokenCount } from '../../model/usage';
import { arrayOf, field, isRecord, recordOf, stringOf, type JsonRecord } from '../../util/json';
import { toWellFormed } from '../../util/text';
import { messageId, messageOf } from '../assemble';
import type { SourceRecord } from '../lineReader';
import { contentsOf, type LineContents } from '../storedLines';
import type { SessionFacts } from '../transcriptDraft';
import { MAX_BLOCKS, textBlock, unknownBlock } from './anthropicBlocks';
import { callBlock } from './session';
import { countOf, filledOf, sumOf, timeOf, titleOf } from './fields';
import type { StoredTexts } from './format';

/** Sums over a whole run that a `session.shutdown` states. */
export interface RunMetrics {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** An event in our terms. `chain` names the sub-agent whose event it is. */
export type CopilotEvent =
  | {
      readonly kind: 'message';
      readonly eventId: string;
      readonly message: Message;
      readonly chain: string | undefined;
      readonly output: number;
    }
  | { readonly kind: 'facts'; readonly facts: SessionFacts }
  | { readonly kind: 'compactionStart'; readonly facts: SessionFacts; readonly trigger: string | undefined }
  | {
      readonly kind: 'compacted';
      readonly boundary: Message;
      readonly summary: Message;
      readonly trigger: string | undefined;
      readonly preTokens: number | undefined;
      readonly postTokens: number | undefined;
    }
  /** The oldest messages left the context to make room. */
  | { readonly kind: 'truncated'; readonly messages: number; readonly facts: SessionFacts }
  | {
      readonly kind: 'counted';
      readonly contextTokens: number | undefined;
      readonly metrics: RunMetrics | undefined;
      readonly facts: SessionFacts;
      readonly line: number;
    }
  | { readonly kind: 'rewound'; readonly to: string }
  | { readonly kind: 'other' }
  | { readonly kind: 'odd'; readonly line: number };

const NO_NAMES = new Set<string>();

/** Translates one line; everything in it may be of any type. */
export function copilotEvent(source: SourceRecord): CopilotEvent {
  const { value, line } = source;
  const data = isRecord(value) ? recordOf(value, 'data') : undefined;
  if (!isRecord(value) || data === undefined) return { kind: 'odd', line };
  const id = messageId(stringOf(value, 'id'), line, source.part, NO_NAMES);
  const at: Place = { line, timestamp: timeOf(value, 'timestamp'), id, stored: source.stored };
  const type = stringOf(value, 'type') ?? '';
  const message = spokenMessage(type, data, at);
  if (message !== undefined) {
    const chain = filledOf(value, 'agentId') ?? filledOf(data, 'parentToolCallId');
    const output = field(data, 'outputTokens');
    return {
      kind: 'message',
      eventId: stringOf(value, 'id') ?? at.id,
      message: chain === undefined ? message : { ...message, isSidechain: true },
      chain,
      output: message.role === 'assistant' && isTokenCount(output) ? output : 0,
    };
  }
  return sessionEvent(type, data, at);
}

/** How long texts of a session may stay in its file. */
export const copilotStored: StoredTexts = {
  needsWhole: (outline) => !isRecord(outline) || (stringOf(outline, 'type') ?? 'session.').startsWith('session.'),
  contentOf: (value) => contentsOf(value, copilotEvent),
};

interface Place {
  readonly id: string;
  readonly line: number;
  readonly timestamp: string | undefined;
  readonly stored: LineContents | undefined;
}

function sessionEvent(type: string, data: JsonRecord, at: Place): CopilotEvent {
  const window = { windowTokens: countOf(data, 'tokenLimit') };
  switch (type) {
    case 'session.start':
    case 'session.resume':
      return { kind: 'facts', facts: startFacts(data) };
    case 'session.model_change':
      return { kind: 'facts', facts: { model: filledOf(data, 'newModel') } };
    case 'session.title_changed':
      return { kind: 'facts', facts: { title: titleOf(data, 'title') } };
    case 'session.compaction_start':
      return { kind: 'compactionStart', facts: window, trigger: filledOf(data, 'trigger') };
    case 'session.compaction_complete':
      return compactedEvent(data, at);
    case 'session.truncation':
      return { kind: 'truncated', messages: countOf(data, 'messagesRemovedDuringTruncation') ?? 0, facts: window };
    case 'session.usage_info':
      return { kind: 'counted', contextTokens: countOf(data, 'currentTokens'), metrics: undefined, facts: window, line: at.line };
    case 'session.shutdown':
      return {
        kind: 'counted',
        contextTokens: countOf(data, 'currentTokens'),
        metrics: runMetrics(data),
        facts: { model: filledOf(data, 'currentModel') },
        line: at.line,
      };
    case 'session.snapshot_rewind':
      return { kind: 'rewound', to: stringOf(data, 'upToEventId') ?? '' };
    default:
      return { kind: 'other' };
  }
}

function startFacts(data: JsonRecord): SessionFacts {
  return {
    sessionId: filledOf(data, 'sessionId'),
    agentVersion: filledOf(data, 'copilotVersion'),
    model: filledOf(data, 'selectedModel'),
    cwd: filledOf(recordOf(data, 'context') ?? {}, 'cwd'),
  };
}

function spokenMessage(type: string, data: JsonRecord, at: Place): Message | undefined {
  switch (type) {
    case 'system.message':
      return messageOf({ ...at, role: 'system', kind: 'message', content: texts(stringOf(data, 'content')) });
    case 'user.message': {
      const isOwn = (filledOf(data, 'source') ?? 'user') === 'user';
      return messageOf({ ...at, role: 'user', kind: isOwn ? 'message' : 'meta', content: promptContent(data) });
    }
    case 'system.notification':
      return messageOf({ ...at, role: 'user', kind: 'meta', content: texts(stringOf(data, 'content')) });
    case 'assistant.message':
      return answer(data, at);
    case 'tool.execution_complete':
      return resultMessage(data, at);
    default:
      return undefined;
  }
}

function texts(text: string | undefined): readonly ContentBlock[] {
  return text === undefined || text === '' ? [] : [textBlock(text)];
}

/** What the model got is the transformed text; the files that it names are in it. */
function promptContent(data: JsonRecord): readonly ContentBlock[] {
  const media = (arrayOf(data, 'attachments') ?? []).slice(0, MAX_BLOCKS).flatMap((attachment): readonly ContentBlock[] => {
    const mediaType = isRecord(attachment) ? (stringOf(attachment, 'mimeType') ?? '') : '';
    return mediaType.startsWith('image/') ? [{ type: 'image', mediaType }] : [];
  });
  return [...texts(stringOf(data, 'transformedContent') ?? stringOf(data, 'content')), ...media];
}

function answer(data: JsonRecord, at: Place): Message {
  const signature = filledOf(data, 'reasoningOpaque') ?? filledOf(data, 'encryptedContent');
  const thought = toWellFormed(stringOf(data, 'reasoningText') ?? '');
  const thinking: ContentBlock = {
    type: 'thinking',
    text: thought,
    ...(signature === undefined ? {} : { signature }),
    ...(thought === '' ? { redacted: true } : {}),
  };
  const calls = (arrayOf(data, 'toolRequests') ?? []).slice(0, MAX_BLOCKS).filter(isRecord);
  return messageOf({
    ...at,
    role: 'assistant',
    kind: 'message',
    content: [...(thought === '' && signature === undefined ? [] : [thinking]), ...texts(stringOf(data, 'content')), ...calls.map(callOf)],
    messageId: filledOf(data, 'messageId'),
    requestId: filledOf(data, 'requestId'),
    model: filledOf(data, 'model'),
  });
}

function callOf(call: JsonRecord): ContentBlock {
  const id = filledOf(call, 'toolCallId');
  const name = filledOf(call, 'name');
  return id === undefined || name === undefined ? unknownBlock('tool_request', call) : callBlock(id, name, field(call, 'arguments'));
}

function resultMessage(data: JsonRecord, at: Place): Message {
  const error = field(data, 'error');
  const text =
    stringOf(recordOf(data, 'result') ?? {}, 'content') ??
    (isRecord(error) ? stringOf(error, 'message') : error) ??
    stringOf(data, 'result');
  const block: ContentBlock = {
    type: 'toolResult',
    toolUseId: stringOf(data, 'toolCallId') ?? '',
    content: typeof text === 'string' ? toWellFormed(text) : '',
    ...(field(data, 'success') === false ? { isError: true } : {}),
  };
  return messageOf({ ...at, role: 'tool', kind: 'message', content: [block] });
}

/** An attempt that failed changed nothing. */
function compactedEvent(data: JsonRecord, at: Place): CopilotEvent {
  if (field(data, 'success') !== true) return { kind: 'other' };
  return {
    kind: 'compacted',
    boundary: messageOf({ ...at, role: 'system', kind: 'boundary', content: [] }),
    summary: messageOf({
      ...at,
      id: `line:${at.line}#summary`,
      role: 'user',
      kind: 'summary',
      content: texts(stringOf(data, 'summaryContent')),
    }),
    trigger: filledOf(data, 'trigger') ?? (filledOf(data, 'customInstructions') === undefined ? undefined : 'manual'),
    preTokens: countOf(data, 'preCompactionTokens'),
    postTokens: countOf(data, 'postCompactionTokens'),
  };
}

/** The prompt includes both cache parts. */
function runMetrics(data: JsonRecord): RunMetrics | undefined {
  const models = Object.values(recordOf(data, 'modelMetrics') ?? {});
  const usages = models.flatMap((model): readonly JsonRecord[] => (isRecord(model) ? [recordOf(model, 'usage') ?? {}] : []));
  if (!models.some((model) => isRecord(model) && recordOf(model, 'usage') !== undefined)) return undefined;
  const sum = (key: string): number => usages.reduce((total, usage) => total + sumOf(usage, key), 0);
  return { input: sum('inputTokens'), output: sum('outputTokens'), cacheRead: sum('cacheReadTokens'), cacheWrite: sum('cacheWriteTokens') };
}
