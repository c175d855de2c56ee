import type { Message } from '../model/message';

/** What a source may look at; none of it is to be changed. */
export interface AttachmentContext {
  readonly originalMessages: readonly Message[];
  readonly messagesAfterBoundary: readonly Message[];
  readonly preservedTail: readonly Message[];
  readonly sessionId: string | undefined;
  readonly cwd: string | undefined;
  readonly contextWindowTokens: number | undefined;
}

/**
 * Brings back what the running program needs to know and a compaction took away (plan, skills, tasks …), as reminders. Answers [] when it has
 * nothing. A source that fails is left out; it never fails a compaction.
 */
export interface AttachmentSource {
  readonly id: string;
  collect(context: AttachmentContext, signal: AbortSignal): Promise<readonly Message[]>;
}
