import type { Message } from '../../model/message';
import { textOf } from '../../model/message';
import { arrayOf, field, isRecord, recordOf, stringOf } from '../../util/json';
import type { CopyInput } from './copyInput';
import { sourceChanged } from './copyInput';
import { elementSpans, memberText } from './jsonSpans';
import { placeOf, recordsOn, type SourceRecord } from './sourceRecords';

/** An item on a line: the payload of the record, an element of its replacement history, or (before 0.32) the record itself. */
interface LineItem {
  readonly id: string | undefined;
  /** 1-based, as message ids count: elements of a history by themselves, fused records by their place on the line. */
  readonly place: number;
  readonly text: string;
}

/** Items of one line by both names that a message may have for its own. */
interface LineItems {
  readonly isEmpty: boolean;
  /** Items with one id wait in file order; messages ask in that order too. */
  readonly byId: ReadonlyMap<string, LineItem[]>;
  readonly byPlace: ReadonlyMap<number, LineItem>;
}

/**
 * Answers the JSON text of the item that a message was read from. Each line is taken apart once, since a replacement history may hold
 * hundreds of items in megabytes. The answer throws `staleSource` when the line holds no record any more.
 */
export function itemFinder(input: CopyInput): (message: Message) => string {
  const lines = new Map<number, LineItems>();
  return (message) => {
    const known = lines.get(message.line) ?? itemsOn(input, message.line);
    lines.set(message.line, known);
    if (known.isEmpty) throw sourceChanged(message.line);
    const found = known.byId.get(message.id)?.shift() ?? known.byPlace.get(placeOf(message) ?? 0);
    return found?.text ?? itemFrom(message);
  };
}

function itemsOn(input: CopyInput, line: number): LineItems {
  const records = recordsOn(input, line);
  const items = records.flatMap((record, index) => itemsOf(record, index + 1));
  const byId = new Map<string, LineItem[]>();
  for (const item of items) {
    if (item.id === undefined) continue;
    const waiting = byId.get(item.id);
    if (waiting) waiting.push(item);
    else byId.set(item.id, [item]);
  }
  return { isEmpty: records.length === 0, byId, byPlace: new Map(items.map((item) => [item.place, item])) };
}

function itemsOf({ text, value }: SourceRecord, place: number): readonly LineItem[] {
  const payload = recordOf(value, 'payload');
  const payloadText = memberText(text, 'payload');
  if (payload === undefined || payloadText === undefined) {
    return field(value, 'type') === undefined ? [] : [{ id: stringOf(value, 'id'), place, text }];
  }
  if (field(value, 'type') === 'response_item') return [{ id: stringOf(payload, 'id'), place, text: payloadText }];
  const history = field(value, 'type') === 'compacted' ? memberText(payloadText, 'replacement_history') : undefined;
  if (history === undefined) return [];
  const values = arrayOf(payload, 'replacement_history') ?? [];
  return elementSpans(history).map(({ start, end }, index) => {
    const item = values[index];
    return { id: isRecord(item) ? stringOf(item, 'id') : undefined, place: index + 1, text: history.slice(start, end) };
  });
}

/** An item for a message that has none in the file: the summary of a `compacted` without history, or an event of a very old session. */
function itemFrom(message: Message): string {
  const role = message.role === 'assistant' || message.role === 'developer' ? message.role : 'user';
  const type = role === 'assistant' ? 'output_text' : 'input_text';
  return JSON.stringify({ type: 'message', role, content: [{ type, text: textOf(message) }] });
}
