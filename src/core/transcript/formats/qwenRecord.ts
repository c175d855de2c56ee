import type { Message } from '../../model/message';
import type { Diagnostic } from '../../model/transcript';
import { arrayOf, field, isRecord, recordOf, stringOf, type JsonRecord } from '../../util/json';
import { messageId, messageOf } from '../assemble';
import type { ChainNode } from '../chain';
import type { SourceRecord } from '../lineReader';
import { countOf, filledOf, timeOf, titleOf } from './fields';
import { geminiContent, geminiMetadata, geminiRole } from './geminiParts';
import type { ReplayedCompaction } from './replay';
import type { SessionFacts } from './sessionTranscript';

/** A line of a Qwen Code session in our terms. */
export interface QwenRecord {
  /** Undefined for lines outside the tree. */
  readonly node: ChainNode | undefined;
  readonly message: Message | undefined;
  readonly compaction: ReplayedCompaction | undefined;
  readonly facts: SessionFacts;
  readonly diagnostic: Diagnostic | undefined;
}

const TYPES = new Set(['user', 'assistant', 'tool_result', 'system']);
const NO_NAMES = new Set<string>();

/** Translates one line; everything in it may be of any type. */
export function qwenRecord(source: SourceRecord): QwenRecord {
  const { value, line } = source;
  const type = isRecord(value) ? (stringOf(value, 'type') ?? '') : '';
  if (!isRecord(value) || !TYPES.has(type)) {
    return { ...NOTHING, diagnostic: { line, code: 'unknown_record', severity: 'info' } };
  }
  const uuid = stringOf(value, 'uuid');
  const id = messageId(uuid, line, source.part, NO_NAMES);
  const spoken = type === 'system' ? undefined : spokenMessage(value, type, id, line);
  const message = spoken?.message;
  const parent = field(value, 'parentUuid');
  return {
    node: {
      id: uuid,
      parentId: parent === null || typeof parent === 'string' ? parent : undefined,
      isSidechain: field(value, 'isSidechain') === true,
      canBeLeaf: true,
      toolUseIds: message?.content.flatMap((block) => (block.type === 'toolUse' ? [block.id] : [])) ?? [],
      toolResultIds: message?.content.flatMap((block) => (block.type === 'toolResult' ? [block.toolUseId] : [])) ?? [],
      line,
    },
    message,
    compaction: stringOf(value, 'subtype') === 'chat_compression' ? compactionOf(value, id, line) : undefined,
    facts: {
      agentVersion: filledOf(value, 'version'),
      sessionId: filledOf(value, 'sessionId'),
      cwd: filledOf(value, 'cwd'),
      title: titleOf(recordOf(value, 'systemPayload') ?? {}, 'customTitle'),
      windowTokens: countOf(value, 'contextWindowSize'),
    },
    diagnostic: spoken?.odd === true ? { line, code: 'odd_content', severity: 'info' } : undefined,
  };
}

const NOTHING: QwenRecord = { node: undefined, message: undefined, compaction: undefined, facts: {}, diagnostic: undefined };

function spokenMessage(value: JsonRecord, type: string, id: string, line: number): { readonly message: Message; readonly odd: boolean } {
  const content = geminiContent(field(recordOf(value, 'message') ?? {}, 'parts'));
  const isModel = type === 'assistant';
  const message = messageOf({
    id,
    role: geminiRole(isModel, content.blocks),
    // What the program reports (a finished background task) it writes in the user's name.
    kind: type === 'user' && stringOf(value, 'subtype') === 'notification' ? 'meta' : 'message',
    content: content.blocks,
    line,
    timestamp: timeOf(value, 'timestamp'),
    model: isModel ? filledOf(value, 'model') : undefined,
    usage: isModel ? geminiMetadata(field(value, 'usageMetadata')) : undefined,
    isSidechain: field(value, 'isSidechain') === true,
  });
  return { message, odd: content.odd };
}

/** A compaction states the whole new history: the summary, the program's thanks for it, and what was kept. */
function compactionOf(value: JsonRecord, id: string, line: number): ReplayedCompaction | undefined {
  const payload = recordOf(value, 'systemPayload') ?? {};
  const history = arrayOf(payload, 'compressedHistory');
  if (history === undefined) return undefined;
  const info = recordOf(payload, 'info') ?? {};
  const timestamp = timeOf(value, 'timestamp');
  const messages = history.filter(isRecord).map((entry, at): Message => {
    const { blocks } = geminiContent(field(entry, 'parts'));
    const isModel = stringOf(entry, 'role') === 'model';
    return messageOf({
      id: `line:${line}#${at + 1}`,
      role: geminiRole(isModel, blocks),
      kind: 'message',
      content: blocks,
      line,
      timestamp,
    });
  });
  return {
    boundary: messageOf({ id, role: 'system', kind: 'boundary', content: [], line, timestamp }),
    history: withSummary(messages),
    trigger: filledOf(info, 'trigger') ?? 'unknown',
    preTokens: countOf(info, 'originalTokenCount'),
    postTokens: countOf(info, 'newTokenCount'),
  };
}

const SNAPSHOT = '<state_snapshot>';

/** The summary says what it is; else it is the first message. The program's thanks follow it. */
function withSummary(messages: readonly Message[]): readonly Message[] {
  const named = messages.findLastIndex(({ role, content: [first] }) => {
    return role === 'user' && first?.type === 'text' && first.text.trimStart().startsWith(SNAPSHOT);
  });
  const summary = named >= 0 ? named : 0;
  return messages.map((message, at) => {
    if (at === summary && message.role === 'user') return { ...message, kind: 'summary' };
    return at === summary + 1 && message.role === 'assistant' && at < messages.length ? { ...message, kind: 'meta' } : message;
  });
}
