import { CompactError } from '../errors/compactError';
import type { CompactTrigger } from '../model/boundary';
import type { CompactionResult } from '../model/compactionResult';
import type { Message } from '../model/message';
import { stripMedia } from '../prepare/stripMedia';
import type { Compactor } from './compact';

export interface ReactiveInput {
  readonly messages: readonly Message[];
  readonly compactor: Pick<Compactor, 'compact'> | undefined;
  /** The caller has tried once for this request already; it shows the error instead of trying again. */
  readonly hasAttempted: boolean;
  /** The provider refused pictures or documents: compact without them. */
  readonly stripMedia?: boolean;
  readonly keepMessages?: number;
  readonly trigger?: CompactTrigger;
  readonly signal: AbortSignal;
}

export type ReactiveOutcome =
  | { readonly outcome: 'notAttempted'; readonly reason: 'attempted' | 'noMedia' | 'unchanged' }
  | { readonly outcome: 'compacted'; readonly result: CompactionResult }
  | { readonly outcome: 'failed'; readonly error: unknown };

/**
 * Makes room once after a provider has refused a request for its size (seed 2, TryReactiveCompact). Without a compactor it fails with
 * `summarizerUnavailable`. Media that is stripped for the summary stays in the kept messages (R62). Never rejects.
 */
export async function reactiveCompact(input: ReactiveInput): Promise<ReactiveOutcome> {
  const { messages, compactor, hasAttempted, keepMessages, trigger = 'reactive', signal } = input;
  if (hasAttempted) return { outcome: 'notAttempted', reason: 'attempted' };
  if (compactor === undefined) return { outcome: 'failed', error: new CompactError('summarizerUnavailable') };
  const stripped = input.stripMedia === true ? stripMedia(messages, 'user') : messages;
  if (input.stripMedia === true && stripped.every((message, index) => message === messages[index])) {
    return { outcome: 'notAttempted', reason: 'noMedia' };
  }
  try {
    const outcome = await compactor.compact(stripped, { trigger, keepMessages, signal });
    if (outcome.outcome === 'unchanged') return { outcome: 'notAttempted', reason: 'unchanged' };
    return { outcome: 'compacted', result: withOriginals(outcome, messages, stripped) };
  } catch (error) {
    return { outcome: 'failed', error };
  }
}

/** Puts the messages themselves back in the place of their copies without media. */
function withOriginals(result: CompactionResult, messages: readonly Message[], stripped: readonly Message[]): CompactionResult {
  const originals = new Map(stripped.map((message, index) => [message, messages[index] ?? message]));
  const original = (message: Message): Message => originals.get(message) ?? message;
  return { ...result, kept: result.kept.map(original), prepared: result.prepared?.map(original) };
}
