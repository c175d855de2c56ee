import type { Diagnostic, Transcript } from '../../model/transcript';
import { field, isRecord, recordOf, stringOf } from '../../util/json';
import { LocalIds, type TakenIds } from '../assemble';
import type { SourceRecord } from '../lineReader';
import type { CodexState } from './codexEntry';
import { ITEM_TYPES } from './codexItems';
import { codexRecord, INITIAL_STATE, type CodexRecord, type Translation } from './codexRecord';
import { CodexSession } from './codexSession';
import { codexStored } from './codexStored';
import type { RecordCollector, TranscriptFormat } from './format';

/** Codex rollout files: JSONL of enveloped Responses-API items and events; files from before version 0.32 hold bare items. */
export const codex: TranscriptFormat = {
  id: 'codex',
  agent: 'Codex',
  recognise: (sample) => sample.reduce<number>((best, value) => Math.max(best, sureness(value)), 0),
  collect: () => new CodexCollector(),
  stored: codexStored,
};

const ENVELOPES = new Set(['response_item', 'event_msg', 'turn_context', 'compacted', 'world_state']);

function sureness(value: unknown): number {
  if (!isRecord(value)) return 0;
  const type = stringOf(value, 'type');
  if (recordOf(value, 'payload') !== undefined) return type === 'session_meta' ? 1 : type !== undefined && ENVELOPES.has(type) ? 0.95 : 0;
  if (type === undefined) {
    if (stringOf(value, 'record_type') === 'state') return 0.8;
    return stringOf(value, 'id') !== undefined && Object.hasOwn(value, 'instructions') && stringOf(value, 'timestamp') !== undefined
      ? 0.9
      : 0;
  }
  return ITEM_TYPES.has(type) && hasItemBody(value, type) ? 0.85 : 0;
}

function hasItemBody(value: Readonly<Record<string, unknown>>, type: string): boolean {
  if (type !== 'message') return field(value, 'call_id') !== undefined || type === 'reasoning';
  const content = field(value, 'content');
  const first: unknown = Array.isArray(content) ? content[0] : undefined;
  return isRecord(first) && /^(?:in|out)put_/u.test(stringOf(first, 'type') ?? '');
}

class CodexCollector implements RecordCollector {
  readonly #session = new CodexSession();
  readonly #early = new WeakMap<SourceRecord, Translation>();
  readonly #ids = new SessionIds();
  #state: CodexState = INITIAL_STATE;

  add(source: SourceRecord): void {
    const { record, next } = this.#early.get(source) ?? codexRecord(source, this.#state, this.#ids);
    this.#state = next;
    this.#session.take(record);
    for (const id of idsOf(record)) this.#ids.add(id, source.line);
  }

  assemble(tail: readonly SourceRecord[], damage: readonly Diagnostic[]): Transcript {
    if (tail.length === 0) return this.#session.transcript(damage);
    const session = this.#session.copy();
    let state = this.#state;
    const ids = new LocalIds(this.#ids);
    for (const source of tail) {
      const translation = this.#early.get(source) ?? codexRecord(source, state, ids);
      this.#early.set(source, translation);
      state = translation.next;
      for (const id of idsOf(translation.record)) ids.add(id);
      session.take(translation.record);
    }
    return session.transcript(damage);
  }

  onlyGrows(tail: readonly SourceRecord[]): boolean {
    return tail.length === 0;
  }
}

/** Ids that are taken. Those made of a place are only ever looked for on their own line, and there is one a line in most files. */
class SessionIds implements TakenIds {
  readonly #own = new Set<string>();
  readonly #places = new Set<string>();
  #line = 0;

  has(id: string): boolean {
    return this.#own.has(id) || this.#places.has(id);
  }

  add(id: string, line: number): void {
    if (!id.startsWith('line:')) this.#own.add(id);
    else {
      if (line !== this.#line) this.#places.clear();
      this.#line = line;
      this.#places.add(id);
    }
  }
}

function idsOf(record: CodexRecord): readonly string[] {
  if (record.kind === 'item') return [record.entry.message.id];
  if (record.kind !== 'compacted') return [];
  const { boundary, summary, history } = record;
  return [boundary, ...(summary === undefined ? [] : [summary]), ...(history ?? []).map((entry) => entry.message)].map(
    (message) => message.id,
  );
}
