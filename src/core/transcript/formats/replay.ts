import type { Message } from '../../model/message';
import { isSeen } from '../transcriptDraft';
import { matchKept } from './matchKept';
import type { BoundaryDraft } from './sessionTranscript';

/** A compaction that states the whole new history. */
export interface ReplayedCompaction {
  readonly boundary: Message;
  /** The summary among them has that kind. */
  readonly history: readonly Message[];
  readonly trigger: string;
  readonly preTokens?: number | undefined;
  readonly postTokens?: number | undefined;
}

/** Plays a session in order and holds what the model has in its context. */
export class Replay {
  readonly messages: Message[] = [];
  readonly boundaries: BoundaryDraft[] = [];
  context: number[] = [];

  add(message: Message): void {
    const index = this.messages.push(message) - 1;
    if (isSeen(message)) this.context.push(index);
  }

  /** Messages of the new history that are in the context already stay the same; the others become new ones behind the boundary. */
  compact({ boundary, history, trigger, preTokens, postTokens }: ReplayedCompaction): void {
    const index = this.messages.push(boundary) - 1;
    const before = new Set(this.context);
    const items = history.map((message) => ({ message, isNew: message.kind === 'summary' }));
    const kept = matchKept(this.messages, this.context, items);
    this.context = history.map((message, at) => kept[at] ?? this.messages.push(message) - 1);
    const summary = this.context.find((at) => at > index && this.messages[at]?.kind === 'summary');
    this.boundaries.push({ index, trigger, preTokens, postTokens, summary, ...this.#kept(before, summary) });
  }

  /** What stayed word for word. A session that begins with its compaction (a copy) holds what was kept in the new history alone. */
  #kept(before: ReadonlySet<number>, summary: number | undefined): Pick<BoundaryDraft, 'kept' | 'direction'> {
    const isKept = (at: number): boolean => (before.size === 0 ? at !== summary : before.has(at)) && this.messages[at]?.kind !== 'meta';
    const kept = this.context.filter(isKept);
    const slot = summary === undefined ? -1 : this.context.indexOf(summary);
    const isFirst = slot >= 0 && this.context.slice(0, slot).every((at) => !isKept(at));
    const isLast = slot >= 0 && this.context.slice(slot).every((at) => !isKept(at));
    return { kept, direction: kept.length === 0 ? undefined : isFirst ? 'upTo' : isLast ? 'from' : undefined };
  }
}
