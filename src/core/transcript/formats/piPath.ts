import type { Message } from '../../model/message';
import type { Diagnostic } from '../../model/transcript';
import { isSeen } from '../transcriptDraft';
import type { PiCompaction, PiEntry } from './piEntry';
import { type BoundaryDraft } from './sessionTranscript';

/** An entry of the live path, and its number in the file. */
export interface PiStep {
  readonly entry: PiEntry;
  readonly place: number;
}

interface Compacted {
  readonly draft: BoundaryDraft;
  /** First message that may have stayed; the compaction's own index when none did. */
  readonly keptFrom: number;
}

/** Each compaction may keep nearly everything, so the lists of all could grow with the square of the file. */
const KEPT_OF_EARLIER = 100_000;

/** The messages along the live path. Of the compactions on it the last one alone counts: its summary, what it kept, and all after it. */
export class PiPath {
  readonly messages: Message[] = [];
  readonly #compactions: Compacted[] = [];
  readonly diagnostics: Diagnostic[] = [];
  model: string | undefined;
  /** First message at or behind each step. */
  readonly #starts: number[] = [];
  /** Summaries of compactions, which no later one keeps. */
  readonly #summaries = new Set<number>();

  constructor(steps: readonly PiStep[]) {
    const stepOfId = new Map(steps.flatMap(({ entry }, step) => (entry.id === undefined ? [] : [[entry.id, step] as const])));
    const stepOfPlace = new Map(steps.map(({ place }, step) => [place, step]));
    steps.forEach(({ entry }, step) => {
      this.#starts.push(this.messages.length);
      this.model = entry.facts.model ?? entry.message?.model ?? this.model;
      if (entry.message !== undefined) this.messages.push(entry.message);
      const { compaction } = entry;
      if (compaction === undefined) return;
      const { firstKeptId, firstKeptIndex } = compaction;
      const first = firstKeptId === undefined ? stepOfPlace.get(firstKeptIndex ?? -1) : stepOfId.get(firstKeptId);
      const names = firstKeptId !== undefined || firstKeptIndex !== undefined;
      this.#compact(compaction, first === undefined || first > step ? undefined : first, names && first === undefined);
    });
  }

  get context(): readonly number[] {
    const end = this.messages.length;
    const last = this.#compactions.at(-1);
    if (last === undefined) return this.#seen(0, end);
    const summary = last.draft.summary === undefined ? [] : [last.draft.summary];
    return [...summary, ...this.#seen(last.keptFrom, last.draft.index), ...this.#seen(last.draft.index + 1, end)];
  }

  /** Compactions with what they kept: of the last one always, of earlier ones while the lists stay short together. */
  get boundaries(): readonly BoundaryDraft[] {
    let room = KEPT_OF_EARLIER;
    return this.#compactions.map(({ draft, keptFrom }, at) => {
      const isLast = at === this.#compactions.length - 1;
      if (!isLast) room -= draft.index - keptFrom;
      const kept = isLast || room >= 0 ? this.#seen(keptFrom, draft.index) : [];
      return { ...draft, kept, direction: kept.length === 0 ? undefined : 'upTo' };
    });
  }

  #compact(compaction: PiCompaction, firstStep: number | undefined, isMissing: boolean): void {
    const { boundary, summary, preTokens } = compaction;
    const index = this.messages.push(boundary) - 1;
    const keptFrom = firstStep === undefined ? index : (this.#starts[firstStep] ?? index);
    const at = summary === undefined ? undefined : this.messages.push(summary) - 1;
    if (at !== undefined) this.#summaries.add(at);
    if (isMissing) this.diagnostics.push({ line: boundary.line, code: 'missing_preserved', severity: 'warning', detail: '1 of 1' });
    this.#compactions.push({
      draft: { index, trigger: 'unknown', preTokens, summary: at, kept: [], missing: isMissing ? 1 : 0 },
      keptFrom,
    });
  }

  #seen(from: number, to: number): readonly number[] {
    const indexes: number[] = [];
    for (let index = from; index < to; index++) {
      const message = this.messages[index];
      if (message !== undefined && isSeen(message) && !this.#summaries.has(index)) indexes.push(index);
    }
    return indexes;
  }
}
