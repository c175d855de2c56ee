// Which cleared results a later message of the session quotes. Definition: docs/replay.md.
import { isToolResult, isToolUse, toolResultText, type Message } from '../../../src/core/model/message';
import type { Transcript } from '../../../src/core/model/transcript';
import { argumentsText } from '../../../src/core/tokens/blockText';
import { QuoteFinder, type QuoteKind } from './quotes';
import type { SessionRequest } from './requests';

/** Results that were cleared before a request. Keys are places of messages and blocks. */
export interface ClearedAt {
  readonly at: number;
  readonly keys: readonly string[];
}

/** How each cleared result that is quoted was quoted, within the part of the session up to the next compaction. */
export function quotesOf({ messages }: Transcript, requests: readonly SessionRequest[], log: readonly ClearedAt[]): readonly QuoteKind[] {
  const clearedAt = new Map(log.map(({ at, keys }) => [at, keys]));
  const quoted = new Map<string, QuoteKind>();
  const cleared = new Set<string>();
  let finder = new QuoteFinder();
  let stretch: number | undefined;
  requests.forEach((request, at) => {
    if (request.stretch !== stretch) finder = new QuoteFinder();
    stretch = request.stretch;
    for (const index of request.context) addTexts(finder, messages[index], index, cleared);
    for (const key of clearedAt.get(at) ?? []) {
      cleared.add(key);
      finder.clear(key);
    }
    const end = requests[at + 1]?.reply ?? messages.length;
    for (let index = request.reply; index < end; index++) {
      const message = messages[index];
      if (message === undefined || message.isSidechain === true) continue;
      if (message.role === 'assistant') {
        for (const [key, kind] of finder.quotedBy(writtenText(message))) if (quoted.get(key) !== 'run') quoted.set(key, kind);
      }
      addTexts(finder, message, index, cleared);
    }
  });
  return [...quoted.values()];
}

/** Each result has a key of its own; all else of a message goes by its index. */
function addTexts(finder: QuoteFinder, message: Message | undefined, index: number, cleared: ReadonlySet<string>): void {
  if (message === undefined || message.isSidechain === true) return;
  message.content.forEach((block, at) => {
    const key = `${index}.${at}`;
    if (isToolResult(block) && !cleared.has(key)) finder.add(key, toolResultText(block));
  });
  finder.add(`${index}`, writtenText(message));
}

/** What a message says besides results: its text, its reasoning where it is stored, and the arguments of its calls. */
function writtenText({ content }: Message): string {
  return content
    .map((block) => {
      if (block.type === 'text' || block.type === 'thinking') return block.text;
      return isToolUse(block) ? (block.rawInput ?? argumentsText(block)) : '';
    })
    .join('\n');
}
