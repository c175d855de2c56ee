import type { ContentBlock } from '../../model/message';
import { arrayOf, field, isRecord, recordOf, stringOf, type JsonRecord } from '../../util/json';
import { anthropicContent, textBlock } from './anthropicBlocks';

/** Longest text that is taken from the fields of one attachment, in UTF-16 units. */
const MAX_ATTACHMENT_CHARS = 256 * 1024;

const LONGEST_TYPE = 100;

/** Kinds that the program keeps for itself or shows to the user alone; the model never gets them. */
const UNSEEN = new Set([
  'prompt_snapshot',
  'command_permissions',
  'session_context',
  'hook_system_message',
  'hook_non_blocking_error',
  'hook_cancelled',
  'batching_reminder_sent',
  'goal_status',
]);

/** Where the text stands that the model gets, for kinds whose other fields are bookkeeping. */
const TEXT_FIELDS = new Map<string, readonly string[]>([
  ['agent_listing_delta', ['addedLines', 'removedTypes']],
  ['compact_file_reference', ['displayPath']],
  ['date', ['date']],
  ['date_change', ['newDate']],
  ['deferred_tools_delta', ['addedLines', 'removedNames']],
  ['edited_text_file', ['filename', 'snippet']],
  ['file', ['filename', 'content']],
  ['hook_additional_context', ['content']],
  ['hook_blocking_error', ['blockingError']],
  ['hook_success', ['content']],
  ['invoked_skills', ['skills']],
  ['mcp_instructions_delta', ['addedBlocks', 'removedNames']],
  ['model', ['text']],
  ['nested_memory', ['path', 'content']],
  ['plan_mode', ['planFilePath']],
  ['plan_mode_exit', ['planFilePath']],
  ['skill_listing', ['content']],
  ['task_reminder', ['content']],
  ['task_status', ['description', 'status', 'deltaSummary']],
  ['todo_reminder', ['content']],
]);

/** Fields of unknown kinds that are never text for the model. */
const BOOKKEEPING = new Set([
  'type',
  'hookName',
  'hookEvent',
  'toolUseID',
  'command',
  'stdout',
  'stderr',
  'source_uuid',
  'uuid',
  'timestamp',
]);

/**
 * What the model gets of a Claude Code attachment record, as far as the record tells: the text that newer versions store as they sent it,
 * else the fields that hold it. No blocks when it gets nothing.
 */
export function attachmentContent(record: JsonRecord): readonly ContentBlock[] {
  const rendered = arrayOf(record, 'rendered');
  if (rendered !== undefined) {
    return rendered.filter(isRecord).flatMap((part) => anthropicContent(field(part, 'content')).blocks);
  }
  const attachment = recordOf(record, 'attachment');
  const kind = attachment === undefined ? undefined : stringOf(attachment, 'type');
  if (attachment === undefined || kind === undefined || UNSEEN.has(kind)) return [];
  if (kind === 'queued_command') return anthropicContent(field(attachment, 'prompt')).blocks;
  const text = visibleText(attachment, TEXT_FIELDS.get(kind));
  return text === '' ? [] : [textBlock(text)];
}

/** What an attachment record is, in Claude Code's own word; undefined when it does not say. */
export function attachmentType(record: JsonRecord): string | undefined {
  const attachment = recordOf(record, 'attachment');
  return attachment === undefined ? undefined : stringOf(attachment, 'type')?.slice(0, LONGEST_TYPE);
}

/**
 * True for what a user wrote while the agent was at work, which then reached the model as an attachment. The program queues its own
 * notifications in the same way; they say so by their mode or their origin, in old versions by their tag alone.
 */
export function isQueuedPrompt(record: JsonRecord): boolean {
  const attachment = recordOf(record, 'attachment');
  if (attachment === undefined || stringOf(attachment, 'type') !== 'queued_command' || field(attachment, 'isMeta') === true) return false;
  const origin = stringOf(recordOf(attachment, 'origin') ?? {}, 'kind');
  if (origin !== undefined && origin !== 'human') return false;
  const mode = stringOf(attachment, 'commandMode');
  return mode === undefined ? !startsWithTag(field(attachment, 'prompt')) : mode === 'prompt';
}

function startsWithTag(prompt: unknown): boolean {
  const first: unknown = Array.isArray(prompt) ? prompt[0] : prompt;
  const text = isRecord(first) ? stringOf(first, 'text') : first;
  return typeof text === 'string' && text.startsWith('<task-notification>');
}

/** Model that a Claude Code attachment announces for the answers that follow. */
export function announcedModel(record: JsonRecord): string | undefined {
  const attachment = recordOf(record, 'attachment');
  if (attachment === undefined || stringOf(attachment, 'type') !== 'model') return undefined;
  const identity = recordOf(attachment, 'identity');
  return identity === undefined ? undefined : stringOf(identity, 'modelId');
}

function visibleText(attachment: JsonRecord, fields: readonly string[] | undefined): string {
  const parts: string[] = [];
  let room = MAX_ATTACHMENT_CHARS;
  // A list of what is still to visit instead of recursion: the order is that of the record.
  const values: unknown[] = (fields ?? Object.keys(attachment).filter((key) => !BOOKKEEPING.has(key)))
    .map((key) => field(attachment, key))
    .reverse();
  while (values.length > 0 && room > 0) {
    const value = values.pop();
    if (typeof value === 'string') {
      const text = value.slice(0, room);
      room -= text.length;
      if (text !== '') parts.push(text);
    } else if (Array.isArray(value)) values.push(...firstOf(value).reverse());
    else if (isRecord(value)) values.push(...valuesOf(value).reverse());
  }
  return parts.join('\n');
}

function firstOf(list: readonly unknown[]): unknown[] {
  return list.slice(0, 1000);
}

function valuesOf(record: JsonRecord): unknown[] {
  return Object.keys(record)
    .filter((key) => !BOOKKEEPING.has(key))
    .slice(0, 1000)
    .map((key) => field(record, key));
}
