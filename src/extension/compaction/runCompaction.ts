import { isCompactError } from '../../core/errors/compactError';
import { messageFor } from '../../core/errors/messages';
import type { SummarizerChoice } from '../../core/protocol/viewModel';
import type { RunView } from '../../core/protocol/planView';
import type { SummarizerSpec } from '../../node/engine/contract';
import { HostError } from '../hostError';
import type { Services } from '../services';
import type { SharedSession } from '../sessions/sharedSession';
import { chosenEditorModel } from '../summarizer/editorModels';
import { openaiSpec } from '../summarizer/openaiSetup';
import { showRequest, wishes } from './showRequest';
import { vscode } from '../vscode';

export interface RunInput {
  readonly session: SharedSession;
  readonly planId: string;
  readonly summarizer: SummarizerChoice;
  readonly instructions: string;
}

export interface RunOutcome {
  readonly view: RunView;
  /** Path of the written copy. */
  readonly path: string | null;
}

/**
 * Runs a plan that was previewed. Before anything is sent or written: the workspace is trusted, the plan is known, and for a server its
 * address, key and the user's consent are there. What stands in the way is an outcome and no exception.
 */
export async function runCompaction(services: Services, input: RunInput, signal: AbortSignal): Promise<RunOutcome> {
  const { session, planId } = input;
  if (!vscode.workspace.isTrusted) return refused(services, new HostError('untrustedWorkspace'));
  const tokens = session.plannedTokens(planId);
  const handle = session.view?.handle;
  if (tokens === undefined || handle === undefined) return refused(services, 'staleSource');
  const instructions = wishes(services, input.instructions);
  let summarizer: SummarizerSpec = { kind: 'offline' };
  if (input.summarizer !== 'offline') {
    try {
      const { spec, host } = await modelSpec(services, input.summarizer);
      const showsRequest = async (): Promise<boolean> => {
        const uri = await showRequest(services, { session, planId, instructions, receiver: host, asksAgain: true }, signal);
        return services.requests.closed(uri, signal);
      };
      const isAllowed = await services.consent.ask(host, tokens, showsRequest);
      if (!isAllowed && !signal.aborted) return refused(services, 'consentRequired');
      summarizer = spec;
    } catch (error) {
      if (error instanceof HostError || isCompactError(error)) return refused(services, error);
      throw error;
    }
  }
  if (signal.aborted) return { view: { outcome: 'cancelled', code: 'aborted', message: messageFor('aborted') }, path: null };
  const outcome = await services.engine.request('compaction/run', { handle, planId, summarizer, instructions }, signal);
  services.log.info(`Compaction: ${outcome.view.outcome}${outcome.view.outcome === 'written' ? '' : ` (${outcome.view.code})`}.`);
  if (outcome.path !== null) services.refreshSessions();
  return outcome;
}

/** What the engine needs to ask a model, and who gets the text. */
async function modelSpec(
  { configuration, keys }: Services,
  choice: Exclude<SummarizerChoice, 'offline'>,
): Promise<{ readonly spec: SummarizerSpec; readonly host: string }> {
  if (choice === 'openai') return openaiSpec(configuration.current, keys);
  const model = await chosenEditorModel(configuration.current);
  return { spec: { kind: 'vscode', label: model.name }, host: `${model.name} (${model.vendor})` };
}

function refused(services: Services, problem: Error | 'staleSource' | 'consentRequired'): RunOutcome {
  const { code, message } = services.describe(problem);
  return { view: { outcome: 'refused', code, message }, path: null };
}
