import type { ContentBlock, Message, MessageKind, Role } from '../../model/message';
import type { Diagnostic } from '../../model/transcript';
import { arrayOf, field, isRecord, recordOf, stringOf, type JsonRecord } from '../../util/json';
import { messageId, messageOf } from '../assemble';
import type { ChainNode } from '../chain';
import type { SourceRecord } from '../lineReader';
import { contentsOf, type LineContents } from '../storedLines';
import type { SessionFacts } from '../transcriptDraft';
import { countOf, filledOf, timeOf, titleOf } from './fields';
import { geminiContent, geminiMetadata, geminiRole } from './geminiParts';
import type { StoredTexts } from './format';
import type { ReplayedCompaction } from './replay';

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
  const place: Place = { id, line, timestamp: timeOf(value, 'timestamp'), stored: source.stored };
  const spoken = type === 'system' ? undefined : spokenMessage(value, type, place);
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
    compaction: stringOf(value, 'subtype') === 'chat_compression' ? compactionOf(value, place) : undefined,
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

/** How long texts of a session may stay in its file. */
export const qwenStored: StoredTexts = {
  needsWhole: (outline) => !isRecord(outline) || stringOf(outline, 'type') === 'system' || recordOf(outline, 'systemPayload') !== undefined,
  contentOf: (value) => contentsOf(value, qwenRecord),
};

interface Place {
  readonly id: string;
  readonly line: number;
  readonly timestamp: string | undefined;
  readonly stored: LineContents | undefined;
}

function spokenMessage(value: JsonRecord, type: string, place: Place): { readonly message: Message; readonly odd: boolean } {
  const content = geminiContent(field(recordOf(value, 'message') ?? {}, 'parts'));
  const isModel = type === 'assistant';
  const message = messageOf({
    ...place,
    role: geminiRole(isModel, content.blocks),
    // What the program reports (a finished background task) it writes in the user's name.
    kind: type === 'user' && stringOf(value, 'subtype') === 'notification' ? 'meta' : 'message',
    content: content.blocks,
    model: isModel ? filledOf(value, 'model') : undefined,
    usage: isModel ? geminiMetadata(field(value, 'usageMetadata')) : undefined,
    isSidechain: field(value, 'isSidechain') === true,
  });
  return { message, odd: content.odd };
}

/** A compaction states the whole new history: the summary, the program's thanks for it, and what was kept. */
function compactionOf(value: JsonRecord, place: Place): ReplayedCompaction | undefined {
  const payload = recordOf(value, 'systemPayload') ?? {};
  const entries = arrayOf(payload, 'compressedHistory')?.filter(isRecord);
  if (entries === undefined) return undefined;
  const info = recordOf(payload, 'info') ?? {};
  const history = entries.map((entry): HistoryEntry => {
    const { blocks } = geminiContent(field(entry, 'parts'));
    return { role: geminiRole(stringOf(entry, 'role') === 'model', blocks), blocks };
  });
  const summary = summaryOf(history);
  return {
    boundary: messageOf({ ...place, role: 'system', kind: 'boundary', content: [] }),
    history: history.map(({ role, blocks }, at): Message => {
      const kind = kindIn(role, at - summary);
      return messageOf({ ...place, id: `line:${place.line}#${at + 1}`, role, kind, content: blocks });
    }),
    trigger: filledOf(info, 'trigger') ?? 'unknown',
    preTokens: countOf(info, 'originalTokenCount'),
    postTokens: countOf(info, 'newTokenCount'),
  };
}

interface HistoryEntry {
  readonly role: Role;
  readonly blocks: readonly ContentBlock[];
}

const SNAPSHOT = '<state_snapshot>';

/** Place of the summary, which says what it is; else it is the first message. */
function summaryOf(history: readonly HistoryEntry[]): number {
  const named = history.findLastIndex(({ role, blocks: [first] }) => {
    return role === 'user' && first?.type === 'text' && first.text.trimStart().startsWith(SNAPSHOT);
  });
  return Math.max(named, 0);
}

/** Kind of a message of the new history, by its distance from the summary. The program's thanks follow the summary. */
function kindIn(role: Role, distance: number): MessageKind {
  if (distance === 0 && role === 'user') return 'summary';
  return distance === 1 && role === 'assistant' ? 'meta' : 'message';
}
