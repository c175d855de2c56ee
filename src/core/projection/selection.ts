import { decide } from './admission';
import { asIndex, type Candidate } from './candidates';
import type { Admission, BatchSize } from './types';

/**
 * The part of the candidates that is worth projecting. Under pressure the oldest that pay, else all of them with ever more indexes in the place
 * of rewrites, oldest first; for a benefit the newest that pay, so that as little as possible of the cache is touched; else, and where nothing
 * pays, all of them (seed 2).
 */
export function selectBatch(candidates: readonly Candidate[], admission: Admission): readonly Candidate[] {
  if (admission.pressure) return pressureBatch(candidates, admission);
  if (!admission.benefitTrigger) return candidates;
  let saved = 0;
  for (let start = candidates.length - 1; start >= 0; start--) {
    const candidate = candidates[start];
    if (candidate === undefined) continue;
    saved += savingOf(candidate);
    if (isAdmitted(admission, saved, candidate)) return candidates.slice(start);
  }
  return candidates;
}

/** Tokens of the request before the first change of a batch. */
export function stablePrefixOf({ stablePrefixTokens }: Admission, first: Candidate | undefined): number {
  return first === undefined || stablePrefixTokens === undefined ? 0 : stablePrefixTokens(first.messageIndex, first.toolUseId);
}

/** The sizes of a batch. */
export function batchSize(batch: readonly Candidate[]): BatchSize {
  const sum = (of: (candidate: Candidate) => number): number => batch.reduce((total, candidate) => total + of(candidate), 0);
  const indexedTools = batch.filter(({ isIndex }) => isIndex).length;
  return {
    projectedTools: batch.length,
    rewrittenTools: batch.length - indexedTools,
    indexedTools,
    originalBytes: sum(({ original }) => original.bytes),
    projectedBytes: sum(({ projected }) => projected.bytes),
    originalTokens: sum(({ original }) => original.tokens),
    projectedTokens: sum(({ projected }) => projected.tokens),
    tokensSaved: sum(savingOf),
  };
}

function pressureBatch(candidates: readonly Candidate[], admission: Admission): readonly Candidate[] {
  const [first] = candidates;
  let saved = 0;
  for (const [index, candidate] of candidates.entries()) {
    saved += savingOf(candidate);
    if (isAdmitted(admission, saved, first)) return candidates.slice(0, index + 1);
  }
  const batch = [...candidates];
  for (const [index, candidate] of candidates.entries()) {
    const smaller = asIndex(candidate);
    if (smaller === candidate) continue;
    batch[index] = smaller;
    saved += savingOf(smaller) - savingOf(candidate);
    if (isAdmitted(admission, saved, first)) return batch;
  }
  return batch;
}

function isAdmitted(admission: Admission, tokensSaved: number, first: Candidate | undefined): boolean {
  return decide(admission, { tokensSaved, stablePrefixTokens: stablePrefixOf(admission, first) }).decision.admit;
}

function savingOf({ original, projected }: Candidate): number {
  return original.tokens - projected.tokens;
}
