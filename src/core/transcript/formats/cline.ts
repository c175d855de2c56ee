import type { Diagnostic, FormatId } from '../../model/transcript';
import type { Message } from '../../model/message';
import type { Usage } from '../../model/usage';
import { arrayOf, field, isRecord, numberOf, recordOf, stringOf, type JsonRecord } from '../../util/json';
import { LocalIds, messageId, messageOf } from '../assemble';
import type { SourceRecord } from '../lineReader';
import { PartRecord } from '../partRecord';
import { usableUsage } from '../usage';
import type { TranscriptDraft } from '../transcriptDraft';
import { anthropicContent } from './anthropicBlocks';
import { clineConversation } from './clineHistory';
import { clineUi, deletedRange, isClineUi, isRooUi, modelOfMetadata, type ClineRequest } from './clineUi';
import type { TranscriptFormat } from './format';
import { isOriginOf } from './origin';
import { isoTime, SessionCollector } from './session';

/** Cline: a task's folder, what its user interface shows alone, or a session of its command line. */
export const cline: TranscriptFormat = {
  id: 'cline',
  agent: 'Cline',
  recognise: (sample) => {
    if (isOriginOf(sample, 'cline')) return 1;
    const [only] = sample;
    if (sample.length !== 1) return 0;
    if (isSessionFile(only) || isManifest(only)) return 0.95;
    return isClineUi(only) && !isRooUi(only) ? 0.9 : 0;
  },
  collect: () => new SessionCollector('cline', read),
};

/** Roo Code: the folder of a task, or what its user interface shows alone. */
export const roo = taskFormat('roo', 'Roo Code', (value) => isClineUi(value) && isRooUi(value));

/** Kilo Code, which goes on from Roo Code: only the place of a task tells the two apart. */
export const kilo = taskFormat('kilo', 'Kilo Code', () => false);

function taskFormat(id: FormatId, agent: string, isOwn: (value: unknown) => boolean): TranscriptFormat {
  return {
    id,
    agent,
    recognise: (sample) => (isOriginOf(sample, id) ? 1 : sample.length === 1 && isOwn(sample[0]) ? 0.92 : 0),
    collect: () => new SessionCollector(id, read),
  };
}

function read(records: readonly SourceRecord[]): TranscriptDraft {
  const values = records.map(({ value }) => (value instanceof PartRecord ? value.value : value));
  const session = values.find(isSessionFile);
  const manifest = values.find(isManifest);
  if (session !== undefined || manifest !== undefined) return commandLineSession(session, manifest);
  const partOf = (name: string): unknown =>
    records.map(({ value }) => value).find((part): part is PartRecord => part instanceof PartRecord && part.part === name)?.value;
  const shown = partOf('ui_messages.json') ?? partOf('claude_messages.json') ?? values.find(isClineUi);
  const history = partOf('api_conversation_history.json');
  const item = partOf('history_item.json');
  const ui = clineUi(Array.isArray(shown) ? shown : []);
  const stated = isRecord(item) ? deletedRange(field(item, 'conversationHistoryDeletedRange')) : undefined;
  const newest = ui.ranges.at(-1);
  const range = newest === undefined ? stated : ([newest.start, newest.end] as const);
  const conversation = clineConversation(Array.isArray(history) ? history : [], ui, range);
  return {
    ...conversation,
    sessionId: isRecord(item) ? stringOf(item, 'id') : undefined,
    cwd: isRecord(item) ? (stringOf(item, 'workspace') ?? stringOf(item, 'cwdOnTaskInitialization')) : undefined,
    title: (isRecord(item) ? stringOf(item, 'task') : undefined) ?? ui.task,
    model: lastModel(conversation.messages) ?? ui.model ?? modelOfMetadata(partOf('task_metadata.json')),
    otherRequests: ui.requests.map(paidFor),
    diagnostics: oddContent(history),
  };
}

const ODD = { line: 0, code: 'odd_content', severity: 'warning' } as const;

/** A list that is none, or holds what is no message: it keeps its place, since ranges count places. */
function oddContent(history: unknown): readonly Diagnostic[] {
  if (history === undefined) return [];
  if (!Array.isArray(history)) return [ODD];
  return history.some((one) => !isRecord(one)) ? [ODD] : [];
}

function lastModel(messages: readonly Message[]): string | undefined {
  return messages.findLast((message) => message.model !== undefined)?.model;
}

/** A request as a message of its own, so that it is in the sums. */
function paidFor({ usage, timestamp }: ClineRequest, index: number): Message {
  return messageOf({ id: `request:${index}`, role: 'assistant', kind: 'message', content: [], line: 0, timestamp, usage });
}

/** Messages of a session of Cline's command line. */
function isSessionFile(value: unknown): value is JsonRecord {
  if (!isRecord(value) || stringOf(value, 'sessionId') === undefined) return false;
  const messages = arrayOf(value, 'messages');
  if (messages === undefined || field(value, 'requests') !== undefined || field(value, 'projectHash') !== undefined) return false;
  const isOwn = (one: unknown): boolean =>
    isRecord(one) && (recordOf(one, 'modelInfo') !== undefined || recordOf(one, 'metrics') !== undefined);
  return stringOf(value, 'system_prompt') !== undefined || messages.slice(0, 50).some(isOwn);
}

/** What lies beside those messages and describes them. */
function isManifest(value: unknown): value is JsonRecord {
  if (!isRecord(value)) return false;
  return stringOf(value, 'session_id') !== undefined && stringOf(value, 'messages_path') !== undefined && !Array.isArray(value['messages']);
}

function commandLineSession(session: JsonRecord | undefined, manifest: JsonRecord | undefined): TranscriptDraft {
  const ids = new LocalIds(new Set());
  const messages: Message[] = [];
  const system = session === undefined ? undefined : stringOf(session, 'system_prompt');
  if (system !== undefined && system !== '') {
    messages.push(messageOf({ id: 'system', role: 'system', kind: 'message', content: anthropicContent(system).blocks, line: 0 }));
    ids.add('system');
  }
  for (const [at, value] of (session === undefined ? [] : (arrayOf(session, 'messages') ?? [])).entries()) {
    if (!isRecord(value)) continue;
    const id = messageId(stringOf(value, 'id'), 0, at, ids);
    ids.add(id);
    const isAnswer = stringOf(value, 'role') === 'assistant';
    messages.push(
      messageOf({
        id,
        role: isAnswer ? 'assistant' : 'user',
        kind: 'message',
        content: anthropicContent(field(value, 'content')).blocks,
        line: 0,
        timestamp: isoTime(field(value, 'ts')),
        model: isAnswer ? stringOf(recordOf(value, 'modelInfo') ?? {}, 'id') : undefined,
        usage: isAnswer ? metricsUsage(recordOf(value, 'metrics')) : undefined,
      }),
    );
  }
  const facts = manifest ?? {};
  return {
    messages,
    sessionId: (session === undefined ? undefined : stringOf(session, 'sessionId')) ?? stringOf(facts, 'session_id'),
    cwd: stringOf(facts, 'cwd'),
    title: stringOf(recordOf(facts, 'metadata') ?? {}, 'title'),
    model: lastModel(messages) ?? stringOf(facts, 'model'),
  };
}

/** The input holds what was read from and written to the cache, unless it is smaller than that. */
function metricsUsage(metrics: JsonRecord | undefined): Usage | undefined {
  if (metrics === undefined) return undefined;
  const input = numberOf(metrics, 'inputTokens') ?? 0;
  const [read, written] = [numberOf(metrics, 'cacheReadTokens') ?? 0, numberOf(metrics, 'cacheWriteTokens') ?? 0];
  return usableUsage({
    input: input >= read + written ? input - read - written : input,
    output: field(metrics, 'outputTokens'),
    cacheRead: read,
    cacheCreation: written,
  });
}
