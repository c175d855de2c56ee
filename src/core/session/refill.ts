// What filled the context again after a compaction, and whether it had been there before.
import { isToolResult, isToolUse, textOf, toolResultText, type ContentBlock, type Message } from '../model/message';
import { StoredBlock } from '../model/storedBlock';
import { isTurnStart } from '../model/turn';
import { EarlierCalls, fetchingCall, type FetchingCall } from './refillCalls';

/** The same call again; another reading of the same file; a large new result; what the agent's program put back; all the rest. */
export type RefillItemCause = 'repeatedCall' | 'reread' | 'largeResult' | 'reinjected' | 'newWork';

export interface RefillItem {
  readonly cause: RefillItemCause;
  /** File, command or tool; of new work what the user asked. */
  readonly about: string;
  readonly tokens: number;
  /** Row that it stands at; of the new work of a turn the first one. */
  readonly index: number;
  /** Row before the compaction that held the same; undefined when there is none. */
  readonly sameAs: number | undefined;
}

export interface Refill {
  /** Turns of the user that it took; work that goes on without a new request counts as one. */
  readonly turns: number;
  /** Of all items together. */
  readonly tokens: number;
  /** Largest first. */
  readonly items: readonly RefillItem[];
}

export interface RefillInput {
  readonly messages: readonly Message[];
  readonly tokens: readonly number[];
  /** Rows that the context held before. */
  readonly before: readonly number[];
  /** Rows that the agent put in with the summary, and those that came later, in order. */
  readonly added: readonly number[];
  readonly later: readonly number[];
  /** Tokens that may come later before the context is as large as it was. */
  readonly room: number;
}

/** A result from this many tokens on is named for itself. */
const LARGE_RESULT = 2000;

/** Lists what came until the context had reached its size again, or all where it never did; undefined where nothing came. Linear. */
export function refillOf({ messages, tokens, before, added, later, room }: RefillInput): Refill | undefined {
  const earlier = new Earlier(messages, before);
  const items: RefillItem[] = [];
  const calls = new Map<string, FetchingCall>();
  const turns: Turn[] = [];
  // What was put in with the summary is in the context already; only what came later fills the room.
  let left = room;
  for (const [at, index] of [...added, ...later].entries()) {
    const message = messages[index];
    const isLater = at >= added.length;
    // Of what the compaction itself wrote only reminders come back; the rest is its new history, or the command that asked for it.
    if (message === undefined || (!isLater && message.kind === 'message')) continue;
    if (isLater && left <= 0) break;
    const own = tokens[index] ?? 0;
    if (isLater) left -= own;
    if (message.kind !== 'message') {
      items.push(reinjected(message, index, own, earlier));
      continue;
    }
    for (const block of message.content) if (isToolUse(block)) calls.set(block.id, fetchingCall(block));
    let rest = own;
    for (const { call, share } of answered(message, own, calls)) {
      const item = earlier.fetched(call, index, share);
      if (item === undefined) continue;
      items.push(item);
      rest -= share;
    }
    addToTurn(turns, message, index, rest);
  }
  for (const { index, about, tokens: sum } of turns)
    if (sum > 0) items.push({ cause: 'newWork', about, tokens: sum, index, sameAs: undefined });
  const sorted = items.filter((item) => item.tokens > 0).sort((a, b) => b.tokens - a.tokens || a.index - b.index);
  return sorted.length === 0
    ? undefined
    : { turns: turns.length, tokens: sorted.reduce((sum, item) => sum + item.tokens, 0), items: sorted };
}

/** What the context held before. */
class Earlier {
  readonly #calls = new EarlierCalls();
  readonly #texts = new Map<string, number>();

  constructor(messages: readonly Message[], rows: readonly number[]) {
    for (const row of rows) {
      const message = messages[row];
      if (message === undefined) continue;
      this.#calls.take(message, row);
      const text = message.kind === 'message' ? '' : shortText(message);
      if (text !== '') this.#texts.set(text, row);
    }
  }

  /** A result that had been there, or is large; undefined for all others. */
  fetched(call: FetchingCall, index: number, tokens: number): RefillItem | undefined {
    const about = call.about === '' ? call.name : call.about;
    const same = this.#calls.same(call);
    if (same !== undefined) return { cause: 'repeatedCall', about, tokens, index, sameAs: same };
    const file = this.#calls.sameFile(call.paths);
    if (file !== undefined) return { cause: 'reread', about, tokens, index, sameAs: file };
    return tokens < LARGE_RESULT ? undefined : { cause: 'largeResult', about, tokens, index, sameAs: undefined };
  }

  /** Row that held the file which a reminder repeats, or one that begins alike. */
  reminder(text: string, path: string | undefined): number | undefined {
    return (path === undefined ? undefined : this.#calls.sameFile([path])) ?? this.#texts.get(text);
  }
}

interface Turn {
  readonly index: number;
  readonly about: string;
  tokens: number;
}

/** Work belongs to the request before it. What an agent goes on with after a compaction has none. */
function addToTurn(turns: Turn[], message: Message, index: number, tokens: number): void {
  const open = turns.at(-1);
  if (open === undefined || isTurnStart(message)) turns.push({ index, about: isTurnStart(message) ? shortText(message) : '', tokens });
  else open.tokens += tokens;
}

function reinjected(message: Message, index: number, tokens: number, earlier: Earlier): RefillItem {
  const text = shortText(message);
  const path = pathIn(text);
  return { cause: 'reinjected', about: path ?? text, tokens, index, sameAs: earlier.reminder(text, path) };
}

/** Results of known calls in a message, with their share of its tokens by length. */
function answered(
  { content }: Message,
  tokens: number,
  calls: ReadonlyMap<string, FetchingCall>,
): readonly { readonly call: FetchingCall; readonly share: number }[] {
  const results = content.filter(isToolResult);
  if (results.length === 0) return [];
  const lengths = content.map(lengthOf);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  return content.flatMap((block, at) => {
    const call = isToolResult(block) ? calls.get(block.toolUseId) : undefined;
    if (call === undefined) return [];
    return [{ call, share: total === 0 ? 0 : Math.floor((tokens * (lengths[at] ?? 0)) / total) }];
  });
}

function lengthOf(block: ContentBlock): number {
  const stored = StoredBlock.sizeOf(block);
  if (stored !== undefined) return stored.bytes + stored.media * MEDIA_LENGTH;
  if (isToolResult(block)) return toolResultText(block).length;
  return block.type === 'text' || block.type === 'thinking' ? block.text.length : MEDIA_LENGTH;
}

/** About the length of a text that costs as much as a picture. */
const MEDIA_LENGTH = 5000;

const SHORT = 400;

/** The beginning of a message's text. Of a text that stays in its file nothing is read. */
function shortText(message: Message): string {
  const block = message.content.find((one) => one.type === 'text');
  if (block === undefined || StoredBlock.isStored(block, 'text')) return '';
  return textOf({ ...message, content: [block] })
    .slice(0, SHORT)
    .trim();
}

/** File that a reminder repeats: its first line is a path, or it tells of a call that read it. */
function pathIn(text: string): string | undefined {
  const told = /"(?:file_?path|filePath)":\s{0,8}"([^"\n]{1,400})"/.exec(text)?.[1];
  const [first = ''] = text.split('\n', 1);
  return told ?? (/^(?:~|[A-Za-z]:)?[/\\][^\n]{1,400}$/.test(first) ? first : undefined);
}
