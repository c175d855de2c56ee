// A compacted Codex session in the legacy history form: session_meta, turn_context, and one `compacted` record whose replacement_history is
// the whole new context. Ordinals and paginated history are left out; every version loads this form.
import type { Message } from '../../model/message';
import { textOf } from '../../model/message';
import { isRecord, recordOf, stringOf } from '../../util/json';
import type { Copy, CopyInput } from './copyWriter';
import { keptMessages, messagesAt, sourceChanged } from './copyWriter';
import { elementSpans, memberText, valueSpans, withMembers, withoutMembers } from './jsonSpans';

/** Fields that tie a session to its old identity or to ordinals. */
const DROPPED_META = new Set(['history_mode', 'forked_from_id', 'parent_thread_id']);
const DROPPED_RECORD = new Set(['ordinal']);

/**
 * Builds session_meta, turn_context and `compacted`. Items keep their bytes. The context that Codex injects (developer texts, environment)
 * stays among the kept items; only where all of it is kept, world_state and turn_context follow, which tell Codex not to inject it again.
 */
export function writeCodexCopy(input: CopyInput): Copy {
  const kept = keptMessages(input);
  const items = kept.map((message) => itemText(input, message));
  const summary = JSON.stringify({ type: 'message', role: 'user', content: [{ type: 'input_text', text: input.summary }] });
  const keptFirst = input.plan.order === 'keptFirst';
  const history = keptFirst ? [...items, summary] : [summary, ...items];
  const compacted =
    `{"timestamp":${JSON.stringify(input.now)},"type":"compacted",` +
    `"payload":{"message":${JSON.stringify(input.summary)},"replacement_history":[${history.join(',')}]}}`;
  const turnContext = lastRecord(input, 'turn_context');
  const before = [sessionMeta(input), ...turnContext];
  const after = keepsWholeContext(input) ? [...lastRecord(input, 'world_state'), ...turnContext] : [];
  const line = before.length + 1;
  return {
    records: [...before, compacted, ...after],
    boundary: {
      id: `line:${line}`,
      summaryId: `line:${line}#${keptFirst ? items.length : 0}`,
      preservedIds: kept.map((message) => message.id),
    },
  };
}

function sessionMeta(input: CopyInput): string {
  const first = firstRecord(input);
  const id = JSON.stringify(input.newSessionId);
  const now = JSON.stringify(input.now);
  const payload = memberText(first, 'payload');
  if (payload === undefined) return bareSessionMeta(input, first);
  const values = new Map([
    ['id', id],
    ['timestamp', now],
  ]);
  if (memberText(payload, 'session_id') !== undefined) values.set('session_id', id);
  const meta = withMembers(withoutMembers(payload, DROPPED_META), values);
  return withMembers(
    withoutMembers(first, DROPPED_RECORD),
    new Map([
      ['timestamp', now],
      ['payload', meta],
    ]),
  );
}

/** Sessions before 0.32 begin with a bare record; Codex asks for these fields of the newer one. */
function bareSessionMeta(input: CopyInput, first: string): string {
  const instructions = memberText(first, 'instructions');
  const payload = JSON.stringify({
    id: input.newSessionId,
    timestamp: input.now,
    cwd: input.transcript.cwd ?? '.',
    originator: 'codex_cli_rs',
    cli_version: input.transcript.agentVersion ?? '0.0.0',
    source: 'cli',
  });
  const whole = instructions === undefined ? payload : withMembers(payload, new Map([['instructions', instructions]]));
  return `{"timestamp":${JSON.stringify(input.now)},"type":"session_meta","payload":${whole}}`;
}

function firstRecord(input: CopyInput): string {
  for (let line = 1; line <= input.lineCount; line++) {
    const record = recordsOn(input, line)[0];
    if (record !== undefined) return record;
  }
  throw sourceChanged(1);
}

/** The newest record of a type, without its ordinal; [] when the source has none. */
function lastRecord(input: CopyInput, type: 'turn_context' | 'world_state'): readonly string[] {
  const quoted = `"${type}"`;
  for (let line = input.lineCount; line > 0; line--) {
    // A cheap look first: most lines are large and of other types.
    if (input.lines(line)?.includes(quoted) !== true) continue;
    const found = recordsOn(input, line).findLast((record) => memberText(record, 'type') === quoted);
    if (found !== undefined) return [withoutMembers(found, DROPPED_RECORD)];
  }
  return [];
}

/** JSON text of the item that a message was read from. */
function itemText(input: CopyInput, message: Message): string {
  const records = recordsOn(input, message.line);
  const item =
    records.map((record) => itemOf(record, message)).find((text) => text !== undefined) ??
    (records.length > 0 ? itemFrom(message) : undefined);
  if (item === undefined) throw sourceChanged(message.line);
  return item;
}

/** The item inside a record: its payload, an element of its replacement history, or (before 0.32) the record itself. */
function itemOf(record: string, message: Message): string | undefined {
  const payload = memberText(record, 'payload');
  const type = memberText(record, 'type');
  if (payload === undefined)
    return memberText(record, 'role') === undefined && memberText(record, 'call_id') === undefined ? undefined : record;
  if (type === '"response_item"') return payload;
  if (type !== '"compacted"') return undefined;
  const history = memberText(payload, 'replacement_history');
  if (history === undefined) return undefined;
  const texts = elementSpans(history).map((span) => history.slice(span.start, span.end));
  const place = /^line:\d+#(\d+)$/.exec(message.id);
  return texts.find((text) => memberText(text, 'id') === JSON.stringify(message.id)) ?? (place ? texts[Number(place[1])] : undefined);
}

/** An item for a message that has none in the file: the summary of a `compacted` without history, or an event of a very old session. */
function itemFrom(message: Message): string {
  const role = message.role === 'assistant' ? 'assistant' : message.role === 'developer' ? 'developer' : 'user';
  const type = role === 'assistant' ? 'output_text' : 'input_text';
  return JSON.stringify({ type: 'message', role, content: [{ type, text: textOf(message) }] });
}

/** True when the context has injected items and the plan keeps every one of them. */
function keepsWholeContext({ transcript, plan }: CopyInput): boolean {
  const isInjected = (message: Message): boolean => message.role === 'developer' || message.kind === 'meta';
  return messagesAt(transcript, plan.kept).some(isInjected) && !messagesAt(transcript, plan.summarized).some(isInjected);
}

function recordsOn(input: CopyInput, line: number): readonly string[] {
  const text = input.lines(line) ?? '';
  return valueSpans(text)
    .map((span) => text.slice(span.start, span.end))
    .filter((record) => record.startsWith('{') && isSound(record));
}

function isSound(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return (
      isRecord(value) &&
      (recordOf(value, 'payload') !== undefined || stringOf(value, 'id') !== undefined || stringOf(value, 'type') !== undefined)
    );
  } catch {
    return false;
  }
}
