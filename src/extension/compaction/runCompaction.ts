import { isCompactError } from '../../core/errors/compactError';
import { messageFor } from '../../core/errors/messages';
import type { SummarizerChoice } from '../../core/protocol/viewModel';
import type { PutBackView, RunView, SummaryDetail } from '../../core/protocol/planView';
import type { EngineRequests, SummarizerSpec } from '../../node/engine/contract';
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
  readonly detail?: SummaryDetail | undefined;
  readonly putBack?: readonly PutBackView[] | undefined;
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
  if (!vscode.workspace.isTrusted) return { view: refused(services, new HostError('untrustedWorkspace')), path: null };
  const allowed = await allowedSummarizer(services, input, signal);
  if (allowed.outcome !== 'allowed') return { view: allowed, path: null };
  const outcome = await services.engine.request('compaction/run', runParams(services, input, allowed), signal);
  services.log.info(`Compaction: ${outcome.view.outcome}${outcome.view.outcome === 'written' ? '' : ` (${outcome.view.code})`}.`);
  if (outcome.path !== null) services.refreshSessions();
  return outcome;
}

/** A summarizer that may be asked about a plan, and the open session's handle. */
export interface AllowedSummarizer {
  readonly outcome: 'allowed';
  readonly spec: SummarizerSpec;
  readonly handle: string;
}

/**
 * Sees to it that a plan's summarizer may be asked: the plan is known, and for a model its address, key and the user's consent are there.
 * What stands in the way is an outcome and no exception.
 */
export async function allowedSummarizer(
  services: Services,
  input: RunInput,
  signal: AbortSignal,
): Promise<AllowedSummarizer | Exclude<RunView, { readonly outcome: 'written' }>> {
  const { session, planId } = input;
  const tokens = session.plannedTokens(planId);
  const handle = session.view?.handle;
  if (tokens === undefined || handle === undefined) return refused(services, 'staleSource');
  let spec: SummarizerSpec = { kind: 'offline' };
  if (input.summarizer !== 'offline') {
    if (!vscode.workspace.isTrusted) return refused(services, new HostError('untrustedWorkspace'));
    const instructions = wishes(services, input.instructions);
    try {
      const model = await modelSpec(services, input.summarizer);
      const showsRequest = async (): Promise<boolean> => {
        const uri = await showRequest(services, { session, planId, instructions, receiver: model.host, asksAgain: true }, signal);
        return services.requests.closed(uri, signal);
      };
      const isAllowed = await services.consent.ask(model.host, tokens, showsRequest);
      if (!isAllowed && !signal.aborted) return refused(services, 'consentRequired');
      spec = model.spec;
    } catch (error) {
      if (error instanceof HostError || isCompactError(error)) return refused(services, error);
      throw error;
    }
  }
  if (signal.aborted) return { outcome: 'cancelled', code: 'aborted', message: messageFor('aborted') };
  return { outcome: 'allowed', spec, handle };
}

/** What the engine is asked, with the user's standing wishes. */
export function runParams(
  services: Services,
  { planId, instructions, detail, putBack }: RunInput,
  { spec, handle }: AllowedSummarizer,
): EngineRequests['compaction/run']['params'] {
  return {
    handle,
    planId,
    summarizer: spec,
    instructions: wishes(services, instructions),
    maxOutputTokens: services.configuration.current['summarizer.maxOutputTokens'],
    ...(detail === undefined ? {} : { detail }),
    ...(putBack === undefined ? {} : { putBack }),
  };
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

function refused(
  services: Services,
  problem: Error | 'staleSource' | 'consentRequired',
): { readonly outcome: 'refused'; readonly code: string; readonly message: string } {
  const { code, message } = services.describe(problem);
  return { outcome: 'refused', code, message };
}
