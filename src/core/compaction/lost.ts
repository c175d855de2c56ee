// What a compaction dropped: facts of the summarized messages that neither the summary nor the kept messages state any more.
import type { Message } from '../model/message';
import { readFileStatements } from './offline/fileStatements';
import { lostCandidates, type Candidate, type LostKind } from './lostFacts';
import { createLostIndex, type LostIndex } from './lostIndex';
import { messageTexts } from './messageTexts';

export type { LostKind } from './lostFacts';

export interface LostItem {
  readonly kind: LostKind;
  /** As it stands in the message, so that it can be put back as a quotation. */
  readonly value: string;
  /** Message in which it stood, the first one where there are several. */
  readonly messageId: string;
}

export interface LostInput {
  readonly summarized: readonly Message[];
  /** All that stands for them now: the summary with the words around it. */
  readonly summary: string;
  readonly kept: readonly Message[];
}

/**
 * Lists what was lost, each thing once: requests and constraints of the user, files, commands, errors, addresses, names and numbers of what was
 * said and of short results. A thing inside of a longer one that is listed is not listed for itself. Long outputs are bulk and count by
 * their error alone. In the order of kinds, then of the transcript. Linear.
 */
export function lostItems({ summarized, summary, kept }: LostInput): readonly LostItem[] {
  const candidates = lostCandidates(summarized);
  const all = [...candidates.whole, ...candidates.parts];
  const index = createLostIndex(summary, messageTexts(kept), {
    names: valuesOf(all, NAMES),
    files: valuesOf(all, FILES),
    phrases: valuesOf(all, PHRASES),
  });
  const stated = new Set(readFileStatements(summary).map(({ path }) => path));
  const items: LostItem[] = [];
  const taken = new Set<string>();
  const add = ({ kind, value, messageId }: Candidate): void => {
    if (taken.has(value)) return;
    taken.add(value);
    items.push({ kind, value, messageId });
  };
  // A place of the transcript whose loss is told already.
  const told = new Set<string>();
  for (const candidate of candidates.whole) {
    if (isThere(candidate, index, stated)) continue;
    add(candidate);
    told.add(candidate.place);
  }
  for (const candidate of candidates.parts) {
    if (!told.has(candidate.place) && !isThere(candidate, index, stated)) add(candidate);
  }
  return KIND_ORDER.flatMap((kind) => items.filter((item) => item.kind === kind));
}

function isThere({ kind, value, test }: Candidate, index: LostIndex, stated: ReadonlySet<string>): boolean {
  switch (kind) {
    case 'file':
      return stated.has(value) || index.hasFile(value, test === 'exact');
    case 'url':
    case 'identifier':
    case 'number':
      return index.hasName(value);
    case 'command':
    case 'error':
      return index.hasPhrase(value);
    case 'constraint':
      return index.hasPhrase(value) || index.tells(value, CONSTRAINT_SHARE);
    case 'request':
      return index.hasPhrase(value) || index.tells(value, REQUEST_SHARE);
  }
}

function valuesOf(candidates: readonly Candidate[], kinds: ReadonlySet<LostKind>): readonly string[] {
  return candidates.flatMap(({ kind, value }) => (kinds.has(kind) ? value : []));
}

const NAMES: ReadonlySet<LostKind> = new Set(['url', 'identifier', 'number']);
const FILES: ReadonlySet<LostKind> = new Set(['file']);
const PHRASES: ReadonlySet<LostKind> = new Set(['command', 'error', 'constraint', 'request']);
const KIND_ORDER = [
  'constraint',
  'request',
  'file',
  'command',
  'error',
  'url',
  'identifier',
  'number',
] as const satisfies readonly LostKind[];
/** Share of a sentence's words that one paragraph must hold for the sentence to count as told in other words. */
const CONSTRAINT_SHARE = 0.8;
const REQUEST_SHARE = 0.7;
