import { toolResultText, type ContentBlock, type Message } from '../model/message';
import { assertNever } from '../util/assertNever';

/**
 * Who a line is from. Only `user` stands for words that the user typed: reminders and other text that the agent's program wrote in the
 * user's name are `program`, results are `tool`, and what an earlier compaction wrote is `earlier summary`.
 */
export type LineAuthor = 'user' | 'assistant' | 'tool' | 'program' | 'earlier summary';

/** One block of a conversation as a summarizer reads it. */
export interface TranscriptLine {
  readonly author: LineAuthor;
  /** Name of the tool that is called. */
  readonly call?: string;
  /** Name of the tool that this is the result of; `unknown` when its call is not there. */
  readonly result?: string;
  readonly failed?: true;
  /** Type of a block that we do not know. */
  readonly other?: string;
  /** Arguments of a call, as a value or as the text that the model wrote. */
  readonly input?: unknown;
  readonly text?: string;
}

/** The blocks of a conversation in order, each with its true author (R53). Thinking is left out. */
export function transcriptLines(messages: readonly Message[]): readonly TranscriptLine[] {
  const tools = new Map<string, string>();
  return messages.flatMap((message) => message.content.flatMap((block) => lineOf(message, block, tools) ?? []));
}

/**
 * Writes a conversation as untrusted data: one JSON object a line, so that no text can begin a line, a turn or an author of its own, and
 * with every `</` and `<transcript` inside spelled as an escape, so that none can end the data (R52, P51). Parsing each line as JSON gives
 * back what `transcriptLines` answers.
 */
export function flattenTranscript(messages: readonly Message[]): string {
  return transcriptLines(messages)
    .map((line) => neutral(JSON.stringify(line)))
    .join('\n');
}

function lineOf(message: Message, block: ContentBlock, tools: Map<string, string>): TranscriptLine | undefined {
  const author = authorOf(message);
  switch (block.type) {
    case 'text':
      return { author, text: block.text };
    case 'toolUse':
      tools.set(block.id, block.name);
      return { author, call: block.name, input: block.rawInput ?? block.input };
    case 'toolResult': {
      const failed = block.isError === true ? ({ failed: true } as const) : {};
      return { author: 'tool', result: tools.get(block.toolUseId) ?? 'unknown', ...failed, text: toolResultText(block) };
    }
    case 'image':
    case 'document':
      return { author, text: `[${block.type}]` };
    case 'toolReference':
      return { author, text: `[tool:${block.name}]` };
    case 'unknown':
      return { author, other: block.originalType, text: block.raw };
    case 'thinking':
      return undefined;
    default:
      return assertNever(block);
  }
}

function authorOf({ role, kind }: Message): LineAuthor {
  if (kind === 'summary') return 'earlier summary';
  if (kind !== 'message' || role === 'system' || role === 'developer') return 'program';
  return role;
}

/** Both escapes are ones of JSON itself. Line separators that JSON leaves as they are get escaped too. */
function neutral(json: string): string {
  return json
    .replaceAll('</', '<\\/')
    .replace(/<(?=transcript)/gi, '\\u003c')
    .replace(/[\u0085\u2028\u2029]/g, (separator) => `\\u${separator.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
