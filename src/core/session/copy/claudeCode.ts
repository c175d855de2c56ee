// A compacted session as Claude Code itself would leave it in a new file: boundary, summary and kept records, physically in the order in
// which the model sees them. Files of versions without boundaries get the same form; all versions load it.
import type { Message } from '../../model/message';
import { isToolResult, isToolUse } from '../../model/message';
import type { JsonRecord } from '../../util/json';
import { field, stringOf } from '../../util/json';
import type { Copy, CopyInput } from './copyInput';
import { clearedIn, clearMessage, type ClearedTexts } from './clearedResults';
import { keptMessages, messagesAt, sourceChanged } from './copyInput';
import { mapMember, withMembers, withoutMembers } from './jsonSpans';
import { placeOf, recordsOn, type SourceRecord } from './sourceRecords';
import { zeroUsage } from './zeroUsage';

interface KeptRecord {
  readonly message: Message;
  readonly text: string;
  readonly uuid: string;
  readonly parentUuid: string | undefined;
  readonly hasSessionKey: boolean;
}

const DISPLAY_ONLY = new Set(['toolUseResult']);
/** Fields that say where and by what a session runs; the agent writes them on every record. */
const ENVELOPE = ['userType', 'entrypoint', 'cwd', 'version', 'gitBranch'] as const;

/**
 * Builds [boundary, summary, kept…] or, when the kept part comes first, [boundary, kept…, summary]. Where nothing is summarized there is no
 * boundary either: the session is the same one with less in its tool results.
 */
export function writeClaudeCodeCopy(input: CopyInput): Copy {
  const kept = readKept(input);
  if (input.summary === undefined) {
    const parents = chainParents(kept, undefined);
    const records = kept.map((record, index) => copyRecord(record, parents[index], input.newSessionId));
    return { records, boundary: { id: undefined, summaryId: undefined, preservedIds: kept.map((record) => record.uuid) } };
  }
  const boundaryId = input.ids.uuid();
  const summaryId = input.ids.uuid();
  const keptFirst = input.plan.order === 'keptFirst';
  const chain = chainParents(kept, keptFirst ? boundaryId : summaryId);
  const keptTexts = kept.map((record, index) => copyRecord(record, chain[index], input.newSessionId));
  const lastKept = kept.at(-1)?.uuid;
  const envelope = envelopeOf(input);
  const preserved = kept.map((record) => record.uuid);
  const boundary = JSON.stringify({
    parentUuid: null,
    isSidechain: false,
    type: 'system',
    subtype: 'compact_boundary',
    content: 'Conversation compacted',
    isMeta: false,
    timestamp: input.now,
    uuid: boundaryId,
    level: 'info',
    compactMetadata: {
      trigger: 'manual',
      preTokens: input.tokens.before,
      postTokens: input.tokens.after,
      ...preservedOf(preserved, keptFirst ? boundaryId : summaryId),
    },
    ...envelope,
    sessionId: input.newSessionId,
  });
  const summary = JSON.stringify({
    parentUuid: keptFirst ? (lastKept ?? boundaryId) : boundaryId,
    isSidechain: false,
    type: 'user',
    message: { role: 'user', content: input.summary },
    isVisibleInTranscriptOnly: true,
    isCompactSummary: true,
    uuid: summaryId,
    timestamp: input.now,
    ...envelope,
    sessionId: input.newSessionId,
  });
  return {
    records: keptFirst ? [boundary, ...keptTexts, summary] : [boundary, summary, ...keptTexts],
    boundary: { id: boundaryId, summaryId, preservedIds: preserved },
  };
}

/**
 * Every id is listed besides the segment's ends: the agent follows parents from tail to head, and a parallel call hangs off that walk.
 * `logicalParentUuid` is left out: what it would name is not in this file.
 */
function preservedOf(uuids: readonly string[], anchorUuid: string): JsonRecord {
  if (uuids.length === 0) return {};
  return {
    preservedSegment: { headUuid: uuids[0], anchorUuid, tailUuid: uuids.at(-1) },
    preservedMessages: { anchorUuid, uuids, allUuids: uuids },
  };
}

function readKept(input: CopyInput): readonly KeptRecord[] {
  const seen = new Set<string>();
  const clearedOf = clearedIn(input);
  return keptMessages(input).map((message) => {
    const found = recordAt(input, message);
    const own = stringOf(found.value, 'uuid');
    const source = withCleared(found.text, clearedOf(message));
    // A repeated or missing uuid would make a loop or lose a record; the text of the message does not depend on it.
    const uuid = own === undefined || seen.has(own) ? input.ids.uuid() : own;
    seen.add(uuid);
    return {
      message,
      uuid,
      text: uuid === own ? source : withMembers(source, new Map([['uuid', JSON.stringify(uuid)]])),
      parentUuid: stringOf(found.value, 'parentUuid'),
      hasSessionKey: field(found.value, 'session_id') !== undefined,
    };
  });
}

/** What the agent keeps beside a result for its own display holds the same text once more and goes too. */
function withCleared(record: string, cleared: ClearedTexts | undefined): string {
  if (cleared === undefined) return record;
  return withoutMembers(
    mapMember(record, 'message', (message) => clearMessage(message, cleared)),
    DISPLAY_ONLY,
  );
}

/** The record of a message; records fused on one line are told apart by uuid. */
function recordAt(input: CopyInput, message: Message): SourceRecord {
  const records = recordsOn(input, message.line);
  const found = records.find(({ value }) => stringOf(value, 'uuid') === message.id) ?? records[(placeOf(message) ?? 0) - 1];
  if (!found) throw sourceChanged(message.line);
  return found;
}

/**
 * Parent of each kept record. A record keeps its own parent inside a ladder of parallel calls, where readers find the siblings by message id
 * and call id; everywhere else the parent is the record before it, so that the walk from the leaf meets every record in order.
 */
function chainParents(kept: readonly KeptRecord[], anchor: string | undefined): readonly (string | undefined)[] {
  const ladders = ladderStarts(kept);
  const position = new Map(kept.map((record, index) => [record.uuid, index]));
  const callers = new Map(
    kept.flatMap((record, index) => record.message.content.filter(isToolUse).map((call) => [call.id, index] as const)),
  );
  return kept.map((record, index) => {
    const own = record.parentUuid === undefined ? undefined : position.get(record.parentUuid);
    const result = record.message.content.find(isToolResult);
    // Where the parent was no part of the conversation (progress), a result hangs on its call.
    const wanted = own ?? (result && callers.get(result.toolUseId));
    const isSibling = wanted !== undefined && wanted < index && ladders[wanted] === ladders[index - 1];
    return kept[isSibling ? wanted : index - 1]?.uuid ?? anchor;
  });
}

/** For each record the position where its ladder begins: a response's first fragment, for its other fragments and the results of its calls. */
function ladderStarts(kept: readonly KeptRecord[]): readonly number[] {
  const starts: number[] = [];
  for (const [index, { message }] of kept.entries()) {
    const start = starts[index - 1];
    const head = start === undefined ? undefined : kept[start]?.message;
    const continues =
      head?.role === 'assistant' &&
      head.messageId !== undefined &&
      (message.content.some(isToolResult) || (message.role === 'assistant' && message.messageId === head.messageId));
    starts.push(start !== undefined && continues ? start : index);
  }
  return starts;
}

function copyRecord(record: KeptRecord, parent: string | undefined, sessionId: string): string {
  const values = new Map([['sessionId', JSON.stringify(sessionId)]]);
  if (record.hasSessionKey) values.set('session_id', JSON.stringify(sessionId));
  if (parent !== record.parentUuid) values.set('parentUuid', JSON.stringify(parent ?? null));
  return mapMember(withMembers(record.text, values), 'message', (message) =>
    message.startsWith('{') ? mapMember(message, 'usage', zeroUsage) : undefined,
  );
}

/** Envelope fields of the newest record of the context that has them. */
function envelopeOf(input: CopyInput): JsonRecord {
  const newest = messagesAt(input.transcript, input.transcript.context).at(-1);
  if (!newest) return {};
  const { value } = recordAt(input, newest);
  return Object.fromEntries(ENVELOPE.flatMap((key) => (field(value, key) === undefined ? [] : [[key, field(value, key)]])));
}
