import { carriesResults, type Message } from '../model/message';
import { toolNamesById } from '../model/toolNames';
import type { ReplacementState } from '../toolResults/replacementState';
import { projectableTool } from './rewrites';
import type { Admission, ProjectionTrigger } from './types';

/** Which results may be looked at: those of messages from `start` and before `end`. */
export interface Phase {
  readonly trigger: ProjectionTrigger;
  readonly start: number;
  readonly end: number;
}

/**
 * Finds what the model has consumed. A result stays whole until a later response has seen it; a successful patch that was seen closes a phase of
 * work, so that what was read for it is no longer needed in full. Undefined when nothing may be projected: no response yet, the latest patch
 * failed, a patch is required and there is none, or the one early projection of a session was made (seed 2).
 */
export function phaseOf(messages: readonly Message[], state: ReplacementState, admission: Admission): Phase | undefined {
  const response = latestResponse(messages);
  if (response <= 0) return undefined;
  const { pressure, benefitTrigger, requireConsumedMutation } = admission;
  const patch = latestPatch(messages, response);
  if (patch !== undefined && !patch.succeeded) return undefined;
  if (patch === undefined && (requireConsumedMutation || !(pressure || benefitTrigger))) return undefined;
  const frozen = frozenResults(messages, state);
  if (benefitTrigger && !pressure) {
    if (frozen.hasInspect) return undefined;
    return { trigger: 'benefitThreshold', start: frozen.lastIndex + 1, end: response };
  }
  if (patch !== undefined) return { trigger: 'consumedMutation', start: 0, end: patch.messageIndex };
  return { trigger: frozen.hasInspect ? 'workingSetPressureTopUp' : 'workingSetPressure', start: 0, end: response };
}

/**
 * Where the latest response of the model begins; -1 when there is none. The fragments of one response count as one, since a result between them
 * was not seen by any of them. An error that a program wrote in the model's name is no response.
 */
function latestResponse(messages: readonly Message[]): number {
  const last = messages.findLastIndex(isResponse);
  const id = messages[last]?.messageId;
  if (id === undefined) return last;
  return messages.findIndex((message) => isResponse(message) && message.messageId === id);
}

function isResponse({ role, kind, isCompactionReply }: Message): boolean {
  return role === 'assistant' && kind === 'message' && isCompactionReply !== true;
}

function latestPatch(
  messages: readonly Message[],
  end: number,
): { readonly messageIndex: number; readonly succeeded: boolean } | undefined {
  const names = toolNamesById(messages);
  for (let messageIndex = end - 1; messageIndex >= 0; messageIndex--) {
    const message = messages[messageIndex];
    if (message === undefined || !carriesResults(message)) continue;
    const block = message.content.findLast(
      (one) => one.type === 'toolResult' && names.get(one.toolUseId)?.some((name) => projectableTool(name) === 'ApplyPatch') === true,
    );
    if (block?.type === 'toolResult') return { messageIndex, succeeded: block.outcome === 'succeeded' && block.isError !== true };
  }
  return undefined;
}

function frozenResults(
  messages: readonly Message[],
  { replacements }: ReplacementState,
): { readonly hasInspect: boolean; readonly lastIndex: number } {
  const names = toolNamesById(messages);
  let hasInspect = false;
  let lastIndex = -1;
  messages.forEach((message, messageIndex) => {
    if (!carriesResults(message)) return;
    for (const block of message.content) {
      if (block.type !== 'toolResult' || !replacements.has(block.toolUseId)) continue;
      lastIndex = messageIndex;
      hasInspect ||= names.get(block.toolUseId)?.some((name) => projectableTool(name) === 'Inspect') === true;
    }
  });
  return { hasInspect, lastIndex };
}
