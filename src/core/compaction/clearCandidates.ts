import { isToolResult, toolResultText, type Message, type ToolResultBlock, type ToolUseBlock } from '../model/message';
import { holdsMedia, withText } from '../model/resultBlocks';
import { toolClass, type ToolClass } from '../model/toolClass';
import { CLEARED_TEXT } from '../micro/compactableTools';
import { isTurnStart } from '../cut/turns';
import { argumentsText } from '../tokens/blockText';
import { isRecord, type JsonRecord } from '../util/json';
import { pathOf } from './offline/calls';
import { contextMessages, type PlanInput } from './planInput';

/**
 * Why a result can be spared: the file was read again later, or changed since; the same call gave the same answer again; it is an error that
 * was got over; it is older than a few turns. `none` of these holds for the newest ones.
 */
export type ClearReason = 'superseded' | 'changed' | 'duplicate' | 'error' | 'old' | 'none';

/** Why a result is not proposed, whatever else speaks for it; a pinned one is not cleared at all. */
export type Protection = 'person' | 'media' | 'newest' | 'pinned';

/** A tool result of the context that may be replaced by a mark. */
export interface ClearCandidate {
  readonly toolUseId: string;
  readonly tool: string;
  /** File, command or pattern that the call was about; '' when it names none. */
  readonly about: string;
  /** Index into `PlanInput.messages`, and of the block in its message. */
  readonly messageIndex: number;
  readonly blockIndex: number;
  /** UTF-16 units of the result's text. */
  readonly units: number;
  /** Turns of the user that began after it. */
  readonly turnsAgo: number;
  readonly reason: ClearReason;
  /** Present: it is never chosen by itself. */
  readonly protection: Protection | undefined;
}

/** Results older than this many turns have served their purpose in most sessions. */
const OLD_TURNS = 3;

/**
 * All results of the context that still hold text, oldest first, each with what speaks for clearing it. Results of tools whose answer cannot
 * be had again (a person's answer, a sub-agent's report), of pictures and of the newest `keepResults` clearable calls are protected. Linear.
 */
export function clearCandidates(input: PlanInput, keepResults: number): readonly ClearCandidate[] {
  const found = results(input);
  const later = laterWork(found);
  const clearable = found.filter(({ kind, block }) => kind !== 'other' && !holdsMedia(block));
  const newest = new Set(clearable.slice(Math.max(0, clearable.length - Math.max(1, Math.trunc(keepResults) || 1))));
  return found.flatMap((result, position): readonly ClearCandidate[] => {
    const { block, call, kind, messageIndex, blockIndex, text, turnsAgo } = result;
    if (text === '' || block.content === CLEARED_TEXT) return [];
    const protection = kind === 'other' ? 'person' : holdsMedia(block) ? 'media' : newest.has(result) ? 'newest' : undefined;
    return [
      {
        toolUseId: block.toolUseId,
        tool: call.name,
        about: result.about,
        messageIndex,
        blockIndex,
        units: text.length,
        turnsAgo,
        reason: reasonOf(result, position, later),
        protection,
      },
    ];
  });
}

interface Result {
  readonly block: ToolResultBlock;
  readonly call: ToolUseBlock;
  readonly kind: ToolClass;
  readonly about: string;
  readonly path: string | undefined;
  readonly messageIndex: number;
  readonly blockIndex: number;
  readonly text: string;
  readonly turnsAgo: number;
}

function results(input: PlanInput): readonly Result[] {
  const messages = contextMessages(input);
  const calls = new Map<string, ToolUseBlock>();
  const turns = messages.filter(isTurnStart).length;
  const found: Result[] = [];
  let turn = 0;
  messages.forEach((message, position) => {
    if (isTurnStart(message)) turn++;
    message.content.forEach((block, blockIndex) => {
      if (block.type === 'toolUse') calls.set(block.id, block);
      const call = isToolResult(block) ? calls.get(block.toolUseId) : undefined;
      if (!isToolResult(block) || call === undefined || block.server === true) return;
      const args = isRecord(call.input) ? call.input : {};
      found.push({
        block,
        call,
        kind: toolClass(call.name),
        about: aboutOf(args),
        path: pathOf(args),
        messageIndex: input.context[position] ?? 0,
        blockIndex,
        text: toolResultText(block),
        turnsAgo: turns - turn,
      });
    });
  });
  return found;
}

function aboutOf(args: JsonRecord): string {
  for (const key of ['command', 'cmd', 'pattern', 'query', 'url']) {
    const value = args[key];
    if (typeof value === 'string' && Object.hasOwn(args, key)) return value;
  }
  return pathOf(args) ?? '';
}

/** Positions of the last reading and the last change of each file, and of the last result of each call that says the same. */
interface LaterWork {
  readonly read: ReadonlyMap<string, number>;
  readonly changed: ReadonlyMap<string, number>;
  readonly same: ReadonlyMap<string, number>;
  readonly lastSuccess: ReadonlyMap<string, number>;
}

function laterWork(found: readonly Result[]): LaterWork {
  const read = new Map<string, number>();
  const changed = new Map<string, number>();
  const same = new Map<string, number>();
  const lastSuccess = new Map<string, number>();
  found.forEach((result, position) => {
    const { path, kind, block } = result;
    if (path !== undefined && kind === 'read' && isWhole(result)) read.set(path, position);
    if (path !== undefined && kind === 'write' && block.isError !== true) changed.set(path, position);
    same.set(sameKey(result), position);
    if (block.isError !== true) lastSuccess.set(result.call.name, position);
  });
  return { read, changed, same, lastSuccess };
}

/** A reading of a part of a file takes the place of no other one. */
function isWhole({ call }: Result): boolean {
  const args = isRecord(call.input) ? call.input : {};
  return !['offset', 'limit', 'start_line', 'end_line', 'view_range', 'line_range'].some((key) => Object.hasOwn(args, key));
}

function sameKey({ call, text }: Result): string {
  return `${call.name} ${call.rawInput ?? argumentsText(call)} ${text}`;
}

function reasonOf(result: Result, position: number, later: LaterWork): ClearReason {
  const { path, kind, block, turnsAgo } = result;
  const isLater = (at: number | undefined): boolean => at !== undefined && at > position;
  if (isLater(later.same.get(sameKey(result)))) return 'duplicate';
  if (path !== undefined && kind === 'read' && isLater(later.read.get(path))) return 'superseded';
  if (path !== undefined && kind === 'read' && isLater(later.changed.get(path))) return 'changed';
  if (block.isError === true && isLater(later.lastSuccess.get(result.call.name))) return 'error';
  return turnsAgo >= OLD_TURNS ? 'old' : 'none';
}

/** The messages with the texts of some results replaced; messages in which nothing changes keep their identity. */
export function withClearedResults(message: Message, blocks: ReadonlyMap<number, string>): Message {
  const content = message.content.map((block, index) => {
    const text = blocks.get(index);
    return text === undefined || !isToolResult(block) ? block : withText(block, text);
  });
  return { ...message, content };
}
