// Collects what the user said: requests in order, the sentences that bind the work, and shell commands typed at the agent's prompt.
import type { Message } from '../../model/message';
import type { Source, UserStatement } from './sessionFacts';
import { bindingSentences, isOrder } from './statements';
import { ownWords } from './userText';

/** A text block longer than this is taken as pasted; its ends are kept first. */
export const PASTED_CHARACTERS = 2_000;
export const PASTED_END = 500;

export interface DraftRequest {
  readonly source: Source;
  readonly blocks: readonly string[];
  /** Name of a slash command. */
  readonly command: string | undefined;
  /** The program itself handled it, so the agent has nothing to answer. */
  readonly isHandled: boolean;
  readonly interrupted: boolean;
}

export interface UserSide {
  /** Reads a user message. Returns true when it starts a new turn. */
  add(message: Message, index: number): boolean;
  requests(): readonly DraftRequest[];
  statements(): UserStatement[];
}

/** Makes an empty collection. Only messages of kind `message` belong here; tool results and blocks of the program say nothing. */
export function createUserSide(): UserSide {
  const requests: DraftRequest[] = [];
  const statements = new Map<string, UserStatement>();
  const note = (block: string, source: Source): void => {
    for (const { text, bearing, start } of bindingSentences(block)) {
      const isInside = block.length > PASTED_CHARACTERS && start + text.length > PASTED_END && start < block.length - PASTED_END;
      if (isInside && !isOrder(text)) continue;
      const known = statements.get(text);
      const isPasted = isInside && (known?.isPasted ?? true);
      statements.set(text, { source: known?.source ?? source, text, bearing, isPasted, count: (known?.count ?? 0) + 1 });
    }
  };
  return {
    add: (message, index) => {
      const source: Source = { index, id: message.id };
      const parts: string[] = [];
      let command: string | undefined;
      for (const block of message.content) {
        if (block.type !== 'text') continue;
        const words = ownWords(block.text);
        if (words.interrupted) markLast(requests, { interrupted: true });
        if (words.isLocalOutput) markLast(requests, { isHandled: true }, (request) => request.command !== undefined);
        command ??= words.command;
        const text =
          words.shellCommand !== undefined
            ? `! ${words.shellCommand}`
            : [words.command ?? '', words.text].filter((part) => part !== '').join(' ');
        if (text === '') continue;
        parts.push(text);
        if (words.shellCommand === undefined) note(words.text, source);
      }
      if (parts.length === 0) return false;
      requests.push({ source, blocks: parts, command, isHandled: false, interrupted: false });
      return true;
    },
    // A bare command that the program handled itself, such as /clear, asked nothing of the agent; one with words may have.
    requests: () =>
      requests
        .filter((request) => !request.isHandled || !isBare(request))
        .map((request) => ({ ...request, isHandled: request.isHandled && HOUSEKEEPING.has(request.command ?? '') })),
    statements: () => [...statements.values()],
  };
}

function isBare({ blocks, command }: DraftRequest): boolean {
  return blocks.length === 1 && blocks[0] === command;
}

/** Commands for the program, whatever words follow them. */
const HOUSEKEEPING: ReadonlySet<string> = new Set([
  '/compact',
  '/clear',
  '/model',
  '/config',
  '/resume',
  '/rename',
  '/export',
  '/memory',
  '/permissions',
  '/mcp',
]);

function markLast(requests: DraftRequest[], marks: Partial<DraftRequest>, when: (request: DraftRequest) => boolean = () => true): void {
  const last = requests.at(-1);
  if (last !== undefined && when(last)) requests[requests.length - 1] = { ...last, ...marks };
}
