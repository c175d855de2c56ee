import { carriesResults, toolResultText, type Message, type ToolResultBlock } from '../model/message';
import { toolNamesById } from '../model/toolNames';
import type { ProofTool } from '../micro/proofs';
import type { TokenCounter } from '../ports/tokenCounter';
import { PERSISTED_OPEN } from '../toolResults/preview';
import type { ReplacementState } from '../toolResults/replacementState';
import { holdsMedia } from '../model/resultBlocks';
import { utf8Length } from '../util/text';
import type { Phase } from './phase';
import { projectableTool, projectionForms } from './rewrites';
import type { Admission, ProjectionTrigger } from './types';

/** A text with its sizes. Tokens are 0 without a counter; the gate then admits nothing. */
export interface SizedText {
  readonly text: string;
  readonly bytes: number;
  readonly tokens: number;
}

/** A result that may be projected, and what would stand in its place. */
export interface Candidate {
  readonly tool: ProofTool;
  readonly toolUseId: string;
  readonly messageIndex: number;
  readonly blockIndex: number;
  readonly original: SizedText;
  readonly projected: SizedText;
  readonly isIndex: boolean;
  /** A smaller form, where there is one. */
  readonly index: SizedText | undefined;
}

/**
 * True when the runtime itself can do what a proposal asks for. Keeping always works; a rewrite or index must be valid and shorter; dropping is
 * never done. Names compare without case (seed 2, ProgressiveToolResultSupportsAction).
 */
export function supportsAction(toolName: string, result: ToolResultBlock, action: string): boolean {
  const wanted = action.trim().toLowerCase();
  if (wanted === 'keep') return true;
  const tool = projectableTool(toolName);
  if (tool === undefined || (wanted !== 'rewrite' && wanted !== 'index')) return false;
  return projectionForms(tool, result)[wanted] !== undefined;
}

/**
 * The results of a phase that may be projected, oldest first, without the newest of each tool, which the model may still work with, and at most
 * as many as the session has left. Never what failed, holds media, is decided already or is kept in a file; nor an id that two calls or two
 * results share, since one decision could not be about both (seed 2, candidates of a projection; P68).
 */
export function projectionCandidates(
  messages: readonly Message[],
  state: ReplacementState,
  admission: Admission,
  { trigger, start, end }: Phase,
): readonly Candidate[] {
  const names = toolNamesById(messages);
  const counts = resultCounts(messages);
  const found: Candidate[] = [];
  messages.slice(0, end).forEach((message, messageIndex) => {
    if (messageIndex < start || !carriesResults(message)) return;
    message.content.forEach((block, blockIndex) => {
      if (block.type !== 'toolResult' || state.replacements.has(block.toolUseId) || counts.get(block.toolUseId) !== 1) return;
      const [name, ...others] = names.get(block.toolUseId) ?? [];
      if (name === undefined || others.length > 0 || !admission.allowsTool(name)) return;
      const tool = projectableTool(name);
      if (tool === undefined || (admission.pressure && tool !== 'Inspect')) return;
      const sizes = candidateSizes(tool, block, admission.counter);
      if (sizes !== undefined) found.push({ tool, toolUseId: block.toolUseId, messageIndex, blockIndex, isIndex: false, ...sizes });
    });
  });
  return withoutNewest(found, trigger).slice(0, Math.max(admission.remainingTools, 0));
}

/** The candidate in its smaller form; itself where it has none (seed 2, index forms). */
export function asIndex(candidate: Candidate): Candidate {
  const { index, projected, isIndex } = candidate;
  if (isIndex || index === undefined || index.bytes >= projected.bytes) return candidate;
  return { ...candidate, projected: index, isIndex: true };
}

function candidateSizes(
  tool: ProofTool,
  block: ToolResultBlock,
  counter: TokenCounter | undefined,
): Pick<Candidate, 'original' | 'projected' | 'index'> | undefined {
  const text = toolResultText(block);
  if (text === '' || holdsMedia(block) || text.startsWith(PERSISTED_OPEN)) return undefined;
  const { rewrite, index } = projectionForms(tool, block);
  if (rewrite === undefined) return undefined;
  const sized = (one: string): SizedText => ({ text: one, bytes: utf8Length(one), tokens: counter?.count(one) ?? 0 });
  return { original: sized(text), projected: sized(rewrite), index: index === undefined ? undefined : sized(index) };
}

function resultCounts(messages: readonly Message[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const message of messages) {
    for (const block of message.content) {
      if (block.type === 'toolResult') counts.set(block.toolUseId, (counts.get(block.toolUseId) ?? 0) + 1);
    }
  }
  return counts;
}

/** Results of Inspect that stay after each trigger; the other tools keep the same number always. */
const NEWEST_INSPECTS: Readonly<Record<ProjectionTrigger, number>> = {
  consumedMutation: 2,
  workingSetPressure: 1,
  workingSetPressureTopUp: 1,
  benefitThreshold: 0,
};

function withoutNewest(candidates: readonly Candidate[], trigger: ProjectionTrigger): readonly Candidate[] {
  const left = new Map<ProofTool, number>([
    ['Inspect', NEWEST_INSPECTS[trigger]],
    ['Run', 2],
    ['ApplyPatch', 1],
  ]);
  return candidates
    .toReversed()
    .filter(({ tool }) => !isProtected(left, tool))
    .reverse();
}

function isProtected(left: Map<ProofTool, number>, tool: ProofTool): boolean {
  const count = left.get(tool) ?? 0;
  left.set(tool, count - 1);
  return count > 0;
}
