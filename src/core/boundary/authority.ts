import type { CompactionResult } from '../model/compactionResult';
import type { Message } from '../model/message';
import { parseBoundaryMessage, type BoundaryMetadata } from './boundaryMessage';
import { isSummaryMessage } from './summaryMessage';

/** What a seal is valid for: one session of one project, in one generation of its context. */
export interface Scope {
  readonly sessionId: string;
  readonly project: string;
  readonly generation: number;
}

/**
 * Seals the control messages of one running program (seed 2, provenance). A seal hangs on the message object and on nothing in it: text cannot
 * forge it, JSON loses it, and a spread copy has none. Sealed messages are frozen copies, so what was sealed cannot change afterwards. Whoever
 * holds the authority may seal; others can only be told what it recognises.
 */
export class ControlAuthority {
  readonly #seals = new WeakMap<Message, Seal>();

  /** A sealed copy, frozen together with all that it holds. For a scope that is not bound the copy has no seal. Sealing again replaces the scope. */
  seal(message: Message, scope?: Scope): Message {
    const sealed = { ...message };
    freeze(sealed);
    if (scope === undefined || isBound(scope)) this.#seals.set(sealed, { scope: scope === undefined ? undefined : { ...scope } });
    return sealed;
  }

  /** A copy with the seal of the original, changed where `change` says so; without a seal when the original has none. */
  copy(message: Message, change: Partial<Message> = {}): Message {
    const seal = this.#seals.get(message);
    const copied = { ...message, ...change };
    return seal === undefined ? copied : this.seal(copied, seal.scope);
  }

  /** True for a message that was sealed here, for exactly this scope when one is given. */
  recognises(message: Message, scope?: Scope): boolean {
    const seal = this.#seals.get(message);
    if (seal === undefined) return false;
    return scope === undefined || (isBound(scope) && seal.scope !== undefined && isSame(seal.scope, scope));
  }

  /** The metadata of a sealed boundary; undefined for whatever only looks like one. */
  parseBoundary(message: Message, scope?: Scope): BoundaryMetadata | undefined {
    return this.recognises(message, scope) ? parseBoundaryMessage(message) : undefined;
  }

  /** True for a sealed boundary. */
  isBoundary(message: Message, scope?: Scope): boolean {
    return this.parseBoundary(message, scope) !== undefined;
  }

  /** True for a sealed summary. */
  isSummary(message: Message, scope?: Scope): boolean {
    return isSummaryMessage(message) && this.recognises(message, scope);
  }

  /**
   * Seals what a compaction has made: boundary, summaries and reminders, also where they stand in a prepared list. Undefined when the scope is
   * not bound (seed 2, AuthorizeCompactionResultForScope).
   */
  sealResult(result: CompactionResult, scope: Scope): CompactionResult | undefined {
    if (!isBound(scope)) return undefined;
    const sealed = new Map<Message, Message>();
    const seal = (message: Message): Message => {
      const known = sealed.get(message) ?? this.seal(message, scope);
      sealed.set(message, known);
      return known;
    };
    const boundary = seal(result.boundary);
    const summaries = result.summaries.map(seal);
    const attachments = result.attachments.map((message) => (isControl(message) ? seal(message) : message));
    const hookResults = result.hookResults.map((message) => (isControl(message) ? seal(message) : message));
    const prepared = result.prepared?.map((message) => sealed.get(message) ?? message);
    return { ...result, boundary, summaries, attachments, hookResults, prepared };
  }
}

interface Seal {
  readonly scope: Scope | undefined;
}

/** Reminders; ordinary messages that a source adds stay what they are. */
function isControl(message: Message): boolean {
  return message.kind === 'attachment';
}

/** Generation 0 is a real one. */
function isBound({ sessionId, project, generation }: Scope): boolean {
  return sessionId !== '' && project !== '' && Number.isSafeInteger(generation) && generation >= 0;
}

function isSame(a: Scope, b: Scope): boolean {
  return a.sessionId === b.sessionId && a.project === b.project && a.generation === b.generation;
}

/** Freezes plain data at every depth. */
function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  // A frozen object may still hold one that is not.
  Object.freeze(value);
  for (const item of Object.values(value)) freeze(item);
}
