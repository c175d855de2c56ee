import type { Message } from '../../model/message';
import type { SessionTotals } from '../../model/transcript';
import { arrayOf, field, isRecord, recordOf, stringOf, type JsonRecord } from '../../util/json';
import { messageId, messageOf } from '../assemble';
import type { SourceRecord } from '../lineReader';
import type { SessionFacts } from '../transcriptDraft';
import { jsonOf } from './session';
import { filledOf, sumOf } from './fields';
import { FoldCollector } from './foldCollector';
import type { TranscriptFormat } from './format';
import { chatUsage, openaiMessage } from './openaiChat';
import { noTrajectory, trajectoryTranscript, type Trajectory } from './trajectory';

/** Trajectories of SWE-agent (`.traj`) and of mini-swe-agent: one JSON document. */
export const sweAgent: TranscriptFormat = {
  id: 'swe-agent',
  agent: 'SWE-agent',
  recognise: (sample) => (sample.some(isTrajectory) ? 1 : 0),
  collect: () => new FoldCollector(trajectoryOf, (records, damage, names) => trajectoryTranscript('swe-agent', records, damage, names)),
};

function isTrajectory(value: unknown): value is JsonRecord {
  if (!isRecord(value)) return false;
  const info = recordOf(value, 'info');
  if (arrayOf(value, 'trajectory') !== undefined) return info !== undefined || arrayOf(value, 'history') !== undefined;
  if (arrayOf(value, 'messages') === undefined) return false;
  return stringOf(value, 'trajectory_format') !== undefined || (info !== undefined && recordOf(info, 'model_stats') !== undefined);
}

function trajectoryOf({ value, line, part }: SourceRecord): Trajectory | ReturnType<typeof noTrajectory> {
  if (!isTrajectory(value)) return noTrajectory(line);
  const steps = (arrayOf(value, 'trajectory') ?? []).filter(isRecord);
  const stored = arrayOf(value, 'history') ?? arrayOf(value, 'messages');
  const spoken = (stored ?? steps.flatMap(spokenInStep)).filter(isRecord);
  const info = recordOf(value, 'info') ?? {};
  const main = spoken.map((message) => filledOf(message, 'agent')).find((agent) => agent !== undefined);
  const messages: Message[] = [];
  const chains = new Map<string, Message[]>();
  spoken.forEach((entry, at) => {
    const agent = filledOf(entry, 'agent') ?? main;
    const isMain = agent === main;
    const message = spokenMessage(entry, line, part + at, !isMain);
    if (isMain || agent === undefined) messages.push(message);
    else {
      const chain = chains.get(agent) ?? [];
      chains.set(agent, chain);
      chain.push(message);
    }
  });
  const isTold = [...messages, ...[...chains.values()].flat()].some(({ usage }) => usage !== undefined);
  return {
    line,
    messages,
    sidechains: [...chains].map(([id, chain]) => ({ id, messages: chain })),
    facts: factsOf(value, info, steps),
    totals: isTold ? undefined : totalsOf(recordOf(info, 'model_stats') ?? {}),
  };
}

/** Files without a history hold it in their steps. */
function spokenInStep(step: JsonRecord): readonly JsonRecord[] {
  const [response, observation] = [field(step, 'response'), field(step, 'observation')];
  return [
    ...(typeof response === 'string' ? [{ role: 'assistant', content: response }] : []),
    ...(typeof observation === 'string' ? [{ role: 'user', content: observation }] : []),
  ];
}

const NO_NAMES = new Set<string>();

function spokenMessage(entry: JsonRecord, line: number, part: number, isSidechain: boolean): Message {
  // A result names its calls in a list; there is one of them.
  const callId: unknown = arrayOf(entry, 'tool_call_ids')?.[0];
  const { role, content } = openaiMessage(typeof callId === 'string' ? { ...entry, tool_call_id: callId } : entry);
  const response = recordOf(recordOf(entry, 'extra') ?? {}, 'response') ?? {};
  const isAnswer = role === 'assistant';
  // What a run ends with is told to the user; a demonstration is written in the user's name.
  const isEnd = stringOf(entry, 'role') === 'exit';
  return messageOf({
    id: messageId(undefined, line, part, NO_NAMES),
    role: isEnd ? 'assistant' : role,
    kind: isEnd ? 'apiError' : field(entry, 'is_demo') === true ? 'meta' : 'message',
    content,
    line,
    messageId: isAnswer ? filledOf(response, 'id') : undefined,
    model: isAnswer ? filledOf(response, 'model') : undefined,
    usage: isAnswer ? chatUsage(field(response, 'usage')) : undefined,
    isSidechain,
  });
}

function factsOf(value: JsonRecord, info: JsonRecord, steps: readonly JsonRecord[]): SessionFacts {
  const replay = field(value, 'replay_config');
  const parsed = typeof replay === 'string' ? jsonOf(replay) : replay;
  const config = recordOf(info, 'config') ?? (isRecord(parsed) ? (recordOf(parsed, 'agent') ?? parsed) : {});
  const model = recordOf(config, 'model') ?? {};
  const state = field(steps.at(-1) ?? {}, 'state');
  const shown = typeof state === 'string' ? jsonOf(state) : state;
  return {
    agentVersion: filledOf(info, 'swe_agent_version') ?? filledOf(info, 'mini_version'),
    sessionId: filledOf(value, 'instance_id'),
    cwd: (isRecord(shown) ? filledOf(shown, 'working_dir') : undefined) ?? filledOf(recordOf(config, 'environment') ?? {}, 'cwd'),
    model: filledOf(model, 'name') ?? filledOf(model, 'model_name'),
  };
}

/** Sums over all calls; 0 where none was counted. */
function totalsOf(stats: JsonRecord): SessionTotals {
  return {
    responses: sumOf(stats, 'api_calls'),
    inputTokens: sumOf(stats, 'tokens_sent'),
    outputTokens: sumOf(stats, 'tokens_received'),
    cacheReadTokens: 0,
    cacheCreationTokens: 0,
  };
}
