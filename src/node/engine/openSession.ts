import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { ReadError } from '../../core/errors/readError';
import type { Message } from '../../core/model/message';
import type { RowView, SessionPatch, SessionView } from '../../core/protocol/viewModel';
import type { TokenCounter } from '../../core/ports/tokenCounter';
import type { Inspection, InspectionSettings } from '../../core/session/inspection';
import { isSameData } from '../../core/protocol/patch';
import { messagesFrom } from '../../core/transcript/laterMessages';
import { Emitter, type Event } from '../../core/util/emitter';
import { finish } from '../../core/util/steps';
import type { InspectReport } from '../../core/view/inspectReport';
import { inspectReportOf } from '../../core/view/inspectReportOf';
import { rowView } from '../../core/view/rows';
import { inSlices } from '../sources/slices';
import { openTranscript, type TranscriptFile } from '../sources/transcriptFiles';
import type { InspectOptions } from './contract';
import { inspectionSettings } from './inspectionSettings';
import { MessageCounts } from './messageCounts';
import { SessionPlans } from './sessionPlans';
import { follow, SessionStates, type NextState, type SessionState, type StateInput } from './sessionStates';

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
/** But no longer than this: on a busy machine an update takes long without doing much. */
const MAX_REST_MS = 20_000;
/** Work on the view between two moments in which an append is seen, in milliseconds. */
const SLICE_MS = 3;
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
  readonly #states = new SessionStates();
  readonly #gone = new AbortController();
  #settings: InspectionSettings;
  /** What the messages of a large session are counted with, in the background. */
  #large: { readonly counter: TokenCounter; readonly settings: InspectionSettings; readonly counts: MessageCounts } | undefined;
  #state: SessionState;
  /** Gauges that were told apart from the rest of the view. */
  #told = 0;
  /** The update of the whole view that is to come, and the earliest time for it. */
  #next: NodeJS.Timeout | undefined;
  #notBefore = -Infinity;
  /** Updates of a large session come one behind the other. */
  #updating: Promise<unknown> = Promise.resolve();

  /** Every change of the view, in order and without a gap. */
  readonly onPatch: Event<SessionPatch> = this.#patches.event;

  private constructor(path: string, file: TranscriptFile, settings: InspectionSettings) {
    this.#path = path;
    this.#file = file;
    this.#settings = settings;
    const input = this.#input();
    this.#state = finish(this.#states.first(input, 1));
    if (input.isLarge && !input.facts.partial) this.#count(input);
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

  /** Resolves when all of the file is in the session. Rejects with ReadError when it cannot be read. */
  async ready(): Promise<void> {
    if (!this.view.partial) return;
    await this.#file.reading;
    await this.#update();
  }

  /** Measures anew with other options. */
  async setOptions(options: InspectOptions): Promise<SessionView> {
    this.#settings = await inspectionSettings(options);
    await this.#update();
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
    this.#gone.abort(new ReadError('notFound', 'the session was closed'));
    this.#large?.counts.dispose();
    this.#file.dispose();
    this.#patches.dispose();
    this.plans.clear();
  }

  /** What the next state is made of. */
  #input(): StateInput {
    const { transcript, isLarge = false, mtimeMs, problem, reading } = this.#file;
    const facts = {
      handle: this.handle,
      fileName: basename(this.#path),
      live: Date.now() - mtimeMs < LIVE_MS,
      problem,
      partial: reading !== undefined,
    };
    return { transcript, isLarge, settings: isLarge ? this.#ofLarge() : this.#settings, facts };
  }

  /** The settings for a large session, whose messages are counted in the background. */
  #ofLarge(): InspectionSettings {
    const { counter } = this.#settings;
    if (counter === undefined) return this.#settings;
    if (this.#large?.counter !== counter) {
      this.#large?.counts.dispose();
      const counts = new MessageCounts(counter, () => this.#changed());
      this.#large = { counter, counts, settings: this.#settings };
    }
    const { counts, settings } = this.#large;
    // The same settings are the same object, by which a grown session is known to be measured as before.
    if (settings.isCounted === undefined || !isSameData({ ...settings, isCounted: undefined }, { ...this.#settings, isCounted: undefined }))
      this.#large = { counter, counts, settings: { ...this.#settings, isCounted: counts.isCounted } };
    return this.#large.settings;
  }

  /** Of a large session the gauge is told at once; the rest of the view, which costs more, takes a bounded share of time. */
  #changed(): void {
    if (this.#file.isLarge !== true) {
      void this.#update();
      return;
    }
    this.#tellGauge();
    this.#next ??= setTimeout(() => void this.#update(), Math.max(VIEW_MS, this.#notBefore - performance.now()));
  }

  #tellGauge(): void {
    const { view } = this.#state;
    const gauge = this.#attempt(() => this.#states.gauge(this.#file.transcript, this.#ofLarge()));
    if (gauge === undefined || isSameData(gauge, view.gauge)) return;
    const to = view.revision + 1;
    this.#told++;
    this.#state = { ...this.#state, view: { ...view, gauge, revision: to } };
    this.#patches.fire({ handle: this.handle, from: view.revision, to, changes: { gauge }, rowsFrom: null });
  }

  /** Undefined when the file was changed under the texts that are read; then it is read anew, and another change follows. */
  #attempt<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      ignored(error);
      return undefined;
    }
  }

  /** Brings the whole view up to date: at once, or for a large session in slices behind the updates that are under way. */
  #update(): Promise<unknown> {
    clearTimeout(this.#next);
    this.#next = undefined;
    if (this.#file.isLarge === true) this.#updating = this.#updating.then(() => this.#updateInSlices());
    else this.#take(this.#attempt(() => finish(this.#states.next(this.#input(), this.#state))));
    return this.#updating;
  }

  async #updateInSlices(): Promise<void> {
    const start = performance.now();
    const told = this.#told;
    const input = this.#input();
    const next = await inSlices(this.#states.next(input, this.#state), this.#gone.signal, SLICE_MS).catch(ignored);
    // The last part's messages are read again with the whole; counting them would be for nothing.
    if (next !== undefined && !input.facts.partial) this.#count(input);
    // A gauge that was told meanwhile is newer.
    this.#take(next === undefined || this.#told === told ? next : { ...next, view: { ...next.view, gauge: this.#state.view.gauge } });
    const end = performance.now();
    this.#notBefore = end + Math.min(MAX_REST_MS, (end - start) * REST_SHARE);
  }

  #count({ transcript }: StateInput): void {
    const { context } = transcript;
    const from = context.reduce((first, index) => Math.min(first, index), context[0] ?? 0);
    const messages = messagesFrom(transcript, from);
    this.#large?.counts.want(context.flatMap((index) => messages[index - from] ?? []));
  }

  #take(next: NextState | undefined): void {
    const followed = next === undefined || this.#gone.signal.aborted ? undefined : follow(this.#state, next);
    if (followed === undefined) return;
    this.#state = followed.state;
    this.#patches.fire(followed.patch);
  }
}

/** A file that was changed under the reader is read anew, and another change follows; a closed session wants no more. */
function ignored(error: unknown): undefined {
  if (error instanceof ReadError) return undefined;
  throw error;
}
