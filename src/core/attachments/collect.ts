import { CompactError } from '../errors/compactError';
import type { Message } from '../model/message';
import type { AttachmentContext, AttachmentSource } from '../ports/attachmentSource';

/**
 * Messages of all sources, in the order of the sources. One that fails is left out and named to `onFailure`; it never fails a compaction.
 * Rejects with `aborted` as soon as the signal aborts, also while a source does not listen to it (seed 2,
 * RuntimeAttachmentProvider.PostCompactAttachments).
 */
export async function collectAttachments(
  sources: readonly AttachmentSource[],
  context: AttachmentContext,
  signal: AbortSignal,
  onFailure: (sourceId: string, cause: unknown) => void = () => undefined,
): Promise<readonly Message[]> {
  stopIfAborted(signal);
  const collected: Message[] = [];
  for (const source of sources) {
    const answer = await answerOf(source, context, signal);
    stopIfAborted(signal);
    if (answer.outcome === 'failed') onFailure(source.id, answer.cause);
    else collected.push(...answer.messages);
  }
  return collected;
}

function stopIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new CompactError('aborted');
}

type Answer =
  { readonly outcome: 'collected'; readonly messages: readonly Message[] } | { readonly outcome: 'failed'; readonly cause: unknown };

/** Settles with the source, or with the abort when that comes first. */
async function answerOf(source: AttachmentSource, context: AttachmentContext, signal: AbortSignal): Promise<Answer> {
  let stop = (): void => undefined;
  const aborted = new Promise<Answer>((resolve) => {
    stop = () => resolve(ABORTED);
    signal.addEventListener('abort', stop, { once: true });
  });
  const collected = collectFrom(source, context, signal);
  const answer = await Promise.race([collected, aborted]);
  signal.removeEventListener('abort', stop);
  return answer;
}

const ABORTED: Answer = { outcome: 'failed', cause: undefined };

/** Never rejects, also not for a source that throws before it returns a promise. */
async function collectFrom(source: AttachmentSource, context: AttachmentContext, signal: AbortSignal): Promise<Answer> {
  try {
    return { outcome: 'collected', messages: await source.collect(context, signal) };
  } catch (cause) {
    return { outcome: 'failed', cause };
  }
}
