// A compacted Codex session in the legacy history form: session_meta, turn_context, and one `compacted` record whose replacement_history is
// the whole new context. Ordinals and paginated history are left out; every version loads this form.
import type { Message } from '../../model/message';
import { stringOf } from '../../util/json';
import { clearedIn, clearItem } from './clearedResults';
import { itemFinder } from './codexItem';
import type { Copy, CopyInput } from './copyInput';
import { keptMessages, messagesAt, sourceChanged } from './copyInput';
import { memberText, withMembers, withoutMembers } from './jsonSpans';
import { recordsOn, type SourceRecord } from './sourceRecords';

/** Fields that tie a session to its old identity or to ordinals. */
const DROPPED_META = new Set(['history_mode', 'forked_from_id', 'parent_thread_id']);
const DROPPED_RECORD = new Set(['ordinal']);

/**
 * Builds session_meta, turn_context and `compacted`. Items keep their bytes. The context that Codex injects (developer texts, environment)
 * stays among the kept items. Only where all of it is kept, world_state and turn_context follow, which tell Codex not to inject it again;
 * sessions from before world_state existed get it a second time, since leaving it out would lose messages that the plan keeps.
 */
export function writeCodexCopy(input: CopyInput): Copy {
  const kept = keptMessages(input);
  const itemOf = itemFinder(input);
  const clearedOf = clearedIn(input);
  const items = kept.map((message) => {
    const cleared = clearedOf(message);
    return cleared === undefined ? itemOf(message) : clearItem(itemOf(message), cleared);
  });
  const keptFirst = input.plan.order === 'keptFirst';
  const summary = summaryItems(input);
  const history = keptFirst ? [...items, ...summary] : [...summary, ...items];
  const compacted =
    `{"timestamp":${JSON.stringify(input.now)},"type":"compacted",` +
    `"payload":{"message":${JSON.stringify(input.summary ?? '')},"replacement_history":[${history.join(',')}]}}`;
  const turnContext = lastRecord(input, 'turn_context');
  const before = [sessionMeta(input), ...turnContext];
  const after = keepsWholeContext(input) ? [...lastRecord(input, 'world_state'), ...turnContext] : [];
  const line = before.length + 1;
  return {
    records: [...before, compacted, ...after],
    boundary: {
      id: `line:${line}`,
      summaryId: input.summary === undefined ? undefined : `line:${line}#${keptFirst ? history.length : 1}`,
      preservedIds: kept.map((message) => message.id),
    },
  };
}

function summaryItems({ summary }: CopyInput): readonly string[] {
  return summary === undefined ? [] : [JSON.stringify({ type: 'message', role: 'user', content: [{ type: 'input_text', text: summary }] })];
}

function sessionMeta(input: CopyInput): string {
  const { text } = firstRecord(input);
  const id = JSON.stringify(input.newSessionId);
  const now = JSON.stringify(input.now);
  const payload = memberText(text, 'payload');
  if (payload === undefined) return bareSessionMeta(input, text);
  const identity = new Map([['id', id]]).set('timestamp', now);
  if (memberText(payload, 'session_id') !== undefined) identity.set('session_id', id);
  const meta = withMembers(withoutMembers(payload, DROPPED_META), identity);
  return withMembers(withoutMembers(text, DROPPED_RECORD), new Map([['timestamp', now]]).set('payload', meta));
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

function firstRecord(input: CopyInput): SourceRecord {
  for (let line = 1; line <= input.lineCount; line++) {
    const record = recordsOn(input, line)[0];
    if (record !== undefined) return record;
  }
  throw sourceChanged(1);
}

/** The newest record of a type, without its ordinal; [] when the source has none. */
function lastRecord(input: CopyInput, type: 'turn_context' | 'world_state'): readonly string[] {
  for (let line = input.lineCount; line > 0; line--) {
    // A cheap look first: most lines are large and of other types.
    if (input.lines(line)?.includes(type) !== true) continue;
    const found = recordsOn(input, line).findLast(({ value }) => stringOf(value, 'type') === type);
    if (found !== undefined) return [withoutMembers(found.text, DROPPED_RECORD)];
  }
  return [];
}

/** True when the context has injected items and the plan keeps every one of them. */
function keepsWholeContext({ transcript, plan }: CopyInput): boolean {
  const isInjected = (message: Message): boolean => message.role === 'developer' || message.kind === 'meta';
  return messagesAt(transcript, plan.kept).some(isInjected) && !messagesAt(transcript, plan.summarized).some(isInjected);
}
