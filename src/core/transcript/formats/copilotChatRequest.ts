import type { ContentBlock, Message, ToolResultBlock } from '../../model/message';
import type { Usage } from '../../model/usage';
import { arrayOf, field, isRecord, recordOf, stringOf, type JsonRecord } from '../../util/json';
import { toWellFormed } from '../../util/text';
import { messageId, messageOf } from '../assemble';
import { usableUsage } from '../usage';
import { MAX_BLOCKS, textBlock } from './anthropicBlocks';
import { callBlock } from './session';
import { responseMessages, type ResponseMessages } from './copilotChatResponse';
import { toolContent } from './copilotChatResult';
import { filledOf, timeOf } from './fields';

/** A summary that stands for everything up to a round. */
export interface RoundSummary {
  readonly roundId: string;
  readonly text: string;
  readonly isManual: boolean;
}

/** A request with its answer in our terms. */
export interface ChatRequest {
  /** Context of the whole chat, which each request repeats. */
  readonly global: Message | undefined;
  readonly messages: readonly Message[];
  /** Position in `messages` behind each round, by its id. */
  readonly rounds: ReadonlyMap<string, number>;
  readonly summaries: readonly RoundSummary[];
  readonly sidechains: ResponseMessages['sidechains'];
  /** The user has gone back before it. */
  readonly isTakenBack: boolean;
  readonly version: string | undefined;
  readonly model: string | undefined;
}

const NO_NAMES = new Set<string>();

/** Translates one request; everything in it may be of any type. What the model saw stands in the result's metadata, where there is any. */
export function chatRequest(request: JsonRecord, line: number, part: number): ChatRequest {
  const result = recordOf(request, 'result') ?? {};
  const metadata = recordOf(result, 'metadata') ?? {};
  const id = messageId(stringOf(request, 'requestId'), line, part, NO_NAMES);
  const place = { line, timestamp: timeOf(request, 'timestamp') };
  const model = filledOf(request, 'modelId');
  const rendered = renderedParts(arrayOf(metadata, 'renderedUserMessage'));
  const content = rendered.length > 0 ? rendered : ownPrompt(request);
  const prompt = messageOf({ ...place, id, role: 'user', kind: 'message', content });
  const response = responseMessages(arrayOf(request, 'response') ?? [], { ...place, id, model });
  const rounds = (arrayOf(metadata, 'toolCallRounds') ?? []).filter(isRecord);
  const results = recordOf(metadata, 'toolCallResults') ?? {};
  const messages: Message[] = content.length === 0 ? [] : [prompt];
  const ends = new Map<string, number>();
  rounds.forEach((round, at) => {
    messages.push(...roundMessages(round, results, { ...place, id: `${id}#${at + 1}`, model }));
    const roundId = stringOf(round, 'id');
    if (roundId !== undefined) ends.set(roundId, messages.length);
  });
  if (rounds.length === 0) messages.push(...response.messages);
  const usage = usageOf(result, metadata);
  const last = messages.findLastIndex((message) => message.role === 'assistant');
  const answer = messages[last];
  if (answer !== undefined && usage !== undefined) messages[last] = { ...answer, usage };
  const error = stringOf(recordOf(result, 'errorDetails') ?? {}, 'message');
  if (error !== undefined) {
    messages.push(messageOf({ ...place, id: `${id}#error`, role: 'assistant', kind: 'apiError', content: [textBlock(error)] }));
  }
  const shared = renderedParts(arrayOf(metadata, 'renderedGlobalContext'));
  return {
    global:
      shared.length === 0 ? undefined : messageOf({ ...place, id: `${id}#context`, role: 'user', kind: 'attachment', content: shared }),
    messages,
    rounds: ends,
    summaries: summariesOf(metadata, rounds, stringOf(recordOf(request, 'slashCommand') ?? {}, 'name') === 'compact'),
    sidechains: response.sidechains,
    isTakenBack: isSet(field(request, 'isHidden')) || isSet(field(request, 'shouldBeRemovedOnSend')),
    version: filledOf(recordOf(request, 'agent') ?? {}, 'extensionVersion'),
    model,
  };
}

interface Place {
  readonly id: string;
  readonly line: number;
  readonly timestamp: string | undefined;
  readonly model: string | undefined;
}

function isSet(value: unknown): boolean {
  return value === true || isRecord(value);
}

const IMAGE_PART = 0;

/** Parts of a rendered prompt: text, pictures, and marks of the cache, which are no content. */
function renderedParts(parts: readonly unknown[] | undefined): readonly ContentBlock[] {
  return (parts ?? []).slice(0, MAX_BLOCKS).flatMap((part): readonly ContentBlock[] => {
    if (!isRecord(part)) return [];
    const text = filledOf(part, 'text');
    if (text !== undefined) return [textBlock(text)];
    return field(part, 'type') === IMAGE_PART || recordOf(part, 'imageUrl') !== undefined ? [{ type: 'image' }] : [];
  });
}

function ownPrompt(request: JsonRecord): readonly ContentBlock[] {
  const message = field(request, 'message');
  const text = isRecord(message) ? filledOf(message, 'text') : typeof message === 'string' && message !== '' ? message : undefined;
  const variables = arrayOf(recordOf(request, 'variableData') ?? {}, 'variables') ?? [];
  const images = variables.slice(0, MAX_BLOCKS).filter((variable) => isRecord(variable) && stringOf(variable, 'kind') === 'image');
  return [...(text === undefined ? [] : [textBlock(text)]), ...images.map((): ContentBlock => ({ type: 'image' }))];
}

function roundMessages(round: JsonRecord, results: JsonRecord, place: Place): readonly Message[] {
  const id = filledOf(round, 'id') ?? place.id;
  const timestamp = timeOf(round, 'timestamp') ?? place.timestamp;
  const calls = (arrayOf(round, 'toolCalls') ?? []).slice(0, MAX_BLOCKS).filter(isRecord);
  const text = filledOf(round, 'response');
  const content = [
    ...thinkingOf(recordOf(round, 'thinking')),
    ...(text === undefined ? [] : [textBlock(text)]),
    ...calls.map((call) => callBlock(stringOf(call, 'id') ?? '', stringOf(call, 'name') ?? '', field(call, 'arguments'))),
  ];
  const answers = calls.flatMap((call): readonly ToolResultBlock[] => {
    const toolUseId = stringOf(call, 'id') ?? '';
    const result = recordOf(results, toolUseId);
    return result === undefined ? [] : [{ type: 'toolResult', toolUseId, content: toolContent(result) }];
  });
  const { line, model } = place;
  return [
    ...(content.length === 0 ? [] : [messageOf({ id, role: 'assistant', kind: 'message', content, line, timestamp, model })]),
    ...(answers.length === 0
      ? []
      : [messageOf({ id: `${id}#results`.slice(-200), role: 'tool', kind: 'message', content: answers, line, timestamp })]),
  ];
}

function thinkingOf(thinking: JsonRecord | undefined): readonly ContentBlock[] {
  if (thinking === undefined) return [];
  const value = field(thinking, 'text');
  const text = toWellFormed(
    Array.isArray(value) ? value.filter((piece) => typeof piece === 'string').join('') : typeof value === 'string' ? value : '',
  );
  const signature = filledOf(thinking, 'encrypted');
  if (text === '' && signature === undefined) return [];
  return [{ type: 'thinking', text, ...(signature === undefined ? {} : { signature }), ...(text === '' ? { redacted: true } : {}) }];
}

/** Only newer builds tell it. */
function usageOf(result: JsonRecord, metadata: JsonRecord): Usage | undefined {
  const usage = recordOf(result, 'usage');
  const input = usage === undefined ? field(metadata, 'promptTokens') : field(usage, 'promptTokens');
  const output = usage === undefined ? field(metadata, 'outputTokens') : field(usage, 'completionTokens');
  return usableUsage({ input, output, cacheRead: 0, cacheCreation: 0 });
}

function summariesOf(metadata: JsonRecord, rounds: readonly JsonRecord[], isManual: boolean): readonly RoundSummary[] {
  const own = rounds.map((round) => ({ roundId: stringOf(round, 'id'), text: filledOf(round, 'summary') }));
  const named = [...(arrayOf(metadata, 'summaries') ?? []), field(metadata, 'summary')].filter(isRecord);
  const stated = named.map((summary) => ({ roundId: stringOf(summary, 'toolCallRoundId'), text: filledOf(summary, 'text') }));
  return [...own, ...stated].flatMap(({ roundId, text }) =>
    roundId === undefined || text === undefined ? [] : [{ roundId, text, isManual }],
  );
}
