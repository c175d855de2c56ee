import type { CompactBoundary } from '../../model/boundary';
import type { Message } from '../../model/message';
import type { ContextReport, Diagnostic } from '../../model/transcript';
import { isTokenCount } from '../../model/usage';
import { arrayOf, field, isRecord, numberOf, recordOf, stringOf, type JsonRecord } from '../../util/json';
import { LocalIds, messageId, messageOf } from '../assemble';
import type { SourceRecord } from '../lineReader';
import { PartRecord } from '../partRecord';
import { plainBoundary, type TranscriptDraft } from '../transcriptDraft';
import type { TranscriptFormat } from './format';
import { gooseBlocks } from './gooseBlocks';
import { isOriginOf } from './origin';
import { isoTime, jsonOf, SessionCollector } from './session';

/** Goose: rows of its database since 1.10, a JSONL file a session before. */
export const goose: TranscriptFormat = {
  id: 'goose',
  agent: 'Goose',
  recognise: (sample) => {
    if (isOriginOf(sample, 'goose')) return 1;
    if (isHeader(sample[0])) return sample.length === 1 || sample.slice(1).some(isMessage) ? 0.95 : 0.5;
    return sample.some((value) => isMessage(value) && hasOwnPart(value)) ? 0.85 : 0;
  },
  collect: () => new SessionCollector('goose', read),
};

/** First line of a JSONL file: facts of the session. */
function isHeader(value: unknown): value is JsonRecord {
  if (!isRecord(value) || field(value, 'role') !== undefined || stringOf(value, 'type') !== undefined) return false;
  return (
    stringOf(value, 'working_dir') !== undefined &&
    (field(value, 'description') !== undefined || field(value, 'message_count') !== undefined)
  );
}

function isMessage(value: unknown): value is JsonRecord {
  return (
    isRecord(value) &&
    stringOf(value, 'role') !== undefined &&
    typeof field(value, 'created') === 'number' &&
    Array.isArray(field(value, 'content'))
  );
}

const OWN_PARTS = new Set([
  'toolRequest',
  'toolResponse',
  'toolConfirmationRequest',
  'frontendToolRequest',
  'summarizationRequested',
  'conversationCompacted',
]);

function hasOwnPart(message: JsonRecord): boolean {
  return (arrayOf(message, 'content') ?? []).some((part) => isRecord(part) && OWN_PARTS.has(stringOf(part, 'type') ?? ''));
}

/** A message as it stands, whether in a line or in a row. */
interface GooseMessage {
  readonly id: string | undefined;
  readonly role: string | undefined;
  readonly content: readonly unknown[];
  readonly created: unknown;
  readonly metadata: JsonRecord;
  readonly line: number;
}

function read(records: readonly SourceRecord[]): TranscriptDraft {
  let session: JsonRecord = {};
  const stored: GooseMessage[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const { value, line } of records) {
    if (value instanceof PartRecord) {
      if (!isRecord(value.value)) continue;
      if (value.part === 'sessions') session = value.value;
      else if (value.part === 'messages') {
        const content = jsonOf(field(value.value, 'content_json'));
        if (Array.isArray(content)) stored.push(ofRow(value.value, content));
        else diagnostics.push({ line: 0, code: 'bad_json', severity: 'error' });
      }
    } else if (isMessage(value)) stored.push(ofLine(value, line));
    else if (isHeader(value)) session = value;
    else diagnostics.push({ line, code: 'unknown_record', severity: 'info' });
  }
  const played = play(stored);
  const title = [stringOf(session, 'name'), stringOf(session, 'description')].find((text) => text !== undefined && text !== '');
  return {
    ...played,
    diagnostics,
    title,
    sessionId: stringOf(session, 'id'),
    cwd: stringOf(session, 'working_dir'),
    model: modelOf(session),
    reports: reportOf(session, played),
    otherRequests: sumOf(session),
  };
}

function ofRow(row: JsonRecord, content: readonly unknown[]): GooseMessage {
  const metadata = jsonOf(field(row, 'metadata_json'));
  // The number of a row changes when a compaction writes them all anew.
  return {
    id: stringOf(row, 'message_id') ?? (typeof field(row, 'id') === 'number' ? `row:${String(field(row, 'id'))}` : undefined),
    role: stringOf(row, 'role'),
    content,
    created: field(row, 'created_timestamp'),
    metadata: isRecord(metadata) ? metadata : {},
    line: 0,
  };
}

function ofLine(value: JsonRecord, line: number): GooseMessage {
  return {
    id: stringOf(value, 'id'),
    role: stringOf(value, 'role'),
    content: arrayOf(value, 'content') ?? [],
    created: field(value, 'created'),
    metadata: recordOf(value, 'metadata') ?? {},
    line,
  };
}

type Played = Pick<TranscriptDraft, 'messages' | 'context' | 'boundaries'>;

/**
 * The model gets what is visible to the agent. A compaction hides the messages before and puts a summary behind them which the user does not
 * see: where the hidden ones end, there was one.
 */
function play(stored: readonly GooseMessage[]): Played {
  const ids = new LocalIds(new Set());
  const messages: Message[] = [];
  const boundaries: CompactBoundary[] = [];
  const context: number[] = [];
  let isHidden = false;
  for (const [at, one] of stored.entries()) {
    const isSent = field(one.metadata, 'agentVisible') !== false;
    const isForAgent = isSent && field(one.metadata, 'userVisible') === false;
    const isSummary = isForAgent && isHidden;
    const id = messageId(one.id, one.line, at, ids);
    ids.add(id);
    if (isSummary) {
      const facts = { role: 'system', kind: 'boundary', content: [], line: one.line } as const;
      const boundary = messageOf({ ...facts, id: messageId(`${id}/compaction`, one.line, at, ids), timestamp: isoTime(one.created, 's') });
      ids.add(boundary.id);
      const index = messages.push(boundary) - 1;
      boundaries.push(plainBoundary(index, boundary, { summaryId: id }));
    }
    const index = messages.push(neutral(one, id, isSummary ? 'summary' : isForAgent ? 'meta' : 'message')) - 1;
    if (isSent) context.push(index);
    isHidden = !isSent;
  }
  return {
    messages,
    context,
    boundaries: boundaries.map((one, at) => (at === boundaries.length - 1 ? withKept(one, context, messages) : one)),
  };
}

/** What is still sent of the messages before the last compaction. */
function withKept(boundary: CompactBoundary, context: readonly number[], messages: readonly Message[]): CompactBoundary {
  const kept = context.filter((index) => index < boundary.index);
  if (kept.length === 0) return boundary;
  const ids = kept.flatMap((index) => messages[index]?.id ?? []);
  return {
    ...boundary,
    preservedSegment: { startIndex: kept[0] ?? null, count: kept.length, anchor: undefined, direction: undefined, ids },
  };
}

/** What was made of the content of a line, which is read once and looked at again with each line that follows. */
const made = new WeakMap<readonly unknown[], Message>();

function neutral(one: GooseMessage, id: string, kind: Message['kind']): Message {
  const before = made.get(one.content);
  if (before?.id === id && before.kind === kind) return before;
  const message = translated(one, id, kind);
  made.set(one.content, message);
  return message;
}

function translated({ role, content, created, line }: GooseMessage, id: string, kind: Message['kind']): Message {
  const blocks = gooseBlocks(content);
  const isResults = role !== 'assistant' && blocks.length > 0 && blocks.every((block) => block.type === 'toolResult');
  return messageOf({
    id,
    role: role === 'assistant' ? 'assistant' : isResults ? 'tool' : 'user',
    kind,
    content: blocks,
    line,
    timestamp: isoTime(created, 's'),
  });
}

function modelOf(session: JsonRecord): string | undefined {
  const config = jsonOf(field(session, 'model_config_json'));
  return isRecord(config) ? stringOf(config, 'model_name') : undefined;
}

/** The session's numbers are those of its latest request, the reply included. */
function reportOf(session: JsonRecord, { messages, boundaries = [] }: Played): readonly ContextReport[] | undefined {
  const total = field(session, 'total_tokens');
  if (!isTokenCount(total) || total === 0) return undefined;
  const answer = messages.findLastIndex((message) => message.role === 'assistant');
  const last = boundaries.at(-1)?.index ?? -1;
  const { input, output } = { input: numberOf(session, 'input_tokens') ?? 0, output: numberOf(session, 'output_tokens') ?? 0 };
  return [
    {
      afterIndex: answer > last ? answer + 1 : messages.length,
      contextTokens: total,
      inputTokens: input,
      outputTokens: output,
      cacheReadTokens: 0,
      isAgentEstimate: answer <= last && boundaries.length > 0,
      line: 0,
    },
  ];
}

/** Messages have no numbers of their own; the session's sums stand for all its requests. */
function sumOf(session: JsonRecord): readonly Message[] {
  const [input, output] = [field(session, 'accumulated_input_tokens'), field(session, 'accumulated_output_tokens')];
  if (!isSum(input) || !isSum(output) || input + output === 0) return [];
  const usage = { inputTokens: input, outputTokens: output, cacheReadTokens: 0, cacheCreationTokens: 0 };
  return [messageOf({ id: 'sum', role: 'assistant', kind: 'message', content: [], line: 0, usage })];
}

/** A sum over a session may well pass the limit of a single report. */
function isSum(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
