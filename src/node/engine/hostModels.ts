// Models that only the host can reach (the editor's own). The engine says what is to be asked, the host asks and sends back what comes.
import { randomBytes, randomUUID } from 'node:crypto';
import { summarizeWithModel, type AskedReply, type ModelTurn } from '../../core/compaction/modelSummary';
import { CompactError, type CompactErrorCode } from '../../core/errors/compactError';
import type { Summarizer } from '../../core/ports/summarizer';

/** What the host is to ask. */
export interface ModelQuestion {
  readonly callId: string;
  readonly turns: readonly ModelTurn[];
  readonly maxOutputTokens: number;
}

/** What came of it so far: characters received, the whole text, or why there is none. */
export type ModelAnswer =
  | { readonly kind: 'received'; readonly characters: number }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'failure'; readonly code: CompactErrorCode; readonly message: string };

interface Call {
  readonly onReceived: (characters: number) => void;
  readonly settle: (answer: Exclude<ModelAnswer, { kind: 'received' }>) => void;
}

/** The questions that are out, by their ids. */
export class HostModels {
  readonly #ask: (question: ModelQuestion) => void;
  readonly #stop: (callId: string) => void;
  readonly #calls = new Map<string, Call>();

  /** `ask` carries a question to the host; `stop` tells it that the answer is not wanted any more. */
  constructor(ask: (question: ModelQuestion) => void, stop: (callId: string) => void) {
    this.#ask = ask;
    this.#stop = stop;
  }

  /** Takes what the host sends; answers to calls that are over are dropped. */
  answer(callId: string, answer: ModelAnswer): void {
    const call = this.#calls.get(callId);
    if (call === undefined) return;
    if (answer.kind === 'received') call.onReceived(answer.characters);
    else call.settle(answer);
  }

  /** A summarizer over a model of the host, known to people as `label`. */
  summarizer(label: string): Summarizer {
    return {
      capabilities: { label, host: label },
      summarize: (request, signal, onReceived) => {
        const ask = (turns: readonly ModelTurn[]): Promise<AskedReply> =>
          this.#call({ callId: randomUUID(), turns, maxOutputTokens: request.maxOutputTokens }, signal, onReceived ?? (() => undefined));
        return summarizeWithModel(request, { name: label, ask }, randomBytes(16).toString('hex'));
      },
    };
  }

  #call(question: ModelQuestion, signal: AbortSignal, onReceived: (characters: number) => void): Promise<AskedReply> {
    const { callId } = question;
    return new Promise<AskedReply>((resolve, reject) => {
      const onAbort = (): void => {
        this.#stop(callId);
        reject(new CompactError('aborted'));
      };
      if (signal.aborted) {
        reject(new CompactError('aborted'));
        return;
      }
      signal.addEventListener('abort', onAbort, { once: true });
      this.#calls.set(callId, {
        onReceived,
        settle: (answer) => {
          signal.removeEventListener('abort', onAbort);
          if (answer.kind === 'failure') reject(new CompactError(answer.code, answer.message));
          else resolve({ text: answer.text, stopReason: 'stop', usage: undefined, isRefused: false });
        },
      });
      this.#ask(question);
    }).finally(() => this.#calls.delete(callId));
  }
}
