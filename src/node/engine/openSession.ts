import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { ReadError } from '../../core/errors/readError';
import type { Message } from '../../core/model/message';
import { diffViews } from '../../core/protocol/patch';
import type { RowView, SessionPatch, SessionView } from '../../core/protocol/viewModel';
import type { TokenCounter } from '../../core/ports/tokenCounter';
import { inspectTranscript, type Inspection, type InspectionSettings } from '../../core/session/inspection';
import { NewestInspection } from '../../core/session/newestInspection';
import { Emitter, type Event } from '../../core/util/emitter';
import type { InspectReport } from '../../core/view/inspectReport';
import { inspectReportOf } from '../../core/view/inspectReportOf';
import { gaugeView } from '../../core/view/gauge';
import { firstChangedRow, rowIndexOf, rowView, type RowIndex } from '../../core/view/rows';
import { sessionView } from '../../core/view/sessionView';
import { openTranscript, type TranscriptFile } from '../sources/transcriptFiles';
import type { InspectOptions } from './contract';
import { inspectionSettings } from './inspectionSettings';
import { MessageCounts } from './messageCounts';
import { SessionPlans } from './sessionPlans';

export interface OpenOptions {
  readonly options: InspectOptions;
  readonly watch: boolean;
  readonly pollMs: number;
  /** A large session is opened with its last part, where that tells how full the context is; `ready` tells when all of it is there. */
  readonly lastPartFirst?: boolean;
}

/** A session counts as live when it was written to within this time. */
const LIVE_MS = 5 * 60_000;
/** Time that a large session's view rests after an update, in multiples of what the update took. */
const REST_SHARE = 40;
/** From a change to the update of a large session's whole view, so that more lines of the same answer come into it. */
const VIEW_MS = 300;

/**
 * One open transcript: its present inspection and view, and the patches that lead from one revision to the next.
 * One state (`#state`) is replaced as a whole whenever the file or the options change.
 */
export class OpenSession {
  readonly handle = randomUUID();
  /** What may be done with it. */
  readonly plans: SessionPlans;
  readonly #path: string;
  readonly #file: TranscriptFile;
  readonly #patches = new Emitter<SessionPatch>();
  readonly #newest = new NewestInspection();
  #settings: InspectionSettings;
  #counts: { readonly of: TokenCounter; readonly counts: MessageCounts } | undefined;
  #state: State;
  /** The update of the whole view that is to come, and the earliest time for it. */
  #next: NodeJS.Timeout | undefined;
  #notBefore = -Infinity;

  /** Every change of the view, in order and without a gap. */
  readonly onPatch: Event<SessionPatch> = this.#patches.event;

  private constructor(path: string, file: TranscriptFile, settings: InspectionSettings) {
    this.#path = path;
    this.#file = file;
    this.#settings = settings;
    this.#state = this.#compute(this.#inspect(), 1, undefined);
    this.plans = new SessionPlans({ path, file, inspection: () => this.#state.inspection, revision: () => this.#state.view.revision });
    file.onDidChange(() => this.#changed());
  }

  /** Opens a transcript. Rejects with ReadError. */
  static async open(path: string, { options, ...reading }: OpenOptions, signal?: AbortSignal): Promise<OpenSession> {
    const file = await openTranscript(path, { ...reading, ...(signal === undefined ? {} : { signal }) });
    try {
      const session = new OpenSession(path, file, await inspectionSettings(options));
      if (session.inspection.usage.measurement !== 'providerReported') await session.ready();
      return session;
    } catch (error) {
      file.dispose();
      throw error;
    }
  }

  get path(): string {
    return this.#path;
  }

  get view(): SessionView {
    return this.#state.view;
  }

  get inspection(): Inspection {
    return this.#state.inspection;
  }

  /** Resolves when the whole file was read. Rejects with ReadError when it cannot be. */
  async ready(): Promise<void> {
    if (this.#file.reading === undefined) return;
    await this.#file.reading;
    await new Promise((resolve) => setImmediate(resolve));
    this.#update();
  }

  /** Measures anew with other options. */
  async setOptions(options: InspectOptions): Promise<SessionView> {
    this.#settings = await inspectionSettings(options);
    this.#update();
    return this.view;
  }

  /** Rows [from, to) of the present revision. */
  rows(from: number, to: number): { readonly revision: number; readonly rows: readonly RowView[] } {
    const { inspection, rowIndex, view } = this.#state;
    const rows: RowView[] = [];
    for (let index = Math.max(0, from); index < Math.min(to, view.rows.count); index++) {
      const row = rowView(inspection, rowIndex, index);
      if (row !== undefined) rows.push(row);
    }
    return { revision: view.revision, rows };
  }

  report(file: string, withMessages: boolean): InspectReport {
    return inspectReportOf(this.#state.inspection, file, withMessages);
  }

  message(id: string): { readonly message: Message; readonly index: number } | undefined {
    const index = this.#state.inspection.transcript.messages.findIndex((message) => message.id === id);
    const message = this.#state.inspection.transcript.messages[index];
    return message === undefined ? undefined : { message, index };
  }

  /** The message of a 1-based line of the file, or the nearest one before it. */
  messageAtLine(line: number): { readonly messageId: string; readonly index: number } | undefined {
    let best: { messageId: string; index: number; line: number } | undefined;
    for (const [index, message] of this.#state.inspection.transcript.messages.entries()) {
      if (message.line <= line && message.line >= (best?.line ?? 0)) best = { messageId: message.id, index, line: message.line };
    }
    return best === undefined ? undefined : { messageId: best.messageId, index: best.index };
  }

  dispose(): void {
    clearTimeout(this.#next);
    this.#counts?.counts.dispose();
    this.#file.dispose();
    this.#patches.dispose();
    this.plans.clear();
  }

  #inspect(): Inspection {
    const { transcript, isLarge = false } = this.#file;
    if (!isLarge) return inspectTranscript(transcript, this.#settings);
    const inspection = this.#newest.inspect(transcript, this.#ofLarge());
    // The last part's messages are read again with the whole; counting them now would be for nothing.
    if (this.#file.reading === undefined)
      this.#counts?.counts.want(transcript.context.flatMap((index) => transcript.messages[index] ?? []));
    return inspection;
  }

  /** The settings for a large session, whose messages are counted in the background. */
  #ofLarge(): InspectionSettings {
    const { counter } = this.#settings;
    return counter === undefined ? this.#settings : { ...this.#settings, isCounted: this.#countsOf(counter).isCounted };
  }

  #countsOf(counter: TokenCounter): MessageCounts {
    if (this.#counts?.of !== counter) {
      this.#counts?.counts.dispose();
      this.#counts = { of: counter, counts: new MessageCounts(counter, () => this.#changed()) };
    }
    return this.#counts.counts;
  }

  #compute(inspection: Inspection, revision: number, problem: string | undefined): State {
    const rowIndex = rowIndexOf(inspection);
    const view = sessionView(inspection, rowIndex, {
      handle: this.handle,
      revision,
      fileName: basename(this.#path),
      live: Date.now() - this.#file.mtimeMs < LIVE_MS,
      problem,
    });
    return { inspection, rowIndex, view };
  }

  /** Of a large session the gauge is told at once; the rest of the view, which costs by the length of the session, takes a bounded share of time. */
  #changed(): void {
    if (this.#file.isLarge !== true) {
      this.#update();
      return;
    }
    this.#tellGauge();
    this.#next ??= setTimeout(
      () => {
        const start = performance.now();
        this.#update();
        const end = performance.now();
        this.#notBefore = end + (end - start) * REST_SHARE;
      },
      Math.max(VIEW_MS, this.#notBefore - performance.now()),
    );
  }

  #tellGauge(): void {
    const { view } = this.#state;
    const gauge = this.#attempt(() => gaugeView(this.#newest.inspectContext(this.#file.transcript, this.#ofLarge())));
    if (gauge === undefined || JSON.stringify(gauge) === JSON.stringify(view.gauge)) return;
    const to = view.revision + 1;
    this.#state = { ...this.#state, view: { ...view, gauge, revision: to } };
    this.#patches.fire({ handle: this.handle, from: view.revision, to, changes: { gauge }, rowsFrom: null });
  }

  /** Undefined when the file was changed under the texts that are read; then it is read anew, and another change follows. */
  #attempt<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (error instanceof ReadError) return undefined;
      throw error;
    }
  }

  #update(): void {
    clearTimeout(this.#next);
    this.#next = undefined;
    const before = this.#state;
    const after = this.#attempt(() => this.#compute(this.#inspect(), before.view.revision + 1, this.#file.problem));
    if (after === undefined) return;
    const rowsFrom = firstChangedRow(before.inspection, before.rowIndex, after.inspection, after.rowIndex);
    const patch = diffViews(before.view, after.view, rowsFrom);
    if (Object.keys(patch.changes).length === 0 && rowsFrom === null) return;
    this.#state = after;
    this.#patches.fire(patch);
  }
}

interface State {
  readonly inspection: Inspection;
  readonly rowIndex: RowIndex;
  readonly view: SessionView;
}
