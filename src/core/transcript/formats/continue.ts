import type { CompactBoundary } from '../../model/boundary';
import type { ContentBlock, Message, Role } from '../../model/message';
import type { Diagnostic } from '../../model/transcript';
import type { Usage } from '../../model/usage';
import { arrayOf, field, isRecord, numberOf, recordOf, stringOf, type JsonRecord } from '../../util/json';
import { toWellFormed } from '../../util/text';
import { LocalIds, messageId, messageOf } from '../assemble';
import type { SourceRecord } from '../lineReader';
import { usableUsage } from '../usage';
import { plainBoundary, type TranscriptDraft } from '../transcriptDraft';
import { MAX_BLOCKS, textBlock, unknownBlock } from './anthropicBlocks';
import type { TranscriptFormat } from './format';
import { chatCall } from './openaiChat';
import { SessionCollector } from './session';

/** Continue: one JSON file a session, or the list of sessions beside them. */
export const continueDev: TranscriptFormat = {
  id: 'continue',
  agent: 'Continue',
  recognise: (sample) => (sample.some(isSession) ? 0.95 : sample.length === 1 && isList(sample[0]) ? 0.9 : 0),
  collect: () => new SessionCollector('continue', read),
};

function isSession(value: unknown): value is JsonRecord {
  if (!isRecord(value) || stringOf(value, 'sessionId') === undefined) return false;
  const history = arrayOf(value, 'history');
  if (history === undefined) return false;
  const isOwn = (item: unknown): boolean =>
    isRecord(item) && recordOf(item, 'message') !== undefined && Array.isArray(field(item, 'contextItems'));
  return history.length === 0 ? stringOf(value, 'workspaceDirectory') !== undefined : history.slice(0, 20).some(isOwn);
}

/** `sessions.json`, which names the sessions and holds none. */
function isList(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0) return false;
  return value
    .slice(0, 20)
    .every((one) => isRecord(one) && stringOf(one, 'sessionId') !== undefined && stringOf(one, 'workspaceDirectory') !== undefined);
}

function read(records: readonly SourceRecord[]): TranscriptDraft {
  const session = records.map((record) => record.value).find(isSession);
  if (session === undefined) return { messages: [] };
  const played = play(arrayOf(session, 'history') ?? []);
  const sum = played.messages.some((message) => message.usage !== undefined) ? undefined : continueUsage(recordOf(session, 'usage'));
  return {
    ...played,
    sessionId: stringOf(session, 'sessionId'),
    title: stringOf(session, 'title'),
    cwd: folderOf(stringOf(session, 'workspaceDirectory')),
    model: stringOf(session, 'chatModelTitle') ?? undefined,
    // The session's own sum, where no answer has numbers.
    otherRequests:
      sum === undefined ? [] : [messageOf({ id: 'sum', role: 'assistant', kind: 'message', content: [], line: 0, usage: sum })],
  };
}

/** The folder may be stored as a URI. It is only shown and compared. */
function folderOf(text: string | undefined): string | undefined {
  if (text?.startsWith('file://') !== true) return text === '' ? undefined : text;
  try {
    return decodeURIComponent(text.slice('file://'.length));
  } catch {
    return text;
  }
}

function play(history: readonly unknown[]): Pick<TranscriptDraft, 'messages' | 'context' | 'boundaries' | 'diagnostics'> {
  const ids = new LocalIds(new Set());
  const messages: Message[] = [];
  const boundaries: CompactBoundary[] = [];
  const diagnostics: Diagnostic[] = [];
  let context: number[] = [];
  const add = (own: string | undefined, at: number, parts: Omit<Parameters<typeof messageOf>[0], 'id' | 'line'>): number => {
    const id = messageId(own, 0, at, ids);
    ids.add(id);
    return messages.push(messageOf({ ...parts, id, line: 0 })) - 1;
  };
  // Only the last summary counts.
  const last = history.findLastIndex((item) => isRecord(item) && (stringOf(item, 'conversationSummary') ?? '') !== '');
  const answered = new Set(
    history.flatMap((item) => (isRecord(item) ? (stringOf(recordOf(item, 'message') ?? {}, 'toolCallId') ?? []) : [])),
  );
  for (const [at, item] of history.entries()) {
    const message = isRecord(item) ? recordOf(item, 'message') : undefined;
    if (!isRecord(item) || message === undefined) {
      diagnostics.push({ line: 0, code: 'unknown_record', severity: 'info' });
      continue;
    }
    const role = ROLES.get(stringOf(message, 'role') ?? '') ?? 'user';
    const isAnswer = role === 'assistant';
    context.push(
      add(stringOf(message, 'id') ?? `item:${at}`, at, {
        role,
        kind: 'message',
        content: contentOf(item, message, role),
        usage: isAnswer ? continueUsage(recordOf(message, 'usage')) : undefined,
      }),
    );
    const results = resultsOf(item, answered);
    if (results.length > 0) context.push(add(`item:${at}/results`, at, { role: 'tool', kind: 'message', content: results }));
    const summary = stringOf(item, 'conversationSummary') ?? '';
    if (summary === '') continue;
    const index = add(`item:${at}/compaction`, at, { role: 'system', kind: 'boundary', content: [] });
    const summaryIndex = add(`item:${at}/summary`, at, { role: 'user', kind: 'summary', content: [textBlock(summary)] });
    const boundary = messages[index];
    if (at === last) context = [...context.filter((one) => messages[one]?.role === 'system'), summaryIndex];
    if (boundary !== undefined) boundaries.push(plainBoundary(index, boundary, { summaryId: messages[summaryIndex]?.id }));
  }
  return { messages, context, boundaries, diagnostics };
}

const ROLES = new Map<string, Role>([
  ['system', 'system'],
  ['assistant', 'assistant'],
  ['thinking', 'assistant'],
  ['tool', 'tool'],
]);

function contentOf(item: JsonRecord, message: JsonRecord, role: Role): readonly ContentBlock[] {
  if (role === 'tool') {
    const parts = partsOf(field(message, 'content'));
    const [only] = parts;
    const content = parts.length === 1 && only?.type === 'text' ? only.text : parts;
    return [{ type: 'toolResult', toolUseId: stringOf(message, 'toolCallId') ?? '', content }];
  }
  if (stringOf(message, 'role') === 'thinking') return thinking(message);
  // What was attached to a message is sent in front of it.
  const attached = role === 'user' ? contextTexts(arrayOf(item, 'contextItems')) : [];
  const reasoning = stringOf(recordOf(item, 'reasoning') ?? {}, 'text') ?? '';
  return [
    ...attached,
    ...(reasoning === '' ? [] : [{ type: 'thinking', text: toWellFormed(reasoning) } as const]),
    ...partsOf(field(message, 'content')),
    ...(arrayOf(message, 'toolCalls') ?? []).slice(0, MAX_BLOCKS).map(chatCall),
  ];
}

function thinking(message: JsonRecord): readonly ContentBlock[] {
  const text = partsOf(field(message, 'content')).flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const signature = stringOf(message, 'signature');
  const hidden = stringOf(message, 'redactedThinking');
  if (hidden !== undefined) return [{ type: 'thinking', text: '', signature: hidden, redacted: true }];
  return [{ type: 'thinking', text: text.join('\n'), ...(signature === undefined ? {} : { signature }) }];
}

function contextTexts(items: readonly unknown[] | undefined): readonly ContentBlock[] {
  return (items ?? []).slice(0, MAX_BLOCKS).flatMap((item) => {
    const text = isRecord(item) ? (stringOf(item, 'content') ?? '') : '';
    return text === '' ? [] : [textBlock(text)];
  });
}

function partsOf(content: unknown): readonly ContentBlock[] {
  if (typeof content === 'string') return content === '' ? [] : [textBlock(content)];
  if (!Array.isArray(content)) return content === undefined || content === null ? [] : [unknownBlock('content', content)];
  return content.slice(0, MAX_BLOCKS).map((part: unknown): ContentBlock => {
    const type = isRecord(part) ? (stringOf(part, 'type') ?? '') : '';
    if (type === 'imageUrl') return { type: 'image' };
    const text = isRecord(part) ? stringOf(part, 'text') : undefined;
    return text === undefined ? unknownBlock(type, part) : textBlock(text);
  });
}

/** What tools gave back stands beside their calls, unless a message of its own holds it. */
function resultsOf(item: JsonRecord, answered: ReadonlySet<string>): readonly ContentBlock[] {
  return (arrayOf(item, 'toolCallStates') ?? []).slice(0, MAX_BLOCKS).flatMap((state): ContentBlock[] => {
    const id = isRecord(state) ? stringOf(state, 'toolCallId') : undefined;
    if (!isRecord(state) || id === undefined || answered.has(id)) return [];
    const output = arrayOf(state, 'output');
    const status = stringOf(state, 'status');
    if (output === undefined && status !== 'canceled' && status !== 'errored') return [];
    const isError = status === 'errored' || status === 'canceled';
    return [{ type: 'toolResult', toolUseId: id, content: contextTexts(output), ...(isError ? { isError: true } : {}) }];
  });
}

/** Whether the prompt holds the cached part depends on the provider; one that is smaller than that part does not. */
function continueUsage(usage: JsonRecord | undefined): Usage | undefined {
  if (usage === undefined) return undefined;
  const prompt = numberOf(usage, 'promptTokens') ?? 0;
  const details = recordOf(usage, 'promptTokensDetails') ?? {};
  const [read, written] = [numberOf(details, 'cachedTokens') ?? 0, numberOf(details, 'cacheWriteTokens') ?? 0];
  return usableUsage({
    input: prompt >= read + written ? prompt - read - written : prompt,
    output: field(usage, 'completionTokens'),
    cacheRead: read,
    cacheCreation: written,
  });
}
