import type { Message } from '../../model/message';
import { arrayOf, isRecord, recordOf, stringOf } from '../../util/json';
import { present } from '../../util/present';
import type { CopyInput } from './copyInput';
import { sourceChanged } from './copyInput';
import { elementSpans, memberText, valueSpans, type Span } from './jsonSpans';

/** The source as one JSON value over all its lines; undefined when it is written line by line. */
export function wholeDocument({ document, lines, lineCount }: CopyInput): string | undefined {
  const text = document ?? (lineCount <= 1 || (lineCount === 2 && isBlank(lines(2) ?? '')) ? lines(1) : undefined);
  const first = text === undefined ? undefined : valueSpans(text).next().value;
  if (text === undefined || first === undefined || !isBlank(text.slice(first.end))) return undefined;
  const value = cut(text, first);
  return value.startsWith('[') || memberText(value, 'messages') !== undefined ? value : undefined;
}

/**
 * Finds the JSON texts of messages by their order: the last message of a line is the last element on it. What a line has more in messages
 * than in elements stands before them and is the system prompt of a request, which has no element. Throws `staleSource` when a line holds
 * something else than was read from it.
 */
export function elementTexts(input: CopyInput, wanted: readonly Message[], document: string | undefined): ReadonlyMap<Message, string> {
  const texts = new Map<Message, string>();
  const lines = new Map<number, Message[]>([...new Set(wanted.map((message) => message.line))].map((line) => [line, []]));
  for (const message of input.transcript.messages) lines.get(message.line)?.push(message);
  for (const [line, messages] of lines) {
    const text = document ?? input.lines(line) ?? '';
    const elements = [...valueSpans(text)].flatMap((span) => elementsOf(cut(text, span)));
    const extra = messages.length - elements.length;
    if (extra < 0 || messages.slice(0, extra).some((message) => message.role !== 'system')) throw sourceChanged(line);
    for (const [index, message] of messages.entries()) {
      const element = elements[index - extra];
      if (element !== undefined) texts.set(message, element);
    }
  }
  return texts;
}

/** Messages of one JSON value: a list of them, a request with `messages`, an answer with `choices`, or a message. */
function elementsOf(text: string): readonly string[] {
  const value = parsed(text);
  const list = isRecord(value) ? arrayOf(value, 'messages') : Array.isArray(value) ? value : undefined;
  if (list !== undefined) {
    const listText = isRecord(value) ? present(memberText(text, 'messages')) : text;
    return elementSpans(listText).flatMap((span, index) => (isChatMessage(list[index]) ? [cut(listText, span)] : []));
  }
  if (!isRecord(value)) return [];
  const choice: unknown = arrayOf(value, 'choices')?.[0];
  const answer = isRecord(choice) ? recordOf(choice, 'message') : undefined;
  if (answer === undefined) return isChatMessage(value) ? [text] : [];
  const choices = present(memberText(text, 'choices'));
  const first = cut(choices, present(elementSpans(choices)[0]));
  return isChatMessage(answer) ? [present(memberText(first, 'message'))] : [];
}

/** What the reader takes for a message too. */
function isChatMessage(value: unknown): boolean {
  return (
    isRecord(value) && stringOf(value, 'role') !== undefined && (Object.hasOwn(value, 'content') || Object.hasOwn(value, 'tool_calls'))
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A damaged line; the reader reported it, and no message was read from it.
    return undefined;
  }
}

function cut(text: string, { start, end }: Span): string {
  return text.slice(start, end);
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}
