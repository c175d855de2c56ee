import type { CompactBoundary } from '../../model/boundary';
import type { ContentBlock, Message, Role } from '../../model/message';
import type { ContextReport, Diagnostic, Sidechain } from '../../model/transcript';
import { isTokenCount, type Usage } from '../../model/usage';
import { arrayOf, field, isRecord, recordOf, stringOf, type JsonRecord } from '../../util/json';
import { toWellFormed } from '../../util/text';
import { LocalIds, messageId, messageOf } from '../assemble';
import type { SourceRecord } from '../lineReader';
import { PartRecord } from '../partRecord';
import { usableUsage } from '../usage';
import { plainBoundary, type TranscriptDraft } from '../transcriptDraft';
import { MAX_BLOCKS, textBlock, unknownBlock } from './anthropicBlocks';
import { isDockerDocument, sessionsOfDocument, sessionsOfRows, type DockerItem, type DockerSession } from './dockerAgentSession';
import type { TranscriptFormat } from './format';
import { isOriginOf } from './origin';
import { chatCall } from './openaiChat';
import { SessionCollector } from './session';

/** docker agent (formerly cagent): rows of its database, or a session's JSON export. */
export const dockerAgent: TranscriptFormat = {
  id: 'docker-agent',
  agent: 'docker-agent',
  recognise: (sample) => (isOriginOf(sample, 'docker-agent') ? 1 : sample.some(isDockerDocument) ? 0.92 : 0),
  collect: () => new SessionCollector('docker-agent', read),
};

function read(records: readonly SourceRecord[]): TranscriptDraft {
  const values = records.map((record) => record.value);
  const document = values.find(isDockerDocument);
  const sessions =
    document !== undefined && !values.some((value) => value instanceof PartRecord) ? sessionsOfDocument(document) : sessionsOfRows(values);
  const [main, ...children] = sessions.values();
  if (main === undefined) return { messages: [] };
  const ids = new LocalIds(new Set());
  const played = play(main, ids, false);
  const sidechains = children.map((child): Sidechain => ({ id: child.id, messages: play(child, ids, true).messages }));
  return {
    sessionId: main.id,
    title: main.title,
    cwd: main.cwd,
    ...played,
    reports: reportOf(main, played),
    sidechains: sidechains.filter((chain) => chain.messages.length > 0),
  };
}

const BAD_MESSAGE = { line: 0, code: 'bad_json', severity: 'error' } as const;

interface Played {
  readonly messages: readonly Message[];
  readonly context: readonly number[];
  readonly boundaries: readonly CompactBoundary[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Plays the items of a session: the last summary stands for what is before it, but for what it kept. */
function play(session: DockerSession, ids: LocalIds, isSidechain: boolean): Played {
  const messages: Message[] = [];
  const boundaries: CompactBoundary[] = [];
  const diagnostics: Diagnostic[] = [];
  /** Item → index of its message. */
  const placeOf = new Map<number, number>();
  let context: number[] = [];
  // What earlier summaries kept is not sent any more, and a hostile session may hold very many of them.
  const last = session.items.findLastIndex((item) => item.kind === 'summary');
  const add = (message: Message, item: number): number => {
    ids.add(message.id);
    placeOf.set(item, messages.length);
    return messages.push(message) - 1;
  };
  for (const [at, item] of session.items.entries()) {
    if (item.kind === 'message') context.push(add(dockerMessage(item, messageId(item.id, 0, at, ids), isSidechain), at));
    else if (item.kind === 'summary') {
      const facts = { role: 'system', kind: 'boundary', content: [], line: 0, isSidechain } as const;
      const boundary = messageOf({ ...facts, id: messageId(item.id, 0, at, ids) });
      const index = add(boundary, at);
      const summary = messageOf({ ...facts, id: `${boundary.id}#2`, role: 'user', kind: 'summary', content: [textBlock(item.text)] });
      const summaryIndex = add(summary, at);
      const kept = (at < last ? [] : keptItems(item.firstKept, at)).flatMap((k) =>
        session.items[k]?.kind === 'message' ? (placeOf.get(k) ?? []) : [],
      );
      if (at === last) context = [...systemBefore(messages, context, kept), summaryIndex, ...kept];
      boundaries.push(
        plainBoundary(index, boundary, {
          summaryId: summary.id,
          preservedSegment:
            kept.length === 0
              ? undefined
              : {
                  startIndex: kept[0] ?? null,
                  count: kept.length,
                  anchor: summary.id,
                  direction: 'upTo',
                  ids: kept.flatMap((one) => messages[one]?.id ?? []),
                },
        }),
      );
    } else if (item.kind === 'other')
      diagnostics.push(item.type === 'message' ? BAD_MESSAGE : { line: 0, code: 'unknown_record', severity: 'info' });
  }
  return { messages, context, boundaries, diagnostics };
}

/** System messages are sent in any case; they stand in front. */
function systemBefore(messages: readonly Message[], context: readonly number[], kept: readonly number[]): readonly number[] {
  const isKept = new Set(kept);
  return context.filter((index) => messages[index]?.role === 'system' && !isKept.has(index));
}

/** What a summary left standing: from the stated item on, where that is before the summary. */
function keptItems(firstKept: number | undefined, summary: number): readonly number[] {
  if (firstKept === undefined || firstKept <= 0 || firstKept >= summary) return [];
  return Array.from({ length: summary - firstKept }, (_, index) => firstKept + index);
}

/**
 * The session's own count, where no answer since the last compaction has one: older versions store none on messages, and after a compaction
 * the agent writes its own estimate of the summary there.
 */
function reportOf(session: DockerSession, { messages, boundaries }: Played): readonly ContextReport[] | undefined {
  const last = boundaries.at(-1)?.index ?? -1;
  const { inputTokens, outputTokens } = session;
  if (messages.some((message, index) => index > last && message.usage !== undefined)) return undefined;
  if (!isTokenCount(inputTokens) || !isTokenCount(outputTokens) || inputTokens === 0) return undefined;
  const answer = messages.findLastIndex((message, index) => index > last && message.role === 'assistant');
  const summary = messages.findLastIndex((message) => message.kind === 'summary');
  return [
    {
      afterIndex: Math.max(answer, summary) + 1,
      contextTokens: inputTokens + outputTokens,
      inputTokens,
      outputTokens,
      cacheReadTokens: 0,
      isAgentEstimate: answer === -1,
      line: 0,
    },
  ];
}

const ROLES = new Map<string, Role>([
  ['system', 'system'],
  ['assistant', 'assistant'],
  ['tool', 'tool'],
]);

function dockerMessage({ message, isImplicit }: DockerItem & { kind: 'message' }, id: string, isSidechain: boolean): Message {
  const role = ROLES.get(stringOf(message, 'role') ?? '') ?? 'user';
  const isAnswer = role === 'assistant';
  return messageOf({
    id,
    role,
    kind: isImplicit && role === 'user' ? 'meta' : 'message',
    content: role === 'tool' ? [toolResult(message)] : contentOf(message),
    line: 0,
    timestamp: stringOf(message, 'created_at'),
    model: isAnswer ? stringOf(message, 'model') || undefined : undefined,
    usage: isAnswer ? dockerUsage(recordOf(message, 'usage')) : undefined,
    isSidechain,
  });
}

function contentOf(message: JsonRecord): readonly ContentBlock[] {
  const reasoning = stringOf(message, 'reasoning_content') ?? '';
  const signature = stringOf(message, 'thinking_signature') ?? '';
  return [
    ...(reasoning === '' && signature === ''
      ? []
      : [{ type: 'thinking', text: toWellFormed(reasoning), ...(signature === '' ? {} : { signature }) } as const]),
    ...partsOf(message),
    ...(arrayOf(message, 'tool_calls') ?? []).slice(0, MAX_BLOCKS).map(chatCall),
  ];
}

/** `multi_content` stands in for `content` where there is any. */
function partsOf(message: JsonRecord): readonly ContentBlock[] {
  const parts = arrayOf(message, 'multi_content') ?? [];
  const text = stringOf(message, 'content') ?? '';
  if (parts.length === 0) return text === '' ? [] : [textBlock(text)];
  return parts.slice(0, MAX_BLOCKS).map((part): ContentBlock => {
    if (!isRecord(part)) return unknownBlock('multi_content', part);
    const type = stringOf(part, 'type') ?? '';
    if (type === 'image_url') return { type: 'image' };
    if (type === 'file' || type === 'document') return { type: 'document' };
    const partText = stringOf(part, 'text');
    return partText === undefined ? unknownBlock(type, part) : textBlock(partText);
  });
}

function toolResult(message: JsonRecord): ContentBlock {
  const parts = partsOf(message);
  const [only] = parts;
  const isError = field(message, 'is_error');
  return {
    type: 'toolResult',
    toolUseId: stringOf(message, 'tool_call_id') ?? '',
    content: parts.length === 1 && only?.type === 'text' ? only.text : parts,
    ...(typeof isError === 'boolean' ? { isError } : {}),
  };
}

/** Input excludes what was read from and written to the cache, whichever the provider. */
function dockerUsage(usage: JsonRecord | undefined): Usage | undefined {
  if (usage === undefined) return undefined;
  return usableUsage({
    input: field(usage, 'input_tokens'),
    output: field(usage, 'output_tokens'),
    cacheRead: field(usage, 'cached_input_tokens'),
    cacheCreation: field(usage, 'cached_write_tokens'),
  });
}
