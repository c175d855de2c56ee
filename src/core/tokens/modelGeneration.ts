import { plainModelId } from '../model/modelId';
import type { FittedGeneration } from './errorBand';
import { FITTED } from './generationCosts';
import { MESSAGE_OVERHEAD } from './messageTokens';

/** Models that share a tokenizer, as far as their prompts show: Claude since 4.7, Claude before, and all others. */
export type Generation = 'claude47' | 'claude46' | 'other';

const CLAUDE = /^claude-[a-z]+-(\d{1,2})(?:-(\d{1,2})(?!\d))?/;

/** Generation of a model id, with whatever routers put around it. */
export function generationOf(model: string | undefined): Generation {
  const id = model === undefined ? '' : plainModelId(model);
  if (!id.startsWith('claude')) return 'other';
  const found = CLAUDE.exec(id);
  const major = Number(found?.[1] ?? 0);
  const minor = Number(found?.[2] ?? 0);
  return major > 4 || (major === 4 && minor >= 7) ? 'claude47' : 'claude46';
}

/** The numbers of a generation. Of others only the count itself is known, and the protocol overhead of seed 2. */
export function fittedGeneration(generation: Generation): FittedGeneration {
  return generation === 'other' ? OTHER : FITTED[generation];
}

const { message, block, toolPart } = MESSAGE_OVERHEAD;
const OTHER: FittedGeneration = {
  cost: { token: 1, char: 0, message, block, call: block + toolPart, result: block + toolPart, hiddenThinking: 0 },
  band: { knownReply: 50, guessedReply: 50, later: 0.25, reply: 0.25, hiddenThinking: 0 },
};
