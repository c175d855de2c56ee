import { CompactError } from '../../core/errors/compactError';
import { messageFor } from '../../core/errors/messages';
import type { MicroPlan } from '../../core/compaction/microPlan';
import type { CompactionPlan } from '../../core/compaction/plan';
import { DEFAULT_MAX_OUTPUT_TOKENS } from '../../core/compaction/summarySize';
import type { Handlers } from '../../core/protocol/contract';
import type { ProgressStage, RunView } from '../../core/protocol/planView';
import type { Summarizer, SummaryForm } from '../../core/ports/summarizer';
import { lostView } from '../../core/view/lostView';
import type { EngineRequests, SummarizerSpec } from './contract';
import type { RunResult, SessionPlans } from './sessionPlans';
import { writtenBy } from './summarizers';

type CompactionRequestName = 'compaction/preview' | 'compaction/request' | 'compaction/run' | 'compaction/prompt' | 'compaction/putBack';
type Unwritten = Exclude<RunView, { readonly outcome: 'written' }>;

export interface CompactionPorts {
  opened(handle: string): { readonly plans: SessionPlans; ready(): Promise<void> };
  summarizerOf(spec: SummarizerSpec): Summarizer;
  /** `planId` is the plan's, or the id of the copy whose summary is written again. */
  onProgress(progress: {
    readonly handle: string;
    readonly planId: string;
    readonly stage: ProgressStage;
    readonly received: number | null;
  }): void;
}

/** Answers about compactions of the present context. A run that fails is an outcome and no exception. */
export function compactionHandlers(ports: CompactionPorts): Pick<Handlers<EngineRequests>, CompactionRequestName> {
  const progressOf = (handle: string, planId: string) => (stage: ProgressStage, received?: number | null) =>
    ports.onProgress({ handle, planId, stage, received: received ?? null });
  const runOf = (params: EngineRequests['compaction/run']['params']) => {
    const { plans } = ports.opened(params.handle);
    const { planId, summarizer, instructions } = params;
    const plan = plans.remembered(planId);
    if (plan === undefined) throw new CompactError('staleSource');
    const onProgress = progressOf(params.handle, planId);
    const wishes = plans.wishes(planId, formOf(params), params.putBack);
    return {
      plans,
      plan,
      summarizer: ports.summarizerOf(summarizer),
      options: { instructions, ...wishes, writtenBy: writtenBy(summarizer), onProgress },
    };
  };
  return {
    'compaction/preview': async ({ handle, request }, signal) => {
      const session = ports.opened(handle);
      await session.ready();
      await session.plans.findOriginals();
      return session.plans.preview(request, signal);
    },
    'compaction/request': ({ handle, planId, instructions, detail }) => {
      const { plans } = ports.opened(handle);
      const plan = plans.remembered(planId);
      if (plan === undefined || plan.kind === 'micro') return Promise.reject(new CompactError('staleSource'));
      const { system, user, secrets } = plans.outgoing(plan, instructions, detail === undefined ? {} : { detail });
      return Promise.resolve({ text: `[system]\n\n${system}\n\n[user]\n\n${user}`, masked: secrets.length });
    },
    'compaction/run': async (params, signal) => {
      try {
        const { plans, plan, summarizer, options } = runOf(params);
        const result = await plans.run(plan, summarizer, options, signal);
        return { view: writtenView(plan, result), path: result.copy.path };
      } catch (error) {
        return { view: failedRun(error, params.summarizer.kind !== 'offline'), path: null };
      }
    },
    'compaction/prompt': async (params, signal) => {
      try {
        const { plans, plan, summarizer, options } = runOf(params);
        const { prompt } = await plans.prompt(plan, summarizer, options, signal);
        return { outcome: 'prompt', prompt };
      } catch (error) {
        return failedRun(error, params.summarizer.kind !== 'offline');
      }
    },
    'compaction/putBack': async ({ handle, newSessionId, items }, signal) => {
      try {
        const { plan, ...result } = await ports.opened(handle).plans.putBack(newSessionId, items, progressOf(handle, newSessionId), signal);
        return { view: writtenView(plan, result), path: result.copy.path };
      } catch (error) {
        return { view: failedRun(error, false), path: null };
      }
    },
  };
}

/** The offline summarizer knows no limit of a model. */
function formOf({ summarizer, detail, maxOutputTokens }: EngineRequests['compaction/run']['params']): SummaryForm {
  return {
    ...(detail === undefined ? {} : { detail }),
    ...(summarizer.kind === 'offline' ? {} : { maxOutputTokens: maxOutputTokens ?? DEFAULT_MAX_OUTPUT_TOKENS }),
  };
}

function writtenView(plan: CompactionPlan | MicroPlan, { copy, report }: RunResult): RunView {
  const rows = new Map(report.summarizedIds.map((id, at) => [id, plan.summarized[at]]));
  return {
    outcome: 'written',
    kind: plan.kind,
    fileName: copy.fileName,
    newSessionId: copy.sessionId,
    tokensBefore: plan.tokensBefore + plan.unattributedTokens,
    tokensAfter: copy.tokensAfter,
    summary: copy.summary,
    lost: lostView(report.lost ?? [], (id) => rows.get(id)),
    resume: copy.resume,
  };
}

function failedRun(error: unknown, isModel: boolean): Unwritten {
  const code = typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : 'internal';
  const outcome = code === 'aborted' ? 'cancelled' : REFUSALS.has(code) ? 'refused' : 'failed';
  return { outcome, code, message: messageFor(error), ...(isModel && OFFLINE_HELPS.has(code) ? { offerOffline: true } : {}) };
}

const REFUSALS: ReadonlySet<string> = new Set(['notSmaller', 'staleSource', 'nothingToDo']);
/** What is wrong with a model or its summary is not wrong with the offline summarizer. */
const OFFLINE_HELPS: ReadonlySet<string> = new Set([
  'invalidSummary',
  'noSummary',
  'incomplete',
  'promptTooLong',
  'api',
  'summarizerUnavailable',
  'notSmaller',
]);
