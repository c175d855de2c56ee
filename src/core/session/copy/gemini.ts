// A compacted session of Gemini CLI: the header and a record a message, in place of the log of changes; or one document, where the source is
// one. The summary is a pair of messages: the snapshot in the user's name, and the program's thanks in the model's.
import { isToolResult, type Message } from '../../model/message';
import { stringOf } from '../../util/json';
import { wholeDocument } from './chatElements';
import { clearContent } from './clearedParts';
import { clearedBlocks } from './clearedResults';
import type { Copy, CopyInput } from './copyInput';
import { keptMessages, messagesAt } from './copyInput';
import { geminiTexts, withInnerResults } from './geminiText';
import { memberText, mapMember, withMembers, withoutMembers } from './jsonSpans';
import { messageFinder } from './messageFinder';
import { snapshotText, THANKS } from './snapshot';
import { recordsOn } from './sourceRecords';

const USAGE = new Set(['tokens']);
const MESSAGES = new Set(['messages']);

export function writeGeminiCopy(input: CopyInput): Copy {
  const document = wholeDocument(input);
  const textOf = messageFinder((line) => geminiTexts(input, line, document));
  const kept = withoutRepeatedResults(keptMessages(input));
  const ids = new FreeIds(input);
  const blocksOf = clearedBlocks(input);
  const sources = kept.map((message) => ({ message, source: textOf(message) }));
  const answered = new Set(sources.flatMap(({ message, source }) => (source.kind === 'record' ? callIds(message) : [])));
  const cleared = new Set([...(input.cleared ?? [])].flatMap(([index]) => messagesAt(input.transcript, [index]).flatMap(callIds)));
  const records = sources.flatMap(({ message, source }, at): readonly string[] => {
    // These results stay inside of the record before, from where the agent takes them.
    if (source.kind === 'results') return [];
    const record = withoutMembers(ids.named(source.text), USAGE);
    const next = sources[at + 1];
    const inner = next?.source.kind === 'results' ? blocksOf(next.message) : undefined;
    if (message.role === 'assistant') return [withInnerResults(record, { answered, cleared, blocks: inner })];
    const blocks = blocksOf(message);
    return [blocks === undefined ? record : mapMember(record, 'content', (content) => clearContent(content, blocks))];
  });
  const pair = pairOf(input, ids);
  const keptFirst = input.plan.order === 'keptFirst';
  const messages = keptFirst ? [...records, ...pair.texts] : [...pair.texts, ...records];
  const header = headerOf(input, document);
  return {
    records:
      document === undefined ? [header, ...messages] : [withMembers(header, new Map([['messages', `[\n${messages.join(',\n')}\n]`]]))],
    boundary: { id: undefined, summaryId: pair.id, preservedIds: kept.map((message) => message.id) },
  };
}

/**
 * The agent writes a second record of the same results each time it resumes a session, and sends both. A copy has each result once.
 */
export function withoutRepeatedResults(messages: readonly Message[]): readonly Message[] {
  const answered = new Set<string>();
  return messages.filter((message) => {
    const ids = callIds(message);
    const isRepeat = message.role === 'tool' && ids.length > 0 && ids.every((id) => answered.has(id));
    for (const id of ids) answered.add(id);
    return !isRepeat;
  });
}

function callIds({ content }: Message): readonly string[] {
  return content.filter(isToolResult).map(({ toolUseId }) => toolUseId);
}

function pairOf(
  { summary, now, transcript }: CopyInput,
  ids: FreeIds,
): { readonly id: string | undefined; readonly texts: readonly string[] } {
  if (summary === undefined) return { id: undefined, texts: [] };
  const id = ids.next();
  const snapshot = { id, timestamp: now, type: 'user', content: [{ text: snapshotText(summary) }] };
  const thanks = { id: ids.next(), timestamp: now, type: 'gemini', content: THANKS, thoughts: [], model: transcript.model ?? 'gemini' };
  return { id, texts: [JSON.stringify(snapshot), JSON.stringify(thanks)] };
}

/** The header, of a document with all its other fields. */
function headerOf(input: CopyInput, document: string | undefined): string {
  const [id, now] = [JSON.stringify(input.newSessionId), JSON.stringify(input.now)];
  const identity = new Map([['sessionId', id]]).set('startTime', now).set('lastUpdated', now);
  return withMembers(withoutMembers(document ?? firstHeader(input) ?? '{"projectHash":"","kind":"main"}', MESSAGES), identity);
}

function firstHeader(input: CopyInput): string | undefined {
  for (let line = 1; line <= input.lineCount; line++) {
    const found = recordsOn(input, line).find(
      ({ value }) => stringOf(value, 'sessionId') !== undefined && stringOf(value, 'type') === undefined,
    );
    if (found !== undefined) return found.text;
  }
  return undefined;
}

/** Ids of records. A later record with the id of an earlier one replaces it, so that none may stand twice. */
class FreeIds {
  readonly #input: CopyInput;
  readonly #taken = new Set<string>();

  constructor(input: CopyInput) {
    this.#input = input;
  }

  next(): string {
    const id = this.#input.ids.uuid();
    this.#taken.add(id);
    return id;
  }

  /** The record under its own id where that is free. */
  named(record: string): string {
    const own = memberText(record, 'id');
    if (own !== undefined && !this.#taken.has(own)) {
      this.#taken.add(own);
      return record;
    }
    return withMembers(record, new Map([['id', JSON.stringify(this.next())]]));
  }
}
