import type { Diagnostic, Transcript } from '../model/transcript';
import type { DiagnosticView, SessionView } from '../protocol/viewModel';
import type { Inspection } from '../session/inspection';
import { isTurnStart } from '../cut/turns';
import { messageCount } from '../transcript/lineage';
import { finish, type Steps } from '../util/steps';
import { oneLine } from '../util/text';
import { textOf } from '../model/message';
import { AGENT_NAMES } from './agentNames';
import { BoundaryViews } from './boundaries';
import { gaugeView } from './gauge';
import type { RowIndex } from './rows';
import { SeenMessages } from './seenMessages';
import { timelineView } from './timeline';

export { AGENT_NAMES };

export interface SessionFacts {
  readonly handle: string;
  readonly revision: number;
  readonly fileName: string;
  readonly live: boolean;
  readonly problem: string | undefined;
  /** Only the last part of the file was read so far. */
  readonly partial?: boolean;
}

/** The whole view of a session, for the page and the host's own views. */
export function sessionView(inspection: Inspection, rows: RowIndex, facts: SessionFacts): SessionView {
  return finish(new SessionViews().view(inspection, rows, facts));
}

/** Views of one session, one after the other. What an earlier one has found out of a session that has only grown since is kept. */
export class SessionViews {
  readonly #seen = new SeenMessages();
  readonly #boundaries = new BoundaryViews();
  readonly #diagnostics = new WeakMap<Diagnostic, DiagnosticView>();

  /** The view of one state, made in short pieces: what `sessionView` gives for it. */
  *view(inspection: Inspection, rows: RowIndex, facts: SessionFacts): Steps<SessionView> {
    const { transcript, categories, sizes } = inspection;
    yield* this.#seen.look(transcript, namedIds(transcript));
    const boundaries = yield* this.#boundaries.view(inspection, (id) => this.#seen.rowOf(id));
    const timeline = timelineView(inspection);
    yield;
    return {
      revision: facts.revision,
      handle: facts.handle,
      title: titleOf(transcript, this.#seen.firstRequest, facts.fileName),
      fileName: facts.fileName,
      format: transcript.format,
      agent: AGENT_NAMES[transcript.format],
      agentVersion: transcript.agentVersion ?? null,
      sessionId: transcript.sessionId ?? null,
      model: transcript.model ?? null,
      turns: this.#seen.turns,
      live: facts.live,
      partial: facts.partial === true,
      gauge: gaugeView(inspection.newest?.inspection ?? inspection),
      categories: categories.map(({ category, tokens }) => ({
        category,
        tokens,
        measurement: category === 'unattributed' ? 'derived' : 'estimate',
      })),
      boundaries,
      timeline,
      rows: { count: messageCount(transcript), activeCount: transcript.context.length, maxTokens: rows.maxTokens },
      sidechains: transcript.sidechains.map((chain, index) => ({
        id: chain.id,
        messages: chain.messages.length,
        usedTokens: sizes.sidechainTokens[index] ?? 0,
      })),
      diagnostics: transcript.diagnostics.map((diagnostic) => this.#diagnosticView(diagnostic)),
      problem: facts.problem ?? null,
      canCompact: transcript.context.length > 1,
    };
  }

  #diagnosticView(diagnostic: Diagnostic): DiagnosticView {
    const known = this.#diagnostics.get(diagnostic);
    if (known !== undefined) return known;
    const { line, code, severity, detail } = diagnostic;
    const view = { line, code, severity, detail: detail ?? '' };
    this.#diagnostics.set(diagnostic, view);
    return view;
  }
}

/** Messages that boundaries name. */
function namedIds({ boundaries }: Transcript): readonly string[] {
  return boundaries.flatMap(({ summaryId, preservedSegment }) => [
    ...(summaryId === undefined ? [] : [summaryId]),
    ...(preservedSegment?.ids ?? []),
  ]);
}

function titleOf({ title }: Transcript, firstRequest: string, fileName: string): string {
  if (title !== undefined && title.trim() !== '') return oneLine(title, TITLE_UNITS);
  return firstRequest === '' ? fileName : firstRequest;
}

const TITLE_UNITS = 80;

/** The session's own title, else its first user request, else the file's name. */
export function sessionTitle({ transcript }: Inspection, fileName: string): string {
  if (transcript.title !== undefined && transcript.title.trim() !== '') return titleOf(transcript, '', fileName);
  for (const message of transcript.messages) {
    if (!isTurnStart(message)) continue;
    const text = oneLine(textOf(message), TITLE_UNITS);
    if (text !== '') return text;
  }
  return fileName;
}
