import type { SessionView } from '../protocol/viewModel';
import type { Inspection } from '../session/inspection';
import { isTurnStart } from '../cut/turns';
import { oneLine } from '../util/text';
import { textOf } from '../model/message';
import { AGENT_NAMES } from './agentNames';
import { boundaryViews } from './boundaries';
import { gaugeView } from './gauge';
import type { RowIndex } from './rows';
import { timelineView } from './timeline';

export { AGENT_NAMES };

export interface SessionFacts {
  readonly handle: string;
  readonly revision: number;
  readonly fileName: string;
  readonly live: boolean;
  readonly problem: string | undefined;
}

/** The whole view of an open session, for the page and the host's own views. */
export function sessionView(inspection: Inspection, rows: RowIndex, facts: SessionFacts): SessionView {
  const { transcript } = inspection;
  return {
    revision: facts.revision,
    handle: facts.handle,
    title: sessionTitle(inspection, facts.fileName),
    fileName: facts.fileName,
    format: transcript.format,
    agent: AGENT_NAMES[transcript.format],
    agentVersion: transcript.agentVersion ?? null,
    sessionId: transcript.sessionId ?? null,
    model: transcript.model ?? null,
    turns: transcript.messages.filter(isTurnStart).length,
    live: facts.live,
    gauge: gaugeView(inspection),
    categories: inspection.categories.map(({ category, tokens }) => ({
      category,
      tokens,
      measurement: category === 'unattributed' ? 'derived' : 'estimate',
    })),
    boundaries: boundaryViews(inspection),
    timeline: timelineView(inspection),
    rows: { count: transcript.messages.length, activeCount: transcript.context.length, maxTokens: rows.maxTokens },
    sidechains: transcript.sidechains.map((chain, index) => ({
      id: chain.id,
      messages: chain.messages.length,
      usedTokens: inspection.sizes.sidechainTokens[index] ?? 0,
    })),
    diagnostics: transcript.diagnostics.map(({ line, code, severity, detail }) => ({ line, code, severity, detail: detail ?? '' })),
    problem: facts.problem ?? null,
    canCompact: transcript.context.length > 1,
  };
}

const TITLE_UNITS = 80;

/** The session's own title, else its first user request, else the file's name. */
export function sessionTitle({ transcript }: Inspection, fileName: string): string {
  if (transcript.title !== undefined && transcript.title.trim() !== '') return oneLine(transcript.title, TITLE_UNITS);
  for (const message of transcript.messages) {
    if (message.kind !== 'message' || !isTurnStart(message)) continue;
    const text = oneLine(textOf(message), TITLE_UNITS);
    if (text !== '') return text;
  }
  return fileName;
}
