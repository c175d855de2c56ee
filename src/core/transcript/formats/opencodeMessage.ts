import type { ContentBlock, Message } from '../../model/message';
import type { Usage } from '../../model/usage';
import { arrayOf, field, isRecord, numberOf, recordOf, stringOf, type JsonRecord } from '../../util/json';
import { toWellFormed } from '../../util/text';
import { messageId, messageOf, type LocalIds } from '../assemble';
import { usableUsage } from '../usage';
import { MAX_BLOCKS, textBlock } from './anthropicBlocks';
import type { OpencodeMessage } from './opencodeSession';
import { callBlock, isoTime } from './session';

/** What opencode sends for a tool's output that it has pruned; the output itself stays on the disk. */
const PRUNED = '[Old tool result content cleared]';

/**
 * Neutral messages of one of opencode's: a user's is one; an assistant's holds the requests of its steps, each with the results of its tools
 * behind it. `isCompaction` marks the user message that asks for a compaction.
 */
export function neutralMessages(message: OpencodeMessage, index: number, ids: LocalIds, isCompaction: boolean): readonly Message[] {
  const role = stringOf(message.info, 'role');
  const own = messageId(stringOf(message.info, 'id'), 0, index, ids);
  ids.add(own);
  return role === 'assistant' ? assistantMessages(message, own, ids) : [userMessage(message, own, isCompaction)];
}

/** True for an answer that failed, which is not sent again; one that was broken off is, when it says anything. */
export function isFailed({ info, parts }: OpencodeMessage): boolean {
  const error = recordOf(info, 'error');
  if (error === undefined) return false;
  const says = parts.some((part) => !['step-start', 'reasoning'].includes(stringOf(part, 'type') ?? ''));
  return !(stringOf(error, 'name') === 'MessageAbortedError' && says);
}

function userMessage({ info, parts }: OpencodeMessage, id: string, isCompaction: boolean): Message {
  const texts = parts.filter((part) => stringOf(part, 'type') === 'text' && field(part, 'ignored') !== true);
  const isOwn = texts.length === 0 || texts.some((part) => field(part, 'synthetic') !== true);
  return messageOf({
    id,
    role: 'user',
    kind: isCompaction ? 'boundary' : isOwn ? 'message' : 'meta',
    content: isCompaction ? [] : parts.slice(0, MAX_BLOCKS).flatMap(userBlock),
    line: 0,
    timestamp: createdAt(info),
    modelForNext: modelOf(recordOf(info, 'model')),
  });
}

function userBlock(part: JsonRecord): readonly ContentBlock[] {
  const type = stringOf(part, 'type');
  if (type === 'text') return field(part, 'ignored') === true ? [] : textOf(part);
  return type === 'file' ? fileBlock(part) : [];
}

/** Text files are given to the model as synthetic text parts, which are stored beside. */
function fileBlock(part: JsonRecord): readonly ContentBlock[] {
  const mediaType = stringOf(part, 'mime') ?? '';
  if (mediaType.startsWith('text/') || mediaType === 'application/x-directory') return [];
  return [{ type: mediaType.startsWith('image/') ? 'image' : 'document', mediaType: toWellFormed(mediaType) }];
}

/** One request of an assistant's message, while its parts are gone through. */
interface Step {
  readonly content: ContentBlock[];
  readonly results: ContentBlock[];
  usage: Usage | undefined;
}

function assistantMessages(message: OpencodeMessage, own: string, ids: LocalIds): readonly Message[] {
  const { info } = message;
  const steps = stepsOf(message);
  const isSummary = field(info, 'summary') === true;
  const model = stringOf(info, 'modelID');
  const timestamp = createdAt(info);
  const messages: Message[] = [];
  for (const [index, { content, results, usage }] of steps.entries()) {
    const id = index === 0 ? own : messageId(`${own}#${index + 1}`, 0, index, ids);
    ids.add(id);
    messages.push(
      messageOf({
        id,
        role: 'assistant',
        kind: isFailed(message) ? 'apiError' : isSummary ? 'summary' : 'message',
        content,
        line: 0,
        messageId: id,
        timestamp,
        model,
        usage,
        isCompactionReply: isSummary,
      }),
    );
    if (results.length === 0) continue;
    const resultsId = messageId(`${id}/results`, 0, index, ids);
    ids.add(resultsId);
    messages.push(messageOf({ id: resultsId, role: 'tool', kind: 'message', content: results, line: 0, timestamp }));
  }
  return messages;
}

/** The message's own tokens are those of its last step; where steps state theirs, each request has its own. */
function stepsOf({ info, parts }: OpencodeMessage): readonly Step[] {
  const steps: Step[] = [{ content: [], results: [], usage: undefined }];
  for (const part of parts.slice(0, MAX_BLOCKS)) {
    const type = stringOf(part, 'type');
    let step = steps.at(-1);
    if (step === undefined) break;
    if (type === 'step-start' && (step.content.length > 0 || step.usage !== undefined)) {
      step = { content: [], results: [], usage: undefined };
      steps.push(step);
    }
    if (type === 'text') step.content.push(...textOf(part));
    else if (type === 'reasoning') step.content.push({ type: 'thinking', text: toWellFormed(stringOf(part, 'text') ?? '') });
    else if (type === 'file') step.content.push(...fileBlock(part));
    else if (type === 'step-finish') step.usage = opencodeUsage(recordOf(part, 'tokens'));
    else if (type === 'tool') addTool(step, part);
  }
  const last = steps.at(-1);
  if (last !== undefined && steps.every((step) => step.usage === undefined)) last.usage = opencodeUsage(recordOf(info, 'tokens'));
  return steps;
}

function addTool({ content, results }: Step, part: JsonRecord): void {
  const id = stringOf(part, 'callID');
  const state = recordOf(part, 'state');
  if (id === undefined || state === undefined) return;
  content.push(callBlock(id, stringOf(part, 'tool') ?? '', field(state, 'input')));
  const status = stringOf(state, 'status');
  if (status !== 'completed' && status !== 'error') return;
  const isPruned = field(recordOf(state, 'time') ?? {}, 'compacted') !== undefined;
  const text = toWellFormed(stringOf(state, status === 'error' ? 'error' : 'output') ?? '');
  const files = isPruned ? [] : (arrayOf(state, 'attachments') ?? []).filter(isRecord).flatMap(fileBlock);
  results.push({
    type: 'toolResult',
    toolUseId: id,
    content: isPruned ? PRUNED : files.length === 0 ? text : [textBlock(text), ...files],
    ...(status === 'error' ? { isError: true } : {}),
  });
}

/**
 * Input excludes both cache parts. Whether the output holds the reasoning depends on the version; the total, where there is one, tells.
 */
export function opencodeUsage(tokens: JsonRecord | undefined): Usage | undefined {
  if (tokens === undefined) return undefined;
  const cache = recordOf(tokens, 'cache') ?? {};
  const input = field(tokens, 'input');
  const [output, reasoning] = [numberOf(tokens, 'output') ?? 0, numberOf(tokens, 'reasoning') ?? 0];
  const [read, write] = [numberOf(cache, 'read') ?? 0, numberOf(cache, 'write') ?? 0];
  const isApart = typeof input === 'number' && numberOf(tokens, 'total') === input + read + write + output + reasoning;
  return usableUsage({ input, output: isApart ? output + reasoning : output, cacheRead: read, cacheCreation: write });
}

function textOf(part: JsonRecord): readonly ContentBlock[] {
  const text = stringOf(part, 'text') ?? '';
  return text === '' ? [] : [textBlock(text)];
}

function createdAt(info: JsonRecord): string | undefined {
  return isoTime(field(recordOf(info, 'time') ?? {}, 'created'));
}

function modelOf(model: JsonRecord | undefined): string | undefined {
  return model === undefined ? undefined : stringOf(model, 'modelID');
}
