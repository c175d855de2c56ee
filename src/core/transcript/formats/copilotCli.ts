import type { Message } from '../../model/message';
import type { ContextReport, Diagnostic, SessionTotals, Sidechain, Transcript } from '../../model/transcript';
import { isRecord, recordOf, stringOf } from '../../util/json';
import { isSeen, type SessionFacts } from '../transcriptDraft';
import { copilotEvent, copilotStored, type CopilotEvent, type RunMetrics } from './copilotCliEvent';
import { FoldCollector } from './foldCollector';
import type { TranscriptFormat } from './format';
import { sessionTranscript, type BoundaryDraft } from './sessionTranscript';
import type { StableNames } from './stableNames';

/** GitHub Copilot CLI sessions: JSONL of events. */
export const copilotCli: TranscriptFormat = {
  id: 'copilot-cli',
  agent: 'GitHub Copilot CLI',
  recognise: (sample) => sample.reduce<number>((best, value) => Math.max(best, sureness(value)), 0),
  collect: () => new FoldCollector(copilotEvent, transcriptOf),
  stored: copilotStored,
};

const EVENT = /^(?:session|user|assistant|system|tool|subagent|hook|permission|skill)\.[a-z_]{1,60}$/u;

function sureness(value: unknown): number {
  const data = isRecord(value) ? recordOf(value, 'data') : undefined;
  if (!isRecord(value) || data === undefined || !EVENT.test(stringOf(value, 'type') ?? '')) return 0;
  if (stringOf(value, 'type') === 'session.start' && stringOf(data, 'producer') !== undefined) return 1;
  return stringOf(value, 'id') !== undefined && Object.hasOwn(value, 'parentId') ? 0.92 : 0;
}

function transcriptOf(events: readonly CopilotEvent[], damage: readonly Diagnostic[], names: StableNames): Transcript {
  const run = new CopilotRun();
  for (const event of events) run.take(event);
  const { messages, boundaries, reports } = run;
  return sessionTranscript(
    {
      format: 'copilot-cli',
      facts: run.facts,
      messages,
      context: run.context,
      boundaries,
      sidechains: run.sidechains,
      reports,
      totals: run.totals,
      diagnostics: [...damage, ...run.diagnostics],
    },
    names,
  );
}

interface Stretch {
  readonly slots: number[];
  /** Slots before this one were cut off to make room. */
  from: number;
}

/** Plays the events in order. */
class CopilotRun {
  readonly messages: Message[] = [];
  readonly boundaries: BoundaryDraft[] = [];
  readonly reports: ContextReport[] = [];
  readonly diagnostics: Diagnostic[] = [];
  facts: SessionFacts = {};
  /** The newest system prompt; a resumed run begins with its own, which takes the place of the one before. */
  #system: number | undefined;
  /** What is in the context behind the system prompt, one list for each stretch between compactions. */
  readonly #stretches: Stretch[] = [{ slots: [], from: 0 }];
  readonly #places = new Map<string, number>();
  readonly #chains = new Map<string, Message[]>();
  /** Output of each response; its pieces repeat it. */
  readonly #outputs = new Map<string, number>();
  readonly #metrics: RunMetrics[] = [];
  /** Length of the context when the compaction that is running began. */
  #compactionStart: { readonly slots: number; readonly trigger: string | undefined } | undefined;

  take(event: CopilotEvent): void {
    if ('facts' in event) this.#learn(event.facts);
    if (event.kind === 'message') this.#say(event);
    else if (event.kind === 'compactionStart') this.#compactionStart = { slots: this.#stretch.slots.length, trigger: event.trigger };
    else if (event.kind === 'compacted') this.#compact(event);
    else if (event.kind === 'truncated') this.#truncate(event.messages);
    else if (event.kind === 'rewound') this.#rewind(event.to);
    else if (event.kind === 'odd') this.diagnostics.push({ line: event.line, code: 'unknown_record', severity: 'info' });
    else if (event.kind === 'counted') {
      if (event.contextTokens !== undefined) this.#report(event.contextTokens, event.line);
      if (event.metrics !== undefined) this.#metrics.push(event.metrics);
    }
  }

  get context(): readonly number[] {
    const { slots, from } = this.#stretch;
    return [...(this.#system === undefined ? [] : [this.#system]), ...slots.slice(from)];
  }

  get sidechains(): readonly Sidechain[] {
    return [...this.#chains].map(([id, messages]) => ({ id, messages }));
  }

  /** Only the end of a run states the input; its sums go on over runs, but a compaction inside of one begins them anew. */
  get totals(): SessionTotals {
    const sum = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    this.#metrics.forEach((metrics, at) => {
      const next = this.#metrics[at + 1];
      if (next !== undefined && next.input >= metrics.input) return;
      for (const key of ['input', 'output', 'cacheRead', 'cacheWrite'] as const) sum[key] += metrics[key];
    });
    const spoken = [...this.#outputs.values()].reduce((total, output) => total + output, 0);
    return {
      responses: this.#outputs.size,
      inputTokens: Math.max(sum.input - sum.cacheRead - sum.cacheWrite, 0),
      outputTokens: Math.max(spoken, sum.output),
      cacheReadTokens: sum.cacheRead,
      cacheCreationTokens: sum.cacheWrite,
    };
  }

  #learn(facts: SessionFacts): void {
    const { facts: old } = this;
    this.facts = {
      sessionId: old.sessionId ?? facts.sessionId,
      agentVersion: facts.agentVersion ?? old.agentVersion,
      cwd: old.cwd ?? facts.cwd,
      title: facts.title ?? old.title,
      model: facts.model ?? old.model,
      windowTokens: facts.windowTokens ?? old.windowTokens,
    };
  }

  #say({ eventId, message, chain, output }: CopilotEvent & { readonly kind: 'message' }): void {
    if (message.role === 'assistant') {
      const response = message.messageId ?? eventId;
      this.#outputs.set(response, Math.max(this.#outputs.get(response) ?? 0, output));
    }
    if (chain !== undefined) {
      const messages = this.#chains.get(chain);
      if (messages === undefined) this.#chains.set(chain, [message]);
      else messages.push(message);
      return;
    }
    const index = this.messages.push(message) - 1;
    this.#places.set(eventId, index);
    if (message.role === 'system') this.#system = index;
    else this.#stretch.slots.push(index);
  }

  get #stretch(): Stretch {
    return this.#stretches.at(-1) ?? { slots: [], from: 0 };
  }

  /** What was said while the summary was made stays behind it. */
  #compact({ boundary, summary, trigger, preTokens, postTokens }: CopilotEvent & { readonly kind: 'compacted' }): void {
    const index = this.messages.push(boundary, summary) - 2;
    const kept = this.#compactionStart === undefined ? [] : this.#stretch.slots.slice(this.#compactionStart.slots);
    this.#stretches.push({ slots: [index + 1, ...kept], from: 0 });
    this.boundaries.push({
      index,
      trigger: trigger ?? this.#compactionStart?.trigger ?? 'unknown',
      preTokens,
      postTokens,
      summary: summary.content.length === 0 ? undefined : index + 1,
      kept,
      direction: kept.length === 0 ? undefined : 'upTo',
    });
    this.#compactionStart = undefined;
    if (postTokens !== undefined) this.#report(postTokens, boundary.line);
  }

  #truncate(count: number): void {
    const stretch = this.#stretch;
    stretch.from = Math.min(stretch.from + count, stretch.slots.length);
  }

  /** The named event and all after it are taken back, compactions among them too. */
  #rewind(eventId: string): void {
    const place = this.#places.get(eventId);
    if (place === undefined || place >= this.messages.length) return;
    const dropped = this.messages.length - place;
    this.diagnostics.push({
      line: this.messages[place]?.line ?? 0,
      code: 'abandoned_branch',
      severity: 'info',
      detail: `${dropped} messages`,
    });
    this.messages.length = place;
    while ((this.boundaries.at(-1)?.index ?? -1) >= place) {
      this.boundaries.pop();
      this.#stretches.pop();
    }
    const { slots } = this.#stretch;
    while ((slots.at(-1) ?? -1) >= place) slots.pop();
    if ((this.#system ?? -1) >= place) this.#system = undefined;
    while ((this.reports.at(-1)?.afterIndex ?? 0) > place) this.reports.pop();
    this.#compactionStart = undefined;
  }

  /** Copilot counts with its own tokenizer. */
  #report(contextTokens: number, line: number): void {
    const afterIndex = this.messages.findLastIndex(isSeen) + 1;
    this.reports.push({ afterIndex, contextTokens, inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, isAgentEstimate: true, line });
  }
}
