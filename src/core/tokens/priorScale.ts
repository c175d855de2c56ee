import { plainModelId } from '../model/modelId';

/** Tokens of Claude models for each token of o200k_base (and of the bytes heuristic), measured on turns of public sessions. */
const CLAUDE = { before47: 1.16, from47: 1.53 } as const;

const GENERATION = /^claude-[a-z]+-(\d{1,2})(?:-(\d{1,2})(?!\d))?/;

/**
 * Factor on estimates of a model's tokens for as long as the session's own reports say too little: the tokenizer of Claude cuts text finer
 * than the one that is counted with, since generation 4.7 much finer. 1 for other and unknown models.
 */
export function priorScale(model: string | undefined): number {
  const id = model === undefined ? '' : plainModelId(model);
  if (!id.startsWith('claude')) return 1;
  const found = GENERATION.exec(id);
  const major = Number(found?.[1] ?? 0);
  const minor = Number(found?.[2] ?? 0);
  return major > 4 || (major === 4 && minor >= 7) ? CLAUDE.from47 : CLAUDE.before47;
}
