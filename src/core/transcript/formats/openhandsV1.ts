import type { ContentBlock } from '../../model/message';
import { field, isRecord, recordOf, stringOf, type JsonRecord } from '../../util/json';
import type { SessionFacts } from '../transcriptDraft';
import { textBlock } from './anthropicBlocks';
import { callBlock } from './session';
import { countOf, filledOf, sumOf, titleOf } from './fields';
import {
  answeredBy,
  condensed,
  partsOf,
  saidBy,
  thinkingOf,
  type EventPlace,
  type OpenHandsEvent,
  type OpenHandsStats,
} from './openhandsEvent';

/** Translates an event of the OpenHands SDK; other kinds tell the program's own state. */
export function sdkEvent(event: JsonRecord, place: EventPlace): OpenHandsEvent {
  switch (stringOf(event, 'kind')) {
    case 'SystemPromptEvent':
      return saidBy(place, 'system', partsOf(field(event, 'system_prompt')));
    case 'MessageEvent':
      return messageEvent(event, place);
    case 'ActionEvent':
      return actionEvent(event, place);
    case 'ObservationEvent':
      return observationEvent(event, place);
    case 'UserRejectObservation':
      return answeredBy(place, stringOf(event, 'tool_call_id') ?? '', stringOf(event, 'rejection_reason') ?? '', true);
    case 'AgentErrorEvent':
      return answeredBy(place, stringOf(event, 'tool_call_id') ?? '', stringOf(event, 'error') ?? '', true);
    case 'ConversationErrorEvent':
      return saidBy(place, 'assistant', partsOf(filledOf(event, 'detail') ?? filledOf(event, 'code')), 'apiError');
    case 'Condensation':
      return condensed(place, event);
    case 'ConversationStateUpdateEvent':
      return stateEvent(event, place);
    default:
      return { eventId: place.eventId, line: place.line };
  }
}

/** Facts and sums that the state of a conversation holds, stored beside its events or told by one. */
export function stateFacts(state: JsonRecord): { readonly facts: SessionFacts; readonly stats: OpenHandsStats | undefined } {
  const stats = recordOf(state, 'stats');
  const usages = stats === undefined ? [] : usagesIn(stats);
  const agent = recordOf(state, 'agent') ?? {};
  const facts: SessionFacts = {
    sessionId: filledOf(state, 'id'),
    title: titleOf(state, 'title'),
    cwd: filledOf(recordOf(state, 'workspace') ?? {}, 'working_dir'),
    model: filledOf(recordOf(agent, 'llm') ?? {}, 'model'),
    windowTokens: usages[0] === undefined ? undefined : countOf(usages[0], 'context_window'),
  };
  return { facts, stats: stats === undefined ? undefined : statsOf(usages) };
}

function messageEvent(event: JsonRecord, place: EventPlace): OpenHandsEvent {
  const message = recordOf(event, 'llm_message') ?? {};
  const isAnswer = stringOf(message, 'role') === 'assistant';
  const content = [...thinkingOf(message), ...partsOf(field(message, 'content')), ...partsOf(field(event, 'extended_content'))];
  return withResponse(saidBy(place, isAnswer ? 'assistant' : 'user', content), event);
}

function actionEvent(event: JsonRecord, place: EventPlace): OpenHandsEvent {
  const call = recordOf(event, 'tool_call') ?? {};
  const inner = recordOf(call, 'function') ?? call;
  const id = filledOf(event, 'tool_call_id') ?? filledOf(call, 'id') ?? place.id;
  const name = filledOf(event, 'tool_name') ?? filledOf(inner, 'name') ?? '';
  const input = field(inner, 'arguments') ?? field(event, 'action');
  const content: readonly ContentBlock[] = [...thinkingOf(event), ...partsOf(field(event, 'thought')), callBlock(id, name, input)];
  return withResponse(saidBy(place, 'assistant', content), event);
}

/** Calls that one response made share its id. */
function withResponse(said: OpenHandsEvent, event: JsonRecord): OpenHandsEvent {
  const messageId = filledOf(event, 'llm_response_id');
  if (said.message?.role !== 'assistant' || messageId === undefined) return said;
  return { ...said, message: { ...said.message, messageId } };
}

function observationEvent(event: JsonRecord, place: EventPlace): OpenHandsEvent {
  const observation = recordOf(event, 'observation') ?? {};
  const parts = partsOf(field(observation, 'content') ?? field(observation, 'output') ?? field(observation, 'text'));
  const content = parts.length > 0 ? parts : [textBlock(JSON.stringify(observation))];
  const [first] = content;
  const isError = field(observation, 'is_error') === true || field(observation, 'error') === true;
  return answeredBy(
    place,
    stringOf(event, 'tool_call_id') ?? '',
    content.length === 1 && first?.type === 'text' ? first.text : content,
    isError,
  );
}

function stateEvent(event: JsonRecord, place: EventPlace): OpenHandsEvent {
  const key = stringOf(event, 'key') ?? '';
  const value = recordOf(event, 'value');
  const { eventId, line } = place;
  if (value === undefined) return { eventId, line };
  if (key === 'full_state') return { eventId, line, ...stateFacts(value) };
  return key === 'stats' || key === 'agent' || key === 'workspace' ? { eventId, line, ...stateFacts({ [key]: value }) } : { eventId, line };
}

/** Usage by use, that of the agent itself first. */
function usagesIn(stats: JsonRecord): readonly JsonRecord[] {
  const uses = Object.entries(recordOf(stats, 'usage_to_metrics') ?? {});
  const own = uses.filter(([use]) => use === 'agent' || use === 'default');
  return [...own, ...uses.filter((use) => !own.includes(use))].flatMap(([, metrics]) => {
    const usage = isRecord(metrics) ? recordOf(metrics, 'accumulated_token_usage') : undefined;
    return usage === undefined ? [] : [usage];
  });
}

function statsOf(usages: readonly JsonRecord[]): OpenHandsStats {
  const sum = (key: string): number => usages.reduce((total, usage) => total + sumOf(usage, key), 0);
  return {
    input: sum('prompt_tokens'),
    output: sum('completion_tokens'),
    cacheRead: sum('cache_read_tokens'),
    cacheWrite: sum('cache_write_tokens'),
    contextTokens: usages[0] === undefined ? undefined : countOf(usages[0], 'per_turn_token'),
  };
}
