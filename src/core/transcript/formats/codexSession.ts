import type { Diagnostic, Transcript } from '../../model/transcript';
import { withLazyMessages } from '../laterMessages';
import { transcriptOf } from '../transcriptDraft';
import { CodexHistory } from './codexHistory';
import type { CodexRecord } from './codexRecord';

type Meta = Extract<CodexRecord, { readonly kind: 'meta' }>;

/** A rollout as far as it was read. A record costs by itself, but for compactions, which cost by the context; so does each transcript. */
export class CodexSession {
  #items = new CodexHistory();
  /** By the events that mirror items for the user interface; undefined once there is an item, since files that hold items are read by them alone. */
  #mirrors: CodexHistory | undefined = new CodexHistory();
  #odd: Diagnostic[] = [];
  /** A fork repeats its parent's first line behind its own. */
  #meta: Meta | undefined;
  #windowTokens: number | undefined;
  #model: string | undefined;
  #title: string | undefined;

  /** A session of its own that says the same. */
  copy(): CodexSession {
    const copy = new CodexSession();
    copy.#items = this.#items.copy();
    copy.#mirrors = this.#mirrors?.copy();
    copy.#odd = this.#odd.slice();
    copy.#meta = this.#meta;
    copy.#windowTokens = this.#windowTokens;
    copy.#model = this.#model;
    copy.#title = this.#title;
    return copy;
  }

  take(record: CodexRecord): void {
    if (record.kind === 'item') {
      this.#mirrors = undefined;
      this.#items.add(record.entry);
    } else if (record.kind === 'mirror') this.#mirrors?.add(record.entry);
    else {
      this.#learn(record);
      change(this.#items, record);
      if (this.#mirrors !== undefined) change(this.#mirrors, record);
    }
  }

  /** The session as it is now. */
  transcript(damage: readonly Diagnostic[]): Transcript {
    const { messages, context, boundaries, reports, totals, diagnostics } = this.#mirrors ?? this.#items;
    const length = messages.length;
    const draft = {
      agentVersion: this.#meta?.version,
      sessionId: this.#meta?.sessionId,
      cwd: this.#meta?.cwd,
      title: this.#title,
      model: this.#model,
      windowTokens: this.#windowTokens,
      messages,
      context: context.slice(),
      boundaries: boundaries.slice(),
      reports: reports.slice(),
      totals,
      diagnostics: [...this.#odd, ...diagnostics],
    };
    return withLazyMessages(transcriptOf('codex', draft, damage), (from) => messages.slice(from, length));
  }

  #learn(record: CodexRecord): void {
    if (record.kind === 'meta') this.#meta ??= record;
    else if (record.kind === 'model') this.#model = record.model;
    else if (record.kind === 'title') this.#title = record.title;
    else if (record.kind === 'odd') this.#odd.push(record.diagnostic);
    else if (record.kind === 'window' || record.kind === 'tokens') this.#windowTokens = record.windowTokens ?? this.#windowTokens;
  }
}

function change(history: CodexHistory, record: CodexRecord): void {
  if (record.kind === 'compacted') history.compact(record);
  else if (record.kind === 'rollback') history.rollBack(record.turns);
  else if (record.kind === 'tokens' && record.report !== undefined) history.report(record.report, record.line);
}
