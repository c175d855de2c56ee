import { diffViews } from '../../core/protocol/patch';
import type { GaugeView, SessionPatch, SessionView } from '../../core/protocol/viewModel';
import type { Transcript } from '../../core/model/transcript';
import { inspectTranscript, type Inspection, type InspectionSettings } from '../../core/session/inspection';
import { NewestInspection } from '../../core/session/newestInspection';
import { paceOf, type Pace } from '../../core/session/pace';
import type { Steps } from '../../core/util/steps';
import { gaugeView } from '../../core/view/gauge';
import { firstChangedRow, rowIndexOf, type RowIndex } from '../../core/view/rows';
import { SessionViews, type SessionFacts } from '../../core/view/sessionView';

/** One revision of an open session. */
export interface SessionState {
  readonly inspection: Inspection;
  readonly rowIndex: RowIndex;
  readonly view: SessionView;
}

export interface StateInput {
  readonly transcript: Transcript;
  readonly settings: InspectionSettings;
  /** Of a large session the newest contexts alone are measured anew. */
  readonly isLarge: boolean;
  readonly facts: Omit<SessionFacts, 'revision'>;
}

/** A state that follows another one, still without its place among the revisions. */
export interface NextState extends Omit<SessionState, 'view'> {
  readonly view: Omit<SessionView, 'revision'>;
  /** First row that may differ, null when none does. */
  readonly rowsFrom: number | null;
}

/** Makes the states of one open session, one after the other; what an earlier one has found out is not looked for again. Pure but for that. */
export class SessionStates {
  readonly #newest = new NewestInspection();
  readonly #views = new SessionViews();
  #pace: Pace | undefined;

  /** The first state, or any that stands alone. */
  *first(input: StateInput, revision: number): Steps<SessionState> {
    const inspection = yield* this.#inspect(input);
    const rowIndex = rowIndexOf(inspection);
    const view = yield* this.#views.view(inspection, rowIndex, { ...input.facts, revision });
    if (input.isLarge) this.#pace = paceOf(inspection.newest?.inspection ?? inspection);
    return { inspection, rowIndex, view };
  }

  /** The state behind another one. In short pieces, in which the gauge of the session may be told. */
  *next(input: StateInput, before: SessionState): Steps<NextState> {
    const after = yield* this.first(input, 0);
    const rowsFrom = yield* firstChangedRow(before.inspection, before.rowIndex, after.inspection, after.rowIndex);
    return { ...after, rowsFrom };
  }

  /** How full the window of a large session is, at once. Its pace is that of the last state. */
  gauge(transcript: Transcript, settings: InspectionSettings): GaugeView {
    return gaugeView(this.#newest.inspectContext(transcript, settings), () => this.#pace);
  }

  *#inspect({ transcript, settings, isLarge }: StateInput): Steps<Inspection> {
    return isLarge ? yield* this.#newest.inspect(transcript, settings) : inspectTranscript(transcript, settings);
  }
}

/** The next revision, and the patch to it; undefined when there is nothing new. */
export function follow(
  before: SessionState,
  { rowsFrom, ...next }: NextState,
): { readonly state: SessionState; readonly patch: SessionPatch } | undefined {
  const view = { ...next.view, revision: before.view.revision + 1 };
  const patch = diffViews(before.view, view, rowsFrom);
  if (Object.keys(patch.changes).length === 0 && rowsFrom === null) return undefined;
  return { state: { ...next, view }, patch };
}
