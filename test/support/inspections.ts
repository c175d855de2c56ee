// Conversations in which Inspect, Run and ApplyPatch state what they did, as the loop of seed 2 keeps them.
import type { Message, ToolResultBlock } from '../../src/core/model/message';
import type { Admission } from '../../src/core/projection/types';
import { BYTES_PER_FOUR } from '../../src/core/tokens/calibratedCounter';
import { allowsInspect } from './seed2Projection';

/** A successful Inspect result with `words` words of evidence. */
export function inspectResult(toolUseId: string, words: number): ToolResultBlock {
  const content = 'word '.repeat(words);
  return {
    type: 'toolResult',
    toolUseId,
    content: JSON.stringify({ evidence: [{ path: `src/${toolUseId}.ts`, chunks: [{ content, lines: [1, 40] }] }], requests: [] }),
    outcome: 'succeeded',
    proof: { inspect: { requests: 1, files: 1, matches: 0 } },
  };
}

/** A Run that did all its steps. */
export function runResult(toolUseId: string, words: number): ToolResultBlock {
  const step = { ordinal: 1, status: 'succeeded', exit_code: 0, duration_ms: 1, invoked: true };
  return {
    type: 'toolResult',
    toolUseId,
    content: 'output '.repeat(words),
    outcome: 'succeeded',
    proof: { run: { logical_execution_committed: true, total_duration_ms: 1, steps: [step] } },
  };
}

export interface Step {
  readonly name: string;
  readonly result: ToolResultBlock;
}

/** A request, each step as call and result, and an answer at the end unless `isOpen`. */
export function conversationOf(steps: readonly Step[], isOpen = false): readonly Message[] {
  const messages: Message[] = [said('user', 'start')];
  for (const { name, result } of steps) {
    messages.push(message('assistant', [{ type: 'toolUse', id: result.toolUseId, name, input: {} }]));
    messages.push(message('user', [result]));
  }
  return isOpen ? messages : [...messages, said('assistant', 'done')];
}

/** A cold cache, known prices and room for everything; only a consumed patch opens the gate. */
export const COLD: Admission = {
  enabled: true,
  shadow: false,
  pressure: false,
  benefitTrigger: false,
  counter: BYTES_PER_FOUR,
  rawRequestTokens: 100_000,
  previousCacheReadTokens: 0,
  autoCompactThreshold: 120_000,
  pricing: { inputPerMtok: 5, cacheReadPerMtok: 0.5 },
  minTokenSavings: 2000,
  benefitMinTokenSavings: 0,
  reuseHorizon: 3,
  cacheRecoveryRequests: 2,
  imminentCompactResetsCache: false,
  requireConsumedMutation: false,
  minNetSavingsUsd: 0,
  remainingTools: 24,
  remainingProjectedTokens: 48_000,
  allowsTool: allowsInspect,
};

function said(role: 'user' | 'assistant', text: string): Message {
  return message(role, [{ type: 'text', text }]);
}

function message(role: 'user' | 'assistant', content: Message['content']): Message {
  return { id: 'm', role, kind: 'message', content, line: 0 };
}
