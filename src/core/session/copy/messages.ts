// A compacted copy of a plain list of messages (Anthropic messages, OpenAI chat), in the container that the source has: a JSON array, an
// object around `messages`, or one message a line.
import { textOf, type Message } from '../../model/message';
import { clearedIn, clearMessage } from './clearedResults';
import type { Copy, CopyInput } from './copyInput';
import { keptMessages, messagesAt } from './copyInput';
import { elementTexts, wholeDocument } from './chatElements';
import { mapMember, withoutMembers } from './jsonSpans';

/** Usage tells the size of a context that is no more. */
const DROPPED = new Set(['usage']);

/**
 * Builds [system…, summary, kept…] or [kept…, summary]. Instructions that begin a conversation stay first whatever the plan says, and those
 * that a request states beside its messages stay there.
 */
export function writeMessagesCopy(input: CopyInput): Copy {
  const document = wholeDocument(input);
  const kept = keptMessages(input);
  const isKept = new Set(kept);
  const instructions = leadingInstructions(input);
  const isLeading = new Set(instructions);
  const first = [...instructions.filter((message) => !isKept.has(message)), ...kept.filter((message) => isLeading.has(message))];
  const rest = kept.filter((message) => !isLeading.has(message));
  const clearedOf = clearedIn(input);
  const texts = elementTexts(input, [...first, ...rest], document);
  const textsOf = (messages: readonly Message[]): readonly string[] =>
    messages.flatMap((message) => {
      const text = texts.get(message);
      const cleared = clearedOf(message);
      if (text !== undefined) return [withoutMembers(cleared === undefined ? text : clearMessage(text, cleared), DROPPED)];
      // Instructions beside the messages: a document keeps them where they are.
      return document === undefined ? [JSON.stringify({ role: message.role, content: textOf(message) })] : [];
    });
  const head = textsOf(first);
  const tail = textsOf(rest);
  const summary = summaryItems(input);
  const items = input.plan.order === 'keptFirst' ? [...head, ...tail, ...summary] : [...head, ...summary, ...tail];
  const place = input.plan.order === 'keptFirst' ? items.length : head.length + 1;
  return {
    records: document === undefined ? items : [inContainer(document, items)],
    boundary: {
      id: undefined,
      summaryId:
        input.summary === undefined ? undefined : document === undefined ? `line:${place}` : place === 1 ? 'line:1' : `line:1#${place}`,
      preservedIds: kept.map((message) => message.id),
    },
  };
}

/** Content of a list's form where only blocks tell the format from the other one. */
function summaryItems({ transcript, summary }: CopyInput): readonly string[] {
  if (summary === undefined) return [];
  const content = transcript.format === 'anthropic-messages' ? [{ type: 'text', text: summary }] : summary;
  return [JSON.stringify({ role: 'user', content })];
}

function inContainer(document: string, items: readonly string[]): string {
  const list = `[\n${items.join(',\n')}\n]`;
  return document.startsWith('[') ? list : mapMember(document, 'messages', () => list);
}

function leadingInstructions({ transcript }: CopyInput): readonly Message[] {
  const messages = messagesAt(transcript, transcript.context);
  const end = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  return messages.slice(0, end < 0 ? messages.length : end);
}
