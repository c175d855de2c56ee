// Goes on writing a Claude Code session as the agent would: records that hang on the last one, usage per response, a compaction with the
// messages that it carries over.
import { randomUUID } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { appendRecords } from './workspace';

type Json = Readonly<Record<string, unknown>>;

const ENVELOPE = ['userType', 'entrypoint', 'cwd', 'sessionId', 'version', 'gitBranch'] as const;

export class ClaudeSession {
  #leaf: string;
  /** Ids of the records of the conversation, in the order of the file. */
  readonly #ids: string[] = [];
  readonly #envelope: Json;

  constructor(readonly path: string) {
    const records = readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map(parse);
    for (const record of records) if (typeof record['uuid'] === 'string') this.#ids.push(record['uuid']);
    const last = records.findLast((record) => typeof record['uuid'] === 'string');
    if (last === undefined) throw new Error(`${path} has no record to go on from.`);
    this.#leaf = String(last['uuid']);
    this.#envelope = Object.fromEntries(ENVELOPE.flatMap((key) => (last[key] === undefined ? [] : [[key, last[key]]])));
  }

  /** What the user says. Answers the record's id. */
  say(text: string): string {
    return this.#append({ type: 'user', message: { role: 'user', content: text } });
  }

  /** A response whose prompt the provider counted as `promptTokens`. */
  answer(text: string, promptTokens: number): string {
    return this.#append(this.#response(text, promptTokens));
  }

  /** The same in two writes that tear the line; `between` runs while only its first half is there. */
  answerTorn(text: string, promptTokens: number, between: () => void): string {
    return this.#append(this.#response(text, promptTokens), between);
  }

  #response(text: string, promptTokens: number): Json {
    const usage = { input_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: promptTokens - 5, output_tokens: 40 };
    const message = {
      id: `msg_${randomUUID()}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-4-7',
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
      usage,
    };
    return { type: 'assistant', message, requestId: `req_${randomUUID()}` };
  }

  /** A compaction that carries the newest `keep` records over. Answers the ids of boundary, summary and carried records. */
  compact(summary: string, keep: number): { readonly boundary: string; readonly summary: string; readonly kept: readonly string[] } {
    const [boundary, summaryId] = [randomUUID(), randomUUID()];
    const kept = this.#ids.slice(-keep);
    const preserved = {
      preservedSegment: { headUuid: kept[0], anchorUuid: summaryId, tailUuid: kept.at(-1) },
      preservedMessages: { anchorUuid: summaryId, uuids: kept, allUuids: kept },
    };
    const compactMetadata = { trigger: 'manual', preTokens: 150_000, postTokens: 4_000, durationMs: 41_000, ...preserved };
    const mark = { type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted', level: 'info', isMeta: false };
    const text = `This session is being continued from a previous conversation.\n\n${summary}`;
    const flags = { isCompactSummary: true, isVisibleInTranscriptOnly: true };
    appendRecords(this.path, [
      { parentUuid: null, logicalParentUuid: this.#leaf, ...this.#common(boundary), ...mark, compactMetadata },
      { parentUuid: boundary, ...this.#common(summaryId), type: 'user', message: { role: 'user', content: text }, ...flags },
    ]);
    this.#ids.push(boundary, summaryId);
    this.#leaf = summaryId;
    return { boundary, summary: summaryId, kept };
  }

  #append(record: Json, between?: () => void): string {
    const uuid = randomUUID();
    const whole = { parentUuid: this.#leaf, ...this.#common(uuid), ...record };
    if (between === undefined) appendRecords(this.path, [whole]);
    else {
      const line = `${JSON.stringify(whole)}\n`;
      const middle = Math.floor(line.length / 2);
      appendFileSync(this.path, line.slice(0, middle));
      between();
      appendFileSync(this.path, line.slice(middle));
    }
    this.#ids.push(uuid);
    this.#leaf = uuid;
    return uuid;
  }

  #common(uuid: string): Json {
    return { isSidechain: false, uuid, timestamp: new Date().toISOString(), ...this.#envelope };
  }
}

function parse(line: string): Json {
  const value: unknown = JSON.parse(line);
  if (typeof value !== 'object' || value === null) throw new Error('A record is an object.');
  return value as Json;
}
