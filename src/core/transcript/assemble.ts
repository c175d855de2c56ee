import type { ContentBlock, Message, MessageKind, Role } from '../model/message';
import type { Diagnostic } from '../model/transcript';
import type { Usage } from '../model/usage';
import type { LineContents } from './storedLines';

/** Facts of a message that may be missing; undefined ones are left out of the message. */
export interface MessageParts {
  readonly id: string;
  readonly role: Role;
  readonly kind: MessageKind;
  readonly content: readonly ContentBlock[];
  readonly line: number;
  /** Where the record says that its long texts stay in the file (`SourceRecord.stored`). */
  readonly stored?: LineContents | undefined;
  readonly messageId?: string | undefined;
  readonly requestId?: string | undefined;
  readonly timestamp?: string | undefined;
  readonly model?: string | undefined;
  readonly usage?: Usage | undefined;
  readonly modelForNext?: string | undefined;
  readonly attachmentType?: string | undefined;
  readonly isSidechain?: boolean | undefined;
  readonly isInherited?: boolean | undefined;
  readonly isCompactionReply?: boolean | undefined;
}

export function messageOf(parts: MessageParts): Message {
  const { id, role, kind, line, timestamp, messageId, requestId, model, usage } = parts;
  const content = parts.stored?.keep(parts.content) ?? parts.content;
  const isPlain =
    parts.modelForNext === undefined &&
    parts.attachmentType === undefined &&
    parts.isSidechain !== true &&
    parts.isInherited !== true &&
    parts.isCompactionReply !== true;
  // This runs once for each line of files with hundreds of thousands of them: spreading costs ten times as much, and the usual messages are
  // made in one step, since an object that grows takes more memory for ever.
  if (
    isPlain &&
    timestamp !== undefined &&
    requestId === undefined &&
    messageId === undefined &&
    model === undefined &&
    usage === undefined
  )
    return { id, role, kind, content, line, timestamp };
  if (
    isPlain &&
    timestamp !== undefined &&
    requestId !== undefined &&
    messageId !== undefined &&
    model !== undefined &&
    usage !== undefined
  )
    return { id, role, kind, content, line, messageId, requestId, timestamp, model, usage };
  const message: { -readonly [Key in keyof Message]: Message[Key] } = { id, role, kind, content, line };
  if (parts.messageId !== undefined) message.messageId = parts.messageId;
  if (parts.requestId !== undefined) message.requestId = parts.requestId;
  if (parts.timestamp !== undefined) message.timestamp = parts.timestamp;
  if (parts.model !== undefined) message.model = parts.model;
  if (parts.usage !== undefined) message.usage = parts.usage;
  if (parts.modelForNext !== undefined) message.modelForNext = parts.modelForNext;
  if (parts.attachmentType !== undefined) message.attachmentType = parts.attachmentType;
  if (parts.isSidechain === true) message.isSidechain = true;
  if (parts.isInherited === true) message.isInherited = true;
  if (parts.isCompactionReply === true) message.isCompactionReply = true;
  return message;
}

/** Names that messages before this one have. */
export interface TakenIds {
  has(id: string): boolean;
}

/**
 * The record's own id where it is usable, else one made of its place in the file. Not usable are ids that are taken, that look like a place,
 * and those above 200 units.
 */
export function messageId(own: string | undefined, line: number, part: number, taken: TakenIds): string {
  if (own !== undefined && own !== '' && own.length <= 200 && !own.startsWith('line:') && !taken.has(own)) return own;
  return freeId(part > 0 ? `line:${line}#${part + 1}` : `line:${line}`, taken);
}

/** A name made of a place; fused lines may hold two things of one place. */
export function freeId(name: string, taken: TakenIds): string {
  return taken.has(name) ? freeId(`${name}'`, taken) : name;
}

/** Model that will answer next: the last one that answered or that a record announced. */
export function nextModel(messages: readonly Message[]): string | undefined {
  const last = messages.findLast((message) => message.kind !== 'apiError' && (message.modelForNext ?? message.model) !== undefined);
  return last?.modelForNext ?? last?.model;
}

/** Diagnostics in the order of their lines, with those about the whole file last. */
export function inLineOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.toSorted((a, b) => (a.line || Infinity) - (b.line || Infinity) || 0);
}

/** Ids that are taken, and those that are taken while an unfinished last line is looked at. */
export class LocalIds implements TakenIds {
  readonly #known: TakenIds;
  readonly #added = new Set<string>();

  constructor(known: TakenIds) {
    this.#known = known;
  }

  has(id: string): boolean {
    return this.#known.has(id) || this.#added.has(id);
  }

  add(id: string): void {
    this.#added.add(id);
  }
}
