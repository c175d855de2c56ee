import type { ModelTurn } from '../../core/compaction/modelSummary';
import type { CompactErrorCode } from '../../core/errors/compactError';
import type { ModelAnswer, ModelQuestion } from '../../node/engine/hostModels';

/** What is used of a language model of the editor. */
export interface ChatModel<Message> {
  readonly name: string;
  readonly maxInputTokens: number;
  /** Tokens of a message by the model's own count. */
  countTokens(message: Message): Thenable<number>;
  /** Parts of the answer's text. */
  send(messages: Message[], signal: AbortSignal): Thenable<AsyncIterable<string>>;
}

export interface EditorTalk<Message> {
  /** Makes a message of the editor. It knows no system role, so the standing instruction goes first in the user's name. */
  message(role: 'user' | 'assistant', text: string): Message;
  /** Code of an error of the editor's language models; undefined for any other. */
  codeOf(error: unknown): string | undefined;
  /** Longest time without a sign of life, in milliseconds. */
  readonly timeoutMs: number;
}

/** Characters of an answer after which it cannot be a summary any more. */
const MAX_REPLY_CHARACTERS = 1_000_000;

/**
 * Asks a model of the editor and answers its text or why there is none; never rejects. `onReceived` hears the characters so far. A request
 * that does not fit into the model's input limit, by the model's own count, is not sent (`promptTooLong`).
 */
export async function askEditorModel<Message>(
  model: ChatModel<Message>,
  talk: EditorTalk<Message>,
  question: ModelQuestion,
  signal: AbortSignal,
  onReceived: (characters: number) => void,
): Promise<Exclude<ModelAnswer, { kind: 'received' }>> {
  const idle = new AbortController();
  const timer = watchdog(talk.timeoutMs, () => idle.abort());
  const stopped = AbortSignal.any([signal, idle.signal]);
  try {
    const messages = question.turns.map((turn) => talk.message(roleOf(turn), turn.content));
    const counts = await Promise.all(messages.map((message) => model.countTokens(message)));
    if (counts.reduce((sum, count) => sum + count, 0) > model.maxInputTokens) {
      return failure(
        'promptTooLong',
        `The part to be summarized is larger than ${model.name} can take; choose a smaller part or another model.`,
      );
    }
    const parts = await orStopped(model.send(messages, stopped), stopped);
    let text = '';
    for await (const part of whileRunning(parts, stopped)) {
      timer.touch();
      text += part;
      onReceived(text.length);
      if (text.length > MAX_REPLY_CHARACTERS) return failure('invalidSummary', '');
    }
    return { kind: 'text', text };
  } catch (error) {
    if (signal.aborted) return failure('aborted', '');
    if (idle.signal.aborted) {
      const seconds = Math.round(talk.timeoutMs / 1000);
      return failure('api', `${model.name} did not answer for ${seconds} seconds; try again or use the offline summary.`);
    }
    return failureOf(model.name, talk.codeOf(error));
  } finally {
    timer.stop();
  }
}

function roleOf({ role }: ModelTurn): 'user' | 'assistant' {
  return role === 'assistant' ? 'assistant' : 'user';
}

/** Words for the editor's own codes; the text of its errors is never shown. */
function failureOf(name: string, code: string | undefined): Exclude<ModelAnswer, { kind: 'received' }> {
  switch (code) {
    case 'NoPermissions':
      return failure(
        'consentRequired',
        `You have not allowed Context Inspector to use ${name}, so nothing was sent; allow it in VS Code first.`,
      );
    case 'NotFound':
      return failure(
        'summarizerUnavailable',
        `The language model ${name} is not available any more; choose another one with “Select Summarizer…”.`,
      );
    case 'Blocked':
      return failure(
        'api',
        `${name} was blocked, most likely because its quota is used up; wait, choose another model, or use the offline summary.`,
      );
    default:
      return failure('api', `The language model ${name} reported an error; try again, choose another model, or use the offline summary.`);
  }
}

function failure(code: CompactErrorCode, message: string): Exclude<ModelAnswer, { kind: 'received' }> {
  return { kind: 'failure', code, message };
}

function watchdog(ms: number, onLate: () => void): { touch(): void; stop(): void } {
  let timer = setTimeout(onLate, ms);
  return {
    touch: () => {
      clearTimeout(timer);
      timer = setTimeout(onLate, ms);
    },
    stop: () => clearTimeout(timer),
  };
}

async function orStopped<T>(work: Thenable<T>, signal: AbortSignal): Promise<T> {
  let stop = (): void => undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(new Error('stopped'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** The parts of a stream, ended by the signal even where the stream itself does not listen. */
async function* whileRunning(parts: AsyncIterable<string>, signal: AbortSignal): AsyncGenerator<string, undefined> {
  const iterator = parts[Symbol.asyncIterator]();
  for (;;) {
    const next = await orStopped(iterator.next(), signal);
    if (next.done === true) return;
    yield next.value;
  }
}
