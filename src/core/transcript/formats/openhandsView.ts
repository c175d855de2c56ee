import type { Message } from '../../model/message';
import type { ContextReport, Diagnostic, SessionTotals } from '../../model/transcript';
import { isSeen, type SessionFacts } from '../transcriptDraft';
import type { Condensation, OpenHandsEvent, OpenHandsStats } from './openhandsEvent';
import { type BoundaryDraft } from './sessionTranscript';

/** A summary beyond this many goes to the end of the context: to find its place costs up to the length of the context. */
const MAX_PLACED = 2000;
const GONE = -1;

/** Plays the events of one conversation and holds what the model sees. */
export class OpenHandsView {
  readonly messages: Message[] = [];
  readonly boundaries: BoundaryDraft[] = [];
  readonly diagnostics: Diagnostic[] = [];
  facts: SessionFacts = {};
  readonly #reports: ContextReport[] = [];
  /** Indexes of messages in the model's order; GONE for what was forgotten. */
  #slots: number[] = [];
  /** Message of each event. */
  readonly #places = new Map<string, number>();
  readonly #forgotten = new Set<number>();
  readonly #nextLive = new Map<number, number>();
  #lastNumber = -1;
  #room = 100_000;
  #stats: OpenHandsStats | undefined;
  #responses = 0;
  /** Index behind the newest answer. */
  #answerEnd = 0;

  take({ eventId, message, condensation, facts, stats, line }: OpenHandsEvent): void {
    if (facts !== undefined) this.#learn(facts);
    if (stats !== undefined) this.#count(stats, line);
    if (message !== undefined) {
      const index = this.messages.push(message) - 1;
      this.#places.set(eventId, index);
      const number = Number(eventId);
      if (Number.isSafeInteger(number)) this.#lastNumber = Math.max(this.#lastNumber, number);
      if (isSeen(message)) this.#slots.push(index);
      if (message.role === 'assistant') {
        this.#responses++;
        this.#answerEnd = index + 1;
      }
    }
    if (condensation !== undefined) this.#condense(condensation);
  }

  get context(): readonly number[] {
    return this.#slots.filter((index) => index !== GONE && !this.#forgotten.has(index));
  }

  /** Undefined where usage stands on the answers. */
  get reports(): readonly ContextReport[] | undefined {
    return this.#stats === undefined ? undefined : this.#reports;
  }

  get totals(): SessionTotals | undefined {
    const stats = this.#stats;
    if (stats === undefined) return undefined;
    return {
      responses: this.#responses,
      inputTokens: Math.max(stats.input - stats.cacheRead - stats.cacheWrite, 0),
      outputTokens: stats.output,
      cacheReadTokens: stats.cacheRead,
      cacheCreationTokens: stats.cacheWrite,
    };
  }

  #learn(facts: SessionFacts): void {
    this.facts = { ...this.facts, ...Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) };
  }

  #count(stats: OpenHandsStats, line: number): void {
    const before = this.#stats;
    this.#stats = stats;
    if (stats.contextTokens === undefined || stats.contextTokens === before?.contextTokens) return;
    const afterIndex = this.#answerEnd;
    const outputTokens = Math.max(stats.output - (before?.output ?? 0), 0);
    const inputTokens = Math.max(stats.contextTokens - outputTokens, 0);
    const { contextTokens } = stats;
    this.#reports.push({ afterIndex, contextTokens, inputTokens, outputTokens, cacheReadTokens: 0, isAgentEstimate: false, line });
  }

  /** The named events leave; the summary takes its place among those that stay. */
  #condense({ boundary, summary, forgotten, forgottenRun, offset }: Condensation): void {
    const index = this.messages.push(boundary) - 1;
    let missing = 0;
    for (const eventId of forgotten) {
      const place = this.#places.get(eventId);
      if (place !== undefined) this.#forgotten.add(place);
      else missing++;
    }
    if (forgottenRun !== undefined) this.#forgetRun(...forgottenRun);
    const at = summary === undefined ? undefined : this.messages.push(summary) - 1;
    const isPlaced = this.boundaries.length < MAX_PLACED;
    if (isPlaced) this.#slots = [...this.context];
    const kept = isPlaced ? [...this.#slots] : [];
    if (at !== undefined) this.#slots.splice(isPlaced ? offset : this.#slots.length, 0, at);
    // Events without a message (states of the program) may be forgotten too; that all of them are missing tells of a cut file.
    if (missing > 0 && missing === forgotten.length) {
      this.diagnostics.push({
        line: boundary.line,
        code: 'missing_preserved',
        severity: 'info',
        detail: `${missing} of ${forgotten.length}`,
      });
    }
    const direction =
      at === undefined || kept.length === 0 ? undefined : offset === 0 ? 'upTo' : offset >= kept.length ? 'from' : undefined;
    this.boundaries.push({ index, trigger: 'auto', summary: at, kept, direction });
  }

  /** Each number is looked at once, however often it is named. */
  #forgetRun(first: number, last: number): void {
    const end = Math.min(last, this.#lastNumber);
    for (let number = this.#live(Math.max(Math.trunc(first), 0)); number <= end; number = this.#live(number + 1)) {
      const place = this.#places.get(String(number));
      if (place !== undefined) this.#forgotten.add(place);
      this.#nextLive.set(number, number + 1);
    }
  }

  /** The first number from this one on that was not forgotten in a run. */
  #live(number: number): number {
    let live = number;
    for (let next = this.#nextLive.get(live); next !== undefined; next = this.#nextLive.get(live)) live = next;
    for (let at = number; at < live;) {
      const next = this.#nextLive.get(at) ?? live;
      this.#nextLive.set(at, live);
      at = next;
    }
    return live;
  }

  /** Lists of what was kept may not grow with the square of the file: the last one stays, earlier ones while they are short together. */
  #limitKept(): void {
    const previous = this.boundaries.at(-1);
    if (previous === undefined) return;
    this.#room -= previous.kept.length;
    if (this.#room < 0) this.boundaries[this.boundaries.length - 1] = { ...previous, kept: [], direction: undefined };
  }
}
