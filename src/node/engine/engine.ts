import { CompactError } from '../../core/errors/compactError';
import { ReadError } from '../../core/errors/readError';
import { toolResultText, type Message } from '../../core/model/message';
import type { Handlers } from '../../core/protocol/contract';
import type { Summarizer } from '../../core/ports/summarizer';
import { agentFolders } from '../sources/discovery';
import { boundaryHandlers } from './boundaryHandlers';
import { compactionHandlers } from './compactionHandlers';
import type { EngineEvents, EngineRequests, InspectOptions, SummarizerSpec } from './contract';
import { historyHandlers } from './historyHandlers';
import { HostModels } from './hostModels';
import { inspectFile } from './inspectFile';
import { listSessions } from './listSessions';
import { OpenSession } from './openSession';
import type { PlanSettings } from './sessionPreview';
import { createSummarizer } from './summarizers';

export type EmitEngineEvent = <K extends keyof EngineEvents>(name: K, value: EngineEvents[K]) => void;

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
      session.plans.useSettings(planSettings(options));
      session.onPatch((patch) => emit('session/patched', patch));
      return session.view;
    },
    'session/close': ({ handle }) => {
      sessions.get(handle)?.dispose();
      sessions.delete(handle);
      return Promise.resolve(null);
    },
    'session/options': ({ handle, options }) => {
      const session = opened(handle);
      session.plans.useSettings(planSettings(options));
      return session.setOptions(options);
    },
    'session/snapshot': async ({ handle }) => Promise.resolve(opened(handle).view),
    'rows/read': async ({ handle, from, to }) => Promise.resolve(opened(handle).rows(from, Math.min(to, from + MAX_ROWS))),
    ...compactionHandlers({ opened, summarizerOf, onProgress: (progress) => emit('compaction/progress', progress) }),
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

/** The options that count for plans alone. */
function planSettings({ pricing, summarizerModel, maxOutputTokens, ofSummary }: InspectOptions): PlanSettings {
  return {
    ...(pricing === undefined ? {} : { pricing }),
    ...(summarizerModel === undefined ? {} : { summarizerModel }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(ofSummary === undefined ? {} : { ofSummary }),
  };
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
