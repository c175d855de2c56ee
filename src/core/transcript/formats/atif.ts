import type { ContentBlock, Message } from '../../model/message';
import type { SessionTotals } from '../../model/transcript';
import type { Usage } from '../../model/usage';
import { arrayOf, field, isRecord, recordOf, stringOf, type JsonRecord } from '../../util/json';
import { toWellFormed } from '../../util/text';
import { messageId, messageOf } from '../assemble';
import type { SourceRecord } from '../lineReader';
import { MAX_BLOCKS, textBlock, unknownBlock } from './anthropicBlocks';
import { callBlock } from './session';
import { filledOf, sumOf, timeOf } from './fields';
import { FoldCollector } from './foldCollector';
import type { TranscriptFormat } from './format';
import { inclusiveUsage } from './inclusiveUsage';
import { noTrajectory, trajectoryTranscript, type Trajectory } from './trajectory';

/** Trajectories in the ATIF form of Harbor: one JSON document. */
export const atif: TranscriptFormat = {
  id: 'atif',
  agent: 'ATIF trajectory',
  recognise: (sample) => (sample.some(isTrajectory) ? 1 : 0),
  collect: () => new FoldCollector(trajectoryOf, (records, damage, names) => trajectoryTranscript('atif', records, damage, names)),
};

const NO_NAMES = new Set<string>();

function isTrajectory(value: unknown): value is JsonRecord {
  return isRecord(value) && (stringOf(value, 'schema_version') ?? '').startsWith('ATIF-v');
}

function trajectoryOf({ value, line, part }: SourceRecord): Trajectory | ReturnType<typeof noTrajectory> {
  if (!isTrajectory(value)) return noTrajectory(line);
  const agent = recordOf(value, 'agent') ?? {};
  const messages = stepMessages(value, line, part, false);
  const isTold = messages.some(({ usage }) => usage !== undefined);
  return {
    line,
    messages,
    sidechains: (arrayOf(value, 'subagent_trajectories') ?? []).filter(isRecord).map((chain, at) => {
      return { id: filledOf(chain, 'session_id') ?? `subagent ${at + 1}`, messages: stepMessages(chain, line, part, true) };
    }),
    facts: { sessionId: filledOf(value, 'session_id'), agentVersion: filledOf(agent, 'version'), model: filledOf(agent, 'model_name') },
    totals: isTold ? undefined : totalsOf(recordOf(value, 'final_metrics') ?? {}),
  };
}

function stepMessages(trajectory: JsonRecord, line: number, part: number, isSidechain: boolean): readonly Message[] {
  const steps = (arrayOf(trajectory, 'steps') ?? []).filter(isRecord);
  const model = filledOf(recordOf(trajectory, 'agent') ?? {}, 'model_name');
  return steps.flatMap((step, at): readonly Message[] => {
    const id = messageId(undefined, line, part + at, NO_NAMES);
    // What was copied from the run before says nothing about this context's size.
    const isInherited = field(step, 'is_copied_context') === true;
    const place = { id, line, timestamp: timeOf(step, 'timestamp'), isInherited, isSidechain };
    const source = stringOf(step, 'source');
    const isAgent = source === 'agent';
    const said = messageOf({
      ...place,
      role: isAgent ? 'assistant' : source === 'system' ? 'system' : 'user',
      kind: 'message',
      content: isAgent ? [...thinking(step), ...parts(field(step, 'message')), ...calls(step)] : parts(field(step, 'message')),
      model: isAgent ? (filledOf(step, 'model_name') ?? model) : undefined,
      usage: isAgent && !isInherited ? stepUsage(recordOf(step, 'metrics') ?? {}) : undefined,
    });
    const results = resultBlocks(step);
    if (results.length === 0) return [said];
    const role = results.every((block) => block.type === 'toolResult') ? 'tool' : 'user';
    return [said, messageOf({ ...place, id: `${id}#results`, role, kind: role === 'tool' ? 'message' : 'meta', content: results })];
  });
}

function thinking(step: JsonRecord): readonly ContentBlock[] {
  const text = stringOf(step, 'reasoning_content') ?? '';
  return text === '' ? [] : [{ type: 'thinking', text: toWellFormed(text) }];
}

function parts(message: unknown): readonly ContentBlock[] {
  if (typeof message === 'string') return message === '' ? [] : [textBlock(message)];
  if (!Array.isArray(message)) return message === undefined || message === null ? [] : [unknownBlock('message', message)];
  return message.slice(0, MAX_BLOCKS).map((part: unknown): ContentBlock => {
    const text = isRecord(part) ? stringOf(part, 'text') : undefined;
    if (text !== undefined) return textBlock(text);
    if (!isRecord(part)) return unknownBlock('part', part);
    const type = stringOf(part, 'type') ?? 'part';
    const mediaType = filledOf(recordOf(part, 'source') ?? {}, 'media_type');
    return type === 'image' ? { type, ...(mediaType === undefined ? {} : { mediaType }) } : unknownBlock(type, part);
  });
}

function calls(step: JsonRecord): readonly ContentBlock[] {
  return (arrayOf(step, 'tool_calls') ?? []).slice(0, MAX_BLOCKS).map((call) => {
    const id = isRecord(call) ? filledOf(call, 'tool_call_id') : undefined;
    const name = isRecord(call) ? filledOf(call, 'function_name') : undefined;
    return !isRecord(call) || id === undefined || name === undefined
      ? unknownBlock('tool_call', call)
      : callBlock(id, name, field(call, 'arguments'));
  });
}

/** Results of calls; what is observed without a call is text. */
function resultBlocks(step: JsonRecord): readonly ContentBlock[] {
  const results = (arrayOf(recordOf(step, 'observation') ?? {}, 'results') ?? []).slice(0, MAX_BLOCKS).filter(isRecord);
  return results.flatMap((result): readonly ContentBlock[] => {
    const content = parts(field(result, 'content'));
    const toolUseId = filledOf(result, 'source_call_id');
    const [first] = content;
    if (toolUseId === undefined) return content;
    return [{ type: 'toolResult', toolUseId, content: content.length === 1 && first?.type === 'text' ? first.text : content }];
  });
}

function stepUsage(metrics: JsonRecord): Usage | undefined {
  const [prompt, cached, output] = [field(metrics, 'prompt_tokens'), field(metrics, 'cached_tokens'), field(metrics, 'completion_tokens')];
  return inclusiveUsage({ prompt, cached, output });
}

function totalsOf(metrics: JsonRecord): SessionTotals {
  const cacheReadTokens = sumOf(metrics, 'total_cached_tokens');
  return {
    responses: sumOf(metrics, 'total_steps'),
    inputTokens: Math.max(sumOf(metrics, 'total_prompt_tokens') - cacheReadTokens, 0),
    outputTokens: sumOf(metrics, 'total_completion_tokens'),
    cacheReadTokens,
    cacheCreationTokens: 0,
  };
}
