import { CompactError } from '../../core/errors/compactError';
import { ReadError } from '../../core/errors/readError';
import { messageFor, refusalMessage } from '../../core/errors/messages';
import { toolResultText, type Message } from '../../core/model/message';
import type { PlanRequest } from '../../core/compaction/plan';
import type { Handlers } from '../../core/protocol/contract';
import type { Summarizer } from '../../core/ports/summarizer';
import type { PlanRequestView, RunView } from '../../core/protocol/planView';
import { lostView } from '../../core/view/lostView';
import { agentFolders } from '../sources/discovery';
import { boundaryHandlers } from './boundaryHandlers';
import type { EngineEvents, EngineRequests, SummarizerSpec } from './contract';
import { historyHandlers } from './historyHandlers';
import { HostModels } from './hostModels';
import { inspectFile } from './inspectFile';
import { listSessions } from './listSessions';
import { OpenSession } from './openSession';
import { promptHandler } from './promptHandler';
import { createSummarizer, writtenBy } from './summarizers';

export type EmitEngineEvent = <K extends keyof EngineEvents>(name: K, value: EngineEvents[K]) => void;

const DEFAULT_KEEP = 10;
const MAX_ROWS = 500;

/** Makes an engine: the answers to `EngineRequests` over open sessions. It holds files and watchers until it is disposed. */
export function createEngine(emit: EmitEngineEvent): { readonly handlers: Handlers<EngineRequests>; dispose(): void } {
  const sessions = new Map<string, OpenSession>();
  const models = new HostModels(
    (question) => emit('model/asked', question),
    (callId) => emit('model/stopped', { callId }),
  );
  const opened = (handle: string): OpenSession => {
    const session = sessions.get(handle);
    if (session === undefined) throw new ReadError('notFound', 'this session is closed');
    return session;
  };

  const summarizerOf = (spec: SummarizerSpec): Summarizer =>
    spec.kind === 'vscode' ? models.summarizer(spec.label) : createSummarizer(spec);

  const handlers: Handlers<EngineRequests> = {
    'session/open': async ({ path, options, watch, pollMs }, signal) => {
      const session = await OpenSession.open(path, { options, watch, pollMs, lastPartFirst: true }, signal);
      sessions.set(session.handle, session);
      session.onPatch((patch) => emit('session/patched', patch));
      return session.view;
    },
    'session/close': ({ handle }) => {
      sessions.get(handle)?.dispose();
      sessions.delete(handle);
      return Promise.resolve(null);
    },
    'session/options': ({ handle, options }) => opened(handle).setOptions(options),
    'session/snapshot': async ({ handle }) => Promise.resolve(opened(handle).view),
    'rows/read': async ({ handle, from, to }) => Promise.resolve(opened(handle).rows(from, Math.min(to, from + MAX_ROWS))),
    'compaction/preview': async ({ handle, request }) => {
      const session = opened(handle);
      await session.ready();
      await session.plans.findOriginals();
      const pinned = session.plans.inContext(request.pinned ?? []);
      return session.plans.preview({ ...planRequestOf(request), pinned }, refusalMessage);
    },
    'compaction/request': ({ handle, planId, instructions }) => {
      const session = opened(handle);
      const plan = session.plans.remembered(planId);
      if (plan === undefined) return Promise.reject(new CompactError('staleSource'));
      const { system, user, secrets } = session.plans.outgoing(plan, instructions);
      return Promise.resolve({ text: `[system]\n\n${system}\n\n[user]\n\n${user}`, masked: secrets.length });
    },
    'compaction/run': async ({ handle, planId, summarizer, instructions }, signal) => {
      const session = opened(handle);
      const plan = session.plans.remembered(planId);
      try {
        if (plan === undefined) throw new CompactError('staleSource');
        const { copy, report } = await session.plans.run(
          plan,
          summarizerOf(summarizer),
          {
            instructions,
            writtenBy: writtenBy(summarizer),
            onProgress: (stage, received) => emit('compaction/progress', { handle, planId, stage, received: received ?? null }),
          },
          signal,
        );
        const rows = new Map(report.summarizedIds.map((id, at) => [id, plan.summarized[at]]));
        const view: RunView = {
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
        return { view, path: copy.path };
      } catch (error) {
        return { view: failedRun(error), path: null };
      }
    },
    'compaction/prompt': promptHandler({
      opened,
      summarizerOf,
      onProgress: (handle, progress) => emit('compaction/progress', { handle, ...progress }),
      failed: failedRun,
    }),
    ...boundaryHandlers(opened),
    ...historyHandlers(opened),
    'model/answer': ({ callId, answer }) => {
      models.answer(callId, answer);
      return Promise.resolve(null);
    },
    'message/read': async ({ handle, messageId }) => {
      const session = opened(handle);
      if (session.message(messageId) === undefined) await session.ready();
      const found = session.message(messageId);
      if (found === undefined) throw new CompactError('unknownMessage');
      return { text: fullText(found.message), line: found.message.line, index: found.index };
    },
    'line/message': async ({ handle, line }) => {
      const session = opened(handle);
      await session.ready();
      return session.messageAtLine(line) ?? null;
    },
    inspect: ({ path, options, messages }, signal) => inspectFile(path, options, messages, signal),
    'sessions/list': (options, signal) => listSessions(options, agentFolders(process.env), signal),
  };
  return {
    handlers,
    dispose() {
      for (const session of sessions.values()) session.dispose();
      sessions.clear();
    },
  };
}

/** What the page asked for, as a planner's request. */
function planRequestOf(request: PlanRequestView): PlanRequest {
  if (request.kind === 'full') return { kind: 'full', keepMessages: request.keepMessages ?? DEFAULT_KEEP };
  if (request.kind === 'micro') throw new CompactError('notSupported');
  return { kind: request.kind, pivotId: request.pivotId ?? '' };
}

function failedRun(error: unknown): Exclude<RunView, { readonly outcome: 'written' }> {
  const code = typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : 'internal';
  const outcome = code === 'aborted' ? 'cancelled' : code === 'notSmaller' || code === 'staleSource' ? 'refused' : 'failed';
  return { outcome, code, message: messageFor(error) };
}

/** All that a message says, for copying: what is stored is what is copied (R60). */
function fullText(message: Message): string {
  return message.content
    .map((block) => {
      switch (block.type) {
        case 'text':
        case 'thinking':
          return block.text;
        case 'toolUse':
          return `${block.name} ${block.rawInput ?? JSON.stringify(block.input)}`;
        case 'toolResult':
          return toolResultText(block);
        case 'unknown':
          return block.raw;
        default:
          return `[${block.type}]`;
      }
    })
    .join('\n');
}
