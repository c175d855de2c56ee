import type { CompactBoundary, PreservedSegment } from '../../model/boundary';
import { textOf, type Message } from '../../model/message';
import type { ContextReport, Diagnostic, SessionTotals } from '../../model/transcript';
import { utf8Length } from '../../util/text';
import type { Compaction } from './codexCompaction';
import type { CodexEntry } from './codexEntry';
import { contextReport, NO_TOTALS, withRequest, type TokenReport } from './codexUsage';
import { matchKept } from './matchKept';

/**
 * User text that Codex keeps when it rebuilds a history from a summary alone: 20,000 tokens of the newest messages, at its own four bytes a
 * token.
 */
const KEPT_USER_BYTES = 80_000;

/** Plays the records of a rollout in order and holds what the model has in its context (R28), as Codex itself does when it resumes one. */
export class CodexHistory {
  /** A list that only grows. Where messages are taken back, another one takes its place. */
  messages: Message[] = [];
  boundaries: CompactBoundary[] = [];
  diagnostics: Diagnostic[] = [];
  context: number[] = [];
  reports: ContextReport[] = [];
  /** Usage of each request, once. */
  totals: SessionTotals = NO_TOTALS;
  #threadTokens: number | undefined;
  /** End of the newest response, where no report has spoken of it yet. */
  #unreportedEnd: number | undefined;
  /** The last report came before its response was stored; old versions write it first. */
  #isOpen = false;
  /** Places in the context where a user turn begins, ascending. */
  #turns: number[] = [];
  /** Length of the context and of the messages right behind the last compaction. */
  #compacted = { context: 0, messages: 0 };

  /** A history of its own that says the same. */
  copy(): CodexHistory {
    const copy = new CodexHistory();
    copy.messages = this.messages.slice();
    copy.boundaries = this.boundaries.slice();
    copy.diagnostics = this.diagnostics.slice();
    copy.context = this.context.slice();
    copy.reports = this.reports.slice();
    copy.totals = this.totals;
    copy.#threadTokens = this.#threadTokens;
    copy.#unreportedEnd = this.#unreportedEnd;
    copy.#isOpen = this.#isOpen;
    copy.#turns = this.#turns.slice();
    copy.#compacted = this.#compacted;
    return copy;
  }

  add(entry: CodexEntry): void {
    if (isPrompt(entry.message)) this.#turns.push(this.context.length);
    this.context.push(this.messages.length);
    this.messages.push(entry.message);
    const last = this.reports.at(-1);
    if (!entry.isResponse) this.#isOpen = false;
    else if (this.#isOpen && last !== undefined) this.reports[this.reports.length - 1] = { ...last, afterIndex: this.messages.length };
    else this.#unreportedEnd = this.messages.length;
  }

  /** Takes a token count, unless it repeats the one before: an unchanged total of the thread means that no request stands behind it. */
  report(report: TokenReport, line: number): void {
    const isRepeat = report.threadTokens !== undefined && report.threadTokens === this.#threadTokens;
    this.#threadTokens = report.threadTokens ?? this.#threadTokens;
    if (isRepeat && !report.isEstimate) return;
    const end = report.isEstimate ? undefined : this.#unreportedEnd;
    if (report.isEstimate) this.#notePostTokens(report.contextTokens);
    this.#isOpen = !report.isEstimate && this.#unreportedEnd === undefined;
    this.#unreportedEnd = undefined;
    this.reports.push(contextReport(report, end ?? this.messages.length, line));
    if (report.usage !== undefined) this.totals = withRequest(this.totals, report.usage);
  }

  /**
   * Applies a compaction. Items of the new history that are in the context already stay the same entries; the others become new ones behind
   * the boundary.
   */
  compact({ boundary, summary: loneSummary, history }: Compaction): void {
    const index = this.messages.length;
    this.messages.push(boundary);
    const preTokens = this.reports.at(-1)?.contextTokens;
    const before = new Set(this.context);
    const replaced = history === undefined ? this.#rebuilt(loneSummary) : this.#matched(history);
    this.context = replaced.map((item) => (typeof item === 'number' ? item : this.messages.push(item) - 1));
    const summaryMessage = loneSummary ?? history?.find((entry) => entry.isNewSummary === true)?.message;
    const summary = this.context.find((at) => summaryMessage !== undefined && this.messages[at] === summaryMessage);
    this.boundaries.push({
      index,
      id: boundary.id,
      timestamp: boundary.timestamp,
      trigger: 'auto',
      preTokens,
      postTokens: undefined,
      durationMs: undefined,
      summaryId: summary === undefined ? undefined : this.messages[summary]?.id,
      preservedSegment: this.#preserved(before, summary),
      // A complete replacement needs no summary: remote compactions may drop tool calls only.
      valid: history !== undefined || summary !== undefined,
    });
    this.#turns = this.context.flatMap((at, slot) => (isPrompt(this.messages[at]) ? [slot] : []));
    this.#compacted = { context: this.context.length, messages: this.messages.length };
    this.#unreportedEnd = undefined;
    this.#isOpen = false;
  }

  /** Takes back the newest user turns. What a compaction has put into the context leaves the context alone, not the messages. */
  rollBack(turns: number): void {
    const slot = turns > 0 ? this.#turns.at(-Math.min(turns, this.#turns.length)) : undefined;
    if (slot === undefined) return;
    while ((this.#turns.at(-1) ?? -1) >= slot) this.#turns.pop();
    const first = this.context[slot];
    const keep = slot >= this.#compacted.context && first !== undefined ? first : this.#compacted.messages;
    const dropped = this.messages.length - keep;
    if (dropped > 0) {
      const line = this.messages[keep]?.line ?? 0;
      this.diagnostics.push({ line, code: 'abandoned_branch', severity: 'info', detail: `${dropped} messages` });
    }
    this.context.length = slot;
    this.messages = this.messages.slice(0, keep);
    while ((this.reports.at(-1)?.afterIndex ?? 0) > keep) this.reports.pop();
    this.#unreportedEnd = undefined;
    this.#isOpen = false;
  }

  #matched(history: readonly CodexEntry[]): readonly (number | Message)[] {
    const items = history.map(({ message, isNewSummary }) => ({ message, isNew: isNewSummary === true }));
    const kept = matchKept(this.messages, this.context, items);
    return items.map(({ message }, at) => kept[at] ?? message);
  }

  /** What Codex makes of a summary alone: the added context, the newest user messages, the summary. */
  #rebuilt(summary: Message | undefined): readonly (number | Message)[] {
    const added = this.context.filter((at) => this.messages[at]?.kind === 'meta');
    const prompts: number[] = [];
    let room = KEPT_USER_BYTES;
    for (const at of this.context.toReversed()) {
      const message = this.messages[at];
      if (message === undefined || !isPrompt(message)) continue;
      room -= utf8Length(textOf(message));
      if (room < 0) break;
      prompts.push(at);
    }
    return [...added, ...prompts.reverse(), ...(summary === undefined ? [] : [summary])];
  }

  /** What stayed word for word. A session that begins with its compaction (a copy) holds what was kept in the new history alone. */
  #preserved(before: ReadonlySet<number>, summary: number | undefined): PreservedSegment | undefined {
    const isKept = (at: number): boolean => (before.size === 0 ? at !== summary : before.has(at));
    const slots = this.context.flatMap((at, slot) => (isKept(at) && this.messages[at]?.kind !== 'meta' ? [slot] : []));
    const kept = slots.flatMap((slot) => this.context[slot] ?? []);
    if (kept.length === 0) return undefined;
    const summarySlot = summary === undefined ? undefined : this.context.indexOf(summary);
    const isFirst = summarySlot !== undefined && summarySlot < (slots[0] ?? 0);
    const isLast = summarySlot !== undefined && summarySlot > (slots.at(-1) ?? 0);
    return {
      startIndex: kept.reduce((least, at) => Math.min(least, at), Infinity),
      count: kept.length,
      anchor: undefined,
      direction: isFirst ? 'upTo' : isLast ? 'from' : undefined,
      ids: kept.flatMap((at) => this.messages[at]?.id ?? []),
    };
  }

  #notePostTokens(postTokens: number): void {
    const last = this.boundaries.at(-1);
    if (last === undefined || last.postTokens !== undefined) return;
    this.boundaries[this.boundaries.length - 1] = { ...last, postTokens };
  }
}

/** What a user said, which begins a turn. */
function isPrompt(message: Message | undefined): boolean {
  return message?.role === 'user' && message.kind === 'message';
}
