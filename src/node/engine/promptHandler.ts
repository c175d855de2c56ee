import { CompactError } from '../../core/errors/compactError';
import type { Handlers } from '../../core/protocol/contract';
import type { ProgressView, RunView } from '../../core/protocol/planView';
import type { Summarizer } from '../../core/ports/summarizer';
import type { EngineRequests, SummarizerSpec } from './contract';
import type { SessionPlans } from './sessionPlans';

export interface PromptPorts {
  opened(handle: string): { readonly plans: SessionPlans };
  summarizerOf(spec: SummarizerSpec): Summarizer;
  onProgress(handle: string, progress: ProgressView): void;
  /** A failure as an outcome. */
  failed(error: unknown): Exclude<RunView, { readonly outcome: 'written' }>;
}

/** Answers the request for a text that any agent can go on from; a failure is an outcome and no exception. */
export function promptHandler(ports: PromptPorts): Handlers<EngineRequests>['compaction/prompt'] {
  return async ({ handle, planId, summarizer, instructions }, signal) => {
    const { plans } = ports.opened(handle);
    const plan = plans.remembered(planId);
    try {
      if (plan === undefined) throw new CompactError('staleSource');
      const onProgress = (stage: ProgressView['stage'], received?: number | null): void =>
        ports.onProgress(handle, { planId, stage, received: received ?? null });
      const { prompt } = await plans.prompt(plan, ports.summarizerOf(summarizer), { instructions, onProgress }, signal);
      return { outcome: 'prompt', prompt };
    } catch (error) {
      return ports.failed(error);
    }
  };
}
