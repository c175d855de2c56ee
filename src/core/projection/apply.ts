import type { Message } from '../model/message';
import { withDecisions, type ReplacementRecord, type ReplacementState } from '../toolResults/replacementState';
import { mapResults, withText } from '../model/resultBlocks';
import { admitBatch, keep } from './admission';
import { projectionCandidates, type Candidate } from './candidates';
import { phaseOf } from './phase';
import { batchSize, selectBatch, stablePrefixOf } from './selection';
import type { Admission, ProjectionResult } from './types';

/**
 * Projects consumed tool results of a provider view, in which earlier replacements are in force already. Admitted ones are frozen in the new
 * state and never change again; whatever is kept leaves messages and state as they came. With both triggers the early benefit is tried first,
 * and then the pressure alone (seed 2, ApplyProgressiveToolResultProjection).
 */
export function projectToolResults(messages: readonly Message[], state: ReplacementState, admission: Admission): ProjectionResult {
  if (admission.benefitTrigger && admission.pressure) {
    const early = projectOnce(messages, state, { ...admission, pressure: false });
    const isShadow = !early.decision.admit && early.decision.reason === 'shadow';
    return early.changed || isShadow ? early : projectOnce(messages, state, { ...admission, benefitTrigger: false });
  }
  return projectOnce(messages, state, admission);
}

function projectOnce(messages: readonly Message[], state: ReplacementState, admission: Admission): ProjectionResult {
  const phase = admission.enabled ? phaseOf(messages, state, admission) : undefined;
  const candidates = phase === undefined ? [] : projectionCandidates(messages, state, admission, phase);
  const unchanged: ProjectionResult = {
    messages,
    state,
    records: [],
    changed: false,
    decision: keep('disabled'),
    trigger: undefined,
    size: batchSize([]),
    evaluation: undefined,
  };
  if (phase === undefined || candidates.length === 0) return unchanged;
  const batch = selectBatch(candidates, admission);
  const size = batchSize(batch);
  const change = { tokensSaved: size.tokensSaved, stablePrefixTokens: stablePrefixOf(admission, batch[0]) };
  const answer = admitBatch(admission, change, size.projectedTokens);
  const measured = { ...unchanged, ...answer, trigger: phase.trigger, size };
  return answer.decision.admit ? installed(measured, batch) : measured;
}

function installed(result: ProjectionResult, batch: readonly Candidate[]): ProjectionResult {
  const texts = new Map(batch.map(({ toolUseId, projected }) => [toolUseId, projected.text]));
  const records = batch.map(({ toolUseId, projected }): ReplacementRecord => ({
    kind: 'tool-result',
    toolUseId,
    replacement: projected.text,
  }));
  const messages = mapResults(result.messages, (block) => {
    const text = texts.get(block.toolUseId);
    return text === undefined ? block : withText(block, text);
  });
  return { ...result, messages, state: withDecisions(result.state, texts.keys(), records), records, changed: true };
}
