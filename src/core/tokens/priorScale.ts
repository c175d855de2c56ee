import { generationOf } from './modelGeneration';

/** Tokens of a generation for each token of the bytes heuristic, measured on turns of public sessions. */
const FACTORS = { claude47: 1.53, claude46: 1.16, other: 1 } as const;

/** Factor on the bytes heuristic for a model, for as long as the session's own reports say too little. 1 for other and unknown models. */
export function priorScale(model: string | undefined): number {
  return FACTORS[generationOf(model)];
}
