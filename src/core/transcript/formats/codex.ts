import type { Diagnostic, Transcript } from '../../model/transcript';
import { field, isRecord, recordOf, stringOf } from '../../util/json';
import { inLineOrder, LocalIds } from '../assemble';
import type { SourceRecord } from '../lineReader';
import type { CodexState } from './codexEntry';
import { CodexHistory } from './codexHistory';
import { ITEM_TYPES } from './codexItems';
import { codexRecord, INITIAL_STATE, type CodexRecord, type Translation } from './codexRecord';
import { totalOf } from './codexUsage';
import type { RecordCollector, TranscriptFormat } from './format';

/** Codex rollout files: JSONL of enveloped Responses-API items and events; files from before version 0.32 hold bare items. */
export const codex: TranscriptFormat = {
  id: 'codex',
  agent: 'Codex',
  recognise: (sample) => sample.reduce<number>((best, value) => Math.max(best, sureness(value)), 0),
  collect: () => new CodexCollector(),
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
  readonly #records: CodexRecord[] = [];
  readonly #early = new WeakMap<SourceRecord, Translation>();
  readonly #ids = new Set<string>();
  #state: CodexState = INITIAL_STATE;

  add(source: SourceRecord): void {
    const { record, next } = this.#early.get(source) ?? codexRecord(source, this.#state, this.#ids);
    this.#state = next;
    this.#records.push(record);
    for (const id of idsOf(record)) this.#ids.add(id);
  }

  assemble(tail: readonly SourceRecord[], damage: readonly Diagnostic[]): Transcript {
    let state = this.#state;
    const ids = new LocalIds(this.#ids);
    const pending = tail.map((source) => {
      const translation = this.#early.get(source) ?? codexRecord(source, state, ids);
      this.#early.set(source, translation);
      state = translation.next;
      for (const id of idsOf(translation.record)) ids.add(id);
      return translation.record;
    });
    return transcriptOf([...this.#records, ...pending], damage);
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

function transcriptOf(records: readonly CodexRecord[], damage: readonly Diagnostic[]): Transcript {
  // Events mirror items for the user interface; only files that store no items at all are read by them.
  const spoken = records.some((record) => record.kind === 'item') ? 'item' : 'mirror';
  const history = new CodexHistory();
  const diagnostics: Diagnostic[] = [...damage];
  let windowTokens: number | undefined;
  let model: string | undefined;
  let title: string | undefined;
  for (const record of records) {
    if (record.kind === spoken) history.add(record.entry);
    else if (record.kind === 'compacted') history.compact(record);
    else if (record.kind === 'tokens') {
      windowTokens = record.windowTokens ?? windowTokens;
      if (record.report !== undefined) history.report(record.report, record.line);
    } else if (record.kind === 'rollback') history.rollBack(record.turns);
    else if (record.kind === 'model') model = record.model;
    else if (record.kind === 'window') windowTokens = record.windowTokens ?? windowTokens;
    else if (record.kind === 'title') title = record.title;
    else if (record.kind === 'odd') diagnostics.push(record.diagnostic);
  }
  // A fork repeats its parent's first line behind its own.
  const meta = records.find((record) => record.kind === 'meta');
  if (history.messages.length === 0) diagnostics.push({ line: 0, code: 'no_messages', severity: 'info' });
  return {
    format: 'codex',
    agentVersion: meta?.version,
    sessionId: meta?.sessionId,
    cwd: meta?.cwd,
    title,
    model,
    windowTokens,
    messages: history.messages,
    context: history.context,
    boundaries: history.boundaries,
    sidechains: [],
    reports: history.reports,
    totals: totalOf(history.usages),
    diagnostics: inLineOrder([...diagnostics, ...history.diagnostics]),
  };
}
