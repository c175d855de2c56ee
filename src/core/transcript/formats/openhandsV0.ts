import type { ContentBlock } from '../../model/message';
import { arrayOf, field, isRecord, recordOf, stringOf, type JsonRecord } from '../../util/json';
import { textBlock } from './anthropicBlocks';
import { callBlock } from './session';
import { filledOf } from './fields';
import { chatUsage } from './openaiChat';
import { answeredBy, condensed, partsOf, saidBy, type EventPlace, type OpenHandsEvent } from './openhandsEvent';

/** Events that tell the program's own state. */
const UNSEEN = new Set([
  '',
  'null',
  'change_agent_state',
  'agent_state_changed',
  'recall',
  'condensation_request',
  'loop_recovery',
  'task_tracking',
]);

/** Translates an event of OpenHands before its SDK: an action, or the observation that it caused. */
export function oldEvent(event: JsonRecord, place: EventPlace): OpenHandsEvent {
  const observation = stringOf(event, 'observation');
  if (observation !== undefined) return observed(event, observation, place);
  const action = stringOf(event, 'action') ?? '';
  const args = recordOf(event, 'args') ?? {};
  const isUser = stringOf(event, 'source') === 'user';
  if (action === 'system') {
    const facts = { agentVersion: filledOf(args, 'openhands_version') };
    return { ...saidBy(place, 'system', partsOf(field(args, 'content'))), facts };
  }
  if (action === 'condensation') return condensed(place, args);
  if (UNSEEN.has(action)) return { eventId: place.eventId, line: place.line };
  if (action === 'message') {
    const images = (arrayOf(args, 'image_urls') ?? []).map((): ContentBlock => ({ type: 'image' }));
    const content = [...partsOf(field(args, 'content')), ...images];
    return isUser ? saidBy(place, 'user', content) : answer(event, content, place);
  }
  if (isUser) return saidBy(place, 'user', partsOf(field(event, 'message')), 'meta');
  return answer(event, actionContent(event, action, args, place), place);
}

function actionContent(event: JsonRecord, action: string, args: JsonRecord, place: EventPlace): readonly ContentBlock[] {
  const thought = filledOf(args, 'thought');
  const call = recordOf(event, 'tool_call_metadata');
  const id = (call === undefined ? undefined : filledOf(call, 'tool_call_id')) ?? nameOf(place.eventId);
  const name = (call === undefined ? undefined : filledOf(call, 'function_name')) ?? action;
  const text = action === 'think' ? undefined : thought;
  return [...(text === undefined ? [] : [textBlock(text)]), callBlock(id, name, callInput(call, id) ?? args)];
}

/** Without calls of the provider's kind an observation belongs to the action that it names as its cause. */
function nameOf(eventId: string): string {
  return `event ${eventId}`;
}

function responseOf(event: JsonRecord): JsonRecord {
  return recordOf(recordOf(event, 'tool_call_metadata') ?? {}, 'model_response') ?? {};
}

/** Arguments as the model wrote them, which its response holds. */
function callInput(call: JsonRecord | undefined, id: string): unknown {
  const choice: unknown = arrayOf(recordOf(call ?? {}, 'model_response') ?? {}, 'choices')?.[0];
  const calls = isRecord(choice) ? (arrayOf(recordOf(choice, 'message') ?? {}, 'tool_calls') ?? []) : [];
  const own = calls.find((one) => isRecord(one) && stringOf(one, 'id') === id);
  return isRecord(own) ? field(recordOf(own, 'function') ?? {}, 'arguments') : undefined;
}

function answer(event: JsonRecord, content: readonly ContentBlock[], place: EventPlace): OpenHandsEvent {
  const said = saidBy(place, 'assistant', content);
  const response = responseOf(event);
  const [messageId, model, usage] = [filledOf(response, 'id'), filledOf(response, 'model'), chatUsage(field(response, 'usage'))];
  if (said.message === undefined) return said;
  return {
    ...said,
    message: {
      ...said.message,
      ...(messageId === undefined ? {} : { messageId }),
      ...(model === undefined ? {} : { model }),
      ...(usage === undefined ? {} : { usage }),
    },
  };
}

function observed(event: JsonRecord, observation: string, place: EventPlace): OpenHandsEvent {
  const extras = recordOf(event, 'extras') ?? {};
  if (observation === 'recall') return saidBy(place, 'user', recalled(extras), 'attachment');
  const cause = field(event, 'cause');
  const id = filledOf(recordOf(event, 'tool_call_metadata') ?? {}, 'tool_call_id');
  if (id === undefined && (UNSEEN.has(observation) || typeof cause !== 'number')) return { eventId: place.eventId, line: place.line };
  const shell = recordOf(extras, 'metadata') ?? {};
  const text = [stringOf(shell, 'prefix'), stringOf(event, 'content'), stringOf(shell, 'suffix')].join('');
  const failed = observation === 'error' || observation === 'user_rejected' || field(event, 'success') === false;
  return answeredBy(place, id ?? nameOf(String(cause)), text, failed);
}

/** What is added to the prompt: instructions of the repository, and pieces of knowledge that a word brought up. */
function recalled(extras: JsonRecord): readonly ContentBlock[] {
  const knowledge = (arrayOf(extras, 'microagent_knowledge') ?? []).map((piece) =>
    isRecord(piece) ? filledOf(piece, 'content') : undefined,
  );
  const texts = [filledOf(extras, 'repo_instructions'), filledOf(extras, 'additional_agent_instructions'), ...knowledge];
  return texts.flatMap((text) => (text === undefined ? [] : [textBlock(text)]));
}
