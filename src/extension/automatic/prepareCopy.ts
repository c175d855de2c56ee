import { RpcError } from '../../core/protocol/channel';
import type { SummarizerSpec } from '../../node/engine/contract';
import { wishes } from '../compaction/showRequest';
import type { Services } from '../services';
import { chosenEditorModel } from '../summarizer/editorModels';
import { openaiSpec } from '../summarizer/openaiSetup';
import type { Preparation } from './automaticMode';

/** Refusals that say that there is nothing to compact; no summarizer was asked for them. */
const NOTHING_TO_DO: ReadonlySet<string> = new Set(['notEnoughMessages', 'nothingToDo', 'pendingToolCall', 'notSmaller', 'notSupported']);

/**
 * Plans a compaction of a session as a whole and writes its copy, with nobody asked for anything: a model summarizes only where its host was
 * allowed before, else the offline summarizer. Never rejects.
 */
export async function prepareCopy(services: Services, path: string, signal: AbortSignal): Promise<Preparation> {
  try {
    const session = services.current.session;
    if (session?.path !== path) return { kind: 'cancelled', code: 'otherSession' };
    const { handle } = await session.open();
    const keepMessages = services.configuration.current['compaction.keepMessages'];
    const request = { kind: 'full', keepMessages, pinned: services.pins.of(path) } as const;
    const plan = await services.engine.request('compaction/preview', { handle, request }, signal);
    if (plan.outcome === 'refusal') return { kind: NOTHING_TO_DO.has(plan.code) ? 'unchanged' : 'failed', code: plan.code };
    const summarizer = await summarizerWithoutAsking(services);
    services.log.info(`Automatic mode: the ${summarizer.kind} summarizer writes the summary.`);
    const run = { handle, planId: plan.planId, summarizer, instructions: wishes(services, '') };
    const { view, path: written } = await services.engine.request('compaction/run', run, signal);
    if (view.outcome !== 'written' || written === null)
      return { kind: endOf(view.outcome === 'written' ? '' : view.code), code: codeOf(view) };
    return {
      kind: 'prepared',
      copy: { path: written, tokensBefore: view.tokensBefore, tokensAfter: view.tokensAfter, resume: view.resume },
    };
  } catch (error) {
    if (signal.aborted) return { kind: 'cancelled', code: 'aborted' };
    services.report(error);
    return { kind: 'failed', code: error instanceof RpcError ? error.code : 'internal' };
  }
}

function endOf(code: string): 'cancelled' | 'stale' | 'failed' {
  if (code === 'aborted') return 'cancelled';
  return code === 'staleSource' ? 'stale' : 'failed';
}

function codeOf(view: { readonly outcome: string; readonly code?: string }): string {
  return view.code ?? view.outcome;
}

/** The chosen summarizer where it may be used without a question, else the offline one. */
async function summarizerWithoutAsking({ configuration, keys, consent, context, report }: Services): Promise<SummarizerSpec> {
  const settings = configuration.current;
  const provider = settings['summarizer.provider'];
  try {
    if (provider === 'openai') {
      const { spec, host } = await openaiSpec(settings, keys);
      if (consent.hosts.includes(host)) return spec;
    }
    if (provider === 'vscode') {
      const model = await chosenEditorModel(settings);
      // VS Code's own question must follow an action of the user, so it must have been answered before.
      const isOurs = consent.hosts.includes(`${model.name} (${model.vendor})`);
      if (isOurs && context.languageModelAccessInformation.canSendRequest(model) === true) return { kind: 'vscode', label: model.name };
    }
  } catch (error) {
    // A missing key or model is no reason to go without a copy.
    report(error);
  }
  return { kind: 'offline' };
}
