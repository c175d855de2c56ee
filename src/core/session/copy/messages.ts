// A compacted copy of a plain list of messages (Anthropic messages, OpenAI chat), in the container that the source has: a JSON array, an
// object around `messages`, or one message a line.
import type { Message } from '../../model/message';
import type { Copy, CopyInput } from './copyWriter';
import { keptMessages, messagesAt, sourceChanged } from './copyWriter';
import { elementSpans, mapMember, memberText, valueSpans, withoutMembers } from './jsonSpans';

/** Usage tells the size of a context that is no more. */
const DROPPED = new Set(['usage']);

/** Builds [system…, summary, kept…] or [kept…, summary]. Instructions that begin a conversation are kept whatever the plan says. */
export function writeMessagesCopy(input: CopyInput): Copy {
  const container = containerOf(input);
  const kept = keptMessages(input);
  const isKept = new Set(kept);
  const system = leadingInstructions(input).filter((message) => !isKept.has(message));
  const keptFirst = input.plan.order === 'keptFirst';
  const own = kept.findIndex((message) => !isInstruction(message));
  const before = keptFirst ? [...system, ...kept] : [...system, ...kept.slice(0, own < 0 ? kept.length : own)];
  const after = keptFirst || own < 0 ? [] : kept.slice(own);
  const summary = JSON.stringify({ role: 'user', content: input.summary });
  const text = (message: Message): string => withoutMembers(container.text(message), DROPPED);
  return {
    records: container.write([...before.map(text), summary, ...after.map(text)]),
    boundary: { id: undefined, summaryId: container.id(before.length), preservedIds: kept.map((message) => message.id) },
  };
}

interface Container {
  /** JSON text of a message as it stands in the source. */
  text(message: Message): string;
  write(items: readonly string[]): readonly string[];
  /** Id under which the item at a 0-based place is read back. */
  id(place: number): string;
}

function containerOf(input: CopyInput): Container {
  const document = input.document ?? wholeInOneLine(input);
  if (document === undefined) {
    return { text: (message) => elementOn(input, message), write: (items) => items, id: (place) => `line:${place + 1}` };
  }
  const isList = elementSpans(document).length > 0;
  const list = isList ? document : (memberText(document, 'messages') ?? '[]');
  const elements = elementSpans(list).map((span) => list.slice(span.start, span.end));
  return {
    text: (message) => elementFor(message, elements),
    write: (items) => {
      const text = `[\n${items.join(',\n')}\n]`;
      return [isList ? text : mapMember(document, 'messages', () => text)];
    },
    id: (place) => (place === 0 ? 'line:1' : `line:1#${place + 1}`),
  };
}

/** A document that was written without line breaks is also a file of one line. */
function wholeInOneLine(input: CopyInput): string | undefined {
  const line = input.lines(1);
  if (line === undefined) return undefined;
  return elementSpans(line).length > 0 || (memberText(line, 'role') === undefined && memberText(line, 'messages') !== undefined)
    ? line
    : undefined;
}

function elementOn(input: CopyInput, message: Message): string {
  const line = input.lines(message.line) ?? '';
  return elementFor(
    message,
    valueSpans(line).map((span) => line.slice(span.start, span.end)),
  );
}

/** The element with the message's own id, or the one at the place that its id names (`line:N` is the first, `line:N#K` the K-th). */
function elementFor(message: Message, elements: readonly string[]): string {
  const id = JSON.stringify(message.id);
  const place = /^line:\d+(?:#(\d+))?$/.exec(message.id);
  const found = place ? elements[Number(place[1] ?? 1) - 1] : elements.find((element) => memberText(element, 'id') === id);
  if (found?.startsWith('{') !== true) throw sourceChanged(message.line);
  return found;
}

function leadingInstructions({ transcript }: CopyInput): readonly Message[] {
  const messages = messagesAt(transcript, transcript.context);
  const end = messages.findIndex((message) => !isInstruction(message));
  return messages.slice(0, end < 0 ? messages.length : end);
}

function isInstruction(message: Message): boolean {
  return message.role === 'system' || message.role === 'developer';
}
