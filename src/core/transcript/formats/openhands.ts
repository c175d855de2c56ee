import type { Message } from '../../model/message';
import type { Diagnostic, Sidechain, Transcript } from '../../model/transcript';
import { arrayOf, field, isRecord, recordOf, stringOf } from '../../util/json';
import type { SourceRecord } from '../lineReader';
import { PartRecord } from '../partRecord';
import { contentsOf } from '../storedLines';
import type { SessionFacts } from '../transcriptDraft';
import { filledOf } from './fields';
import { FoldCollector } from './foldCollector';
import type { TranscriptFormat } from './format';
import { placeOf, type OpenHandsEvent } from './openhandsEvent';
import { OpenHandsView } from './openhandsView';
import { oldEvent } from './openhandsV0';
import { sdkEvent, stateFacts } from './openhandsV1';
import { sessionTranscript } from './sessionTranscript';
import type { StableNames } from './stableNames';

/** OpenHands conversations: events of the SDK or of the program before it, as lines, as a list, or as the `history` of an evaluation's output. */
export const openhands: TranscriptFormat = {
  id: 'openhands',
  agent: 'OpenHands',
  recognise: (sample) => sample.reduce<number>((best, value) => Math.max(best, sureness(value)), 0),
  collect: () => new FoldCollector(openHandsRecord, transcriptOf),
  // Whether an event is a message depends on its texts in many kinds, so that each line is looked at whole.
  stored: { needsWhole: () => true, contentOf: (value) => contentsOf(value, openHandsRecord) },
};

const SDK_KIND = /^(?:\w{1,60}Event|Condensation|CondensationRequest|UserRejectObservation)$/u;

function sureness(outer: unknown): number {
  const value = outer instanceof PartRecord ? outer.value : outer;
  if (Array.isArray(value)) return value.length > 0 && value.slice(0, 20).every((event) => sureness(event) > 0.8) ? 0.95 : 0;
  if (!isRecord(value)) return 0;
  const source = stringOf(value, 'source');
  if (source !== undefined && stringOf(value, 'id') !== undefined && SDK_KIND.test(stringOf(value, 'kind') ?? '')) return 0.95;
  const isOld = typeof field(value, 'id') === 'number' && (stringOf(value, 'action') ?? stringOf(value, 'observation')) !== undefined;
  if (isOld && source !== undefined) return 0.95;
  const first: unknown = arrayOf(value, 'history')?.flat()[0];
  return isRecord(first) && !Array.isArray(first) && sureness(first) > 0.8 ? 0.96 : 0;
}

interface OpenHandsRecord {
  /** Name of the conversation, where a record holds a whole one. */
  readonly conversation: string | undefined;
  readonly events: readonly OpenHandsEvent[];
  readonly facts: SessionFacts;
}

function openHandsRecord(source: SourceRecord): OpenHandsRecord {
  const { value: outer, line, part } = source;
  const value = outer instanceof PartRecord ? outer.value : outer;
  const list = Array.isArray(value) ? value : isRecord(value) ? arrayOf(value, 'history') : undefined;
  if (list === undefined) return { conversation: undefined, events: [eventOf(value, source, part)], facts: {} };
  const events = list.flat().map((event, at) => eventOf(event, source, part + at));
  if (!isRecord(value)) return { conversation: undefined, events, facts: {} };
  const sessionId = filledOf(value, 'instance_id');
  const model = filledOf(recordOf(recordOf(value, 'metadata') ?? {}, 'llm_config') ?? {}, 'model');
  return { conversation: sessionId ?? `line:${line}`, events, facts: { sessionId, model } };
}

function eventOf(event: unknown, source: SourceRecord, part: number): OpenHandsEvent {
  const { line } = source;
  if (!isRecord(event)) return { eventId: '', line, isOdd: true };
  const place = placeOf(event, source, part);
  const kind = stringOf(event, 'kind');
  if (kind !== undefined) return sdkEvent(event, place);
  if (stringOf(event, 'action') !== undefined || stringOf(event, 'observation') !== undefined) return oldEvent(event, place);
  return recordOf(event, 'agent') === undefined ? { eventId: '', line, isOdd: true } : { eventId: '', line, ...stateFacts(event) };
}

function transcriptOf(records: readonly OpenHandsRecord[], damage: readonly Diagnostic[], names: StableNames): Transcript {
  // An evaluation's output holds one conversation a line; the last one is the session, the others stand beside it.
  const main = records.findLast(({ conversation }) => conversation !== undefined)?.conversation;
  const view = new OpenHandsView();
  const aside = new Map<string, Message[]>();
  const diagnostics = [...damage];
  let facts: SessionFacts = {};
  for (const { conversation, events, facts: own } of records) {
    const isMain = conversation === undefined || conversation === main;
    if (isMain) facts = { ...facts, ...own };
    for (const event of events) {
      if (event.isOdd === true) diagnostics.push({ line: event.line, code: 'unknown_record', severity: 'info' });
      if (isMain) view.take(event);
      else if (event.message !== undefined) {
        const chain = aside.get(conversation) ?? [];
        aside.set(conversation, chain);
        chain.push(event.message);
      }
    }
  }
  const sidechains: readonly Sidechain[] = [...aside].map(([id, messages]) => ({ id, messages }));
  const { messages, context, boundaries, reports, totals } = view;
  return sessionTranscript(
    {
      format: 'openhands',
      facts: { ...view.facts, ...Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) },
      messages,
      context,
      boundaries,
      sidechains,
      reports,
      totals,
      diagnostics: [...diagnostics, ...view.diagnostics],
    },
    names,
  );
}
