// The neutral conversation model. Every transcript format is translated into it, and everything above reads only it.
import type { JsonRecord } from '../util/json';
import type { Usage } from './usage';

export type Role = 'user' | 'assistant' | 'system' | 'developer' | 'tool';

/**
 * What a message is besides its role, as the format's own record structure tells (never its text).
 * `meta` is text that the agent's program wrote in the user's name; `attachment` is a reminder that the program adds.
 */
export type MessageKind = 'message' | 'summary' | 'boundary' | 'microBoundary' | 'attachment' | 'meta' | 'apiError';

export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}

export interface ThinkingBlock {
  readonly type: 'thinking';
  readonly text: string;
  /** Opaque proof of the provider; the block is passed on byte for byte or left out whole (R06). */
  readonly signature?: string;
  /** The text is hidden by the provider; only the signature or ciphertext is stored. */
  readonly redacted?: boolean;
}

export interface ToolUseBlock {
  readonly type: 'toolUse';
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** The arguments as the provider wrote them, where the format stores text instead of a value. */
  readonly rawInput?: string;
  /** Run by the provider inside its own response (web search and the like). */
  readonly server?: boolean;
}

/** How a call ended, where a program says more than "failed or not" (seed 2). */
export type ToolOutcome = 'succeeded' | 'failed' | 'partial' | 'denied' | 'cancelled' | 'timed_out';

export interface ToolResultBlock {
  readonly type: 'toolResult';
  readonly toolUseId: string;
  readonly content: string | readonly ContentBlock[];
  /** Text that is stored beside blocks. It stands in for them where they say nothing themselves (seed 2, tool_result text). */
  readonly plainText?: string;
  readonly isError?: boolean;
  readonly server?: boolean;
  readonly outcome?: ToolOutcome;
  /** Named values that the tool's program wrote beside the result, such as `error.code`. */
  readonly metadata?: ReadonlyMap<string, string>;
  /** What the tool states about its own work, by kind of work (`inspect`, `run`, `patch`). Counts and states, never the output itself. */
  readonly proof?: JsonRecord;
}

export interface MediaBlock {
  readonly type: 'image' | 'document';
  readonly mediaType?: string;
}

export interface ToolReferenceBlock {
  readonly type: 'toolReference';
  readonly name: string;
}

/** A block of a type that we do not know. `raw` is its JSON; it is counted as text and never interpreted. */
export interface UnknownBlock {
  readonly type: 'unknown';
  readonly originalType: string;
  readonly raw: string;
}

export type ContentBlock = TextBlock | ThinkingBlock | ToolUseBlock | ToolResultBlock | MediaBlock | ToolReferenceBlock | UnknownBlock;

export interface Message {
  /** The record's own id: Claude Code `uuid`, else the item's id, else `line:N` (or `line:N#K` for the K-th item of a line). */
  readonly id: string;
  readonly role: Role;
  readonly kind: MessageKind;
  readonly content: readonly ContentBlock[];
  /** The provider's message id. All fragments of one response share it and never part (R02). */
  readonly messageId?: string;
  readonly requestId?: string;
  readonly timestamp?: string;
  readonly model?: string;
  /** What the provider reported for the response that this message belongs to. Repeated on each fragment. */
  readonly usage?: Usage;
  /** The model that will answer next, where a record states it before that answer. */
  readonly modelForNext?: string;
  /** What the program added, in its own word (Claude Code `attachment.type`), where it added the message by a record of that kind. */
  readonly attachmentType?: string;
  /** Belongs to a sub-agent's conversation, which has a window of its own (R26). */
  readonly isSidechain?: boolean;
  /** Copied from a parent session by a fork or resume; not new work of this one (R28). */
  readonly isInherited?: boolean;
  /** The answer of a compaction's own call; its usage says nothing about the context (R10). */
  readonly isCompactionReply?: boolean;
  /** 1-based line of the source record; 0 where the format has no lines. */
  readonly line: number;
}

/** True for a call of a tool. */
export function isToolUse(block: ContentBlock): block is ToolUseBlock {
  return block.type === 'toolUse';
}

/** True for the result of a call. */
export function isToolResult(block: ContentBlock): block is ToolResultBlock {
  return block.type === 'toolResult';
}

/** True for text that is said, thinking excepted. */
export function isText(block: ContentBlock): block is TextBlock {
  return block.type === 'text';
}

/** True for a picture or a document, which cost by their number and not by their length (P12). */
export function isMedia(block: ContentBlock): block is MediaBlock {
  return block.type === 'image' || block.type === 'document';
}

/** Joins the text blocks of a message with newlines; '' when it has none. */
export function textOf(message: Message): string {
  return message.content
    .filter(isText)
    .map((block) => block.text)
    .join('\n');
}

/**
 * The text that a model sees of a tool result: text blocks joined with newlines, `[image]`, `[document]` and `[tool:NAME]` in the place of
 * what is not text, `[TYPE]` for unknown blocks; the plain text beside them where they say nothing (seed 2, tool_result text).
 */
export function toolResultText(block: ToolResultBlock): string {
  if (typeof block.content === 'string') return block.content;
  const { plainText = '' } = block;
  if (plainText !== '' && block.content.every(({ type }) => type === 'toolReference')) return plainText;
  const text = block.content
    .map((part) => {
      if (part.type === 'text') return part.text;
      if (part.type === 'toolReference') return `[tool:${part.name}]`;
      if (part.type === 'unknown') return `[${part.originalType}]`;
      return `[${part.type}]`;
    })
    .filter((part) => part !== '')
    .join('\n');
  return text === '' ? plainText : text;
}

/** True for a message that may carry tool results: the user's in most formats, one of its own role in others. */
export function carriesResults(message: Message): boolean {
  return message.role === 'user' || message.role === 'tool';
}
