import { LONG_CONTEXT, plainModelId } from '../model/modelId';
import type { FormatId } from '../model/transcript';
import { isTokenCount } from '../model/usage';
import { modelFacts } from './modelCatalogue';
import { matchingEntry } from './modelGlob';

export type WindowSource = 'transcript' | 'setting' | 'catalogue' | 'assumed';

export interface WindowSize {
  /** Undefined when nobody tells: then nothing is measured against it (R17). */
  readonly tokens: number | undefined;
  readonly source: WindowSource | undefined;
  /** Undefined when unknown; the reserve is then 20,000. */
  readonly maxOutputTokens: number | undefined;
}

export interface WindowQuery {
  /** Window that the transcript states. */
  readonly transcriptTokens?: number | undefined;
  /** Window that the user gave for this session; wins over everything. */
  readonly override?: number | undefined;
  /** Model glob → window, from the settings; the longest pattern that fits wins. */
  readonly overrides?: Readonly<Record<string, number>>;
  /** The model that will answer next. */
  readonly model: string | undefined;
  /** Largest prompt that was reported; a window cannot be smaller. */
  readonly maxReported?: number | undefined;
  readonly format?: FormatId;
  /** Version of the agent's program. */
  readonly agentVersion?: string | undefined;
  /** Largest context that the agent compacted by itself; a window cannot be much larger. */
  readonly largestAutoCompact?: number | undefined;
}

const CLAUDE_WINDOW = 200_000;
const CLAUDE_LONG_WINDOW = 1_000_000;

/**
 * Window of the model that answers next: what the user set, what the transcript states, what is published for the model, and for the Claude
 * family 200,000, or 1,000,000 when the name says so or a reported prompt did not fit. Unknown otherwise. Where a Claude model is used with
 * less than what is published for it, that is assumed (R17).
 */
export function contextWindowFor(query: WindowQuery): WindowSize {
  const { model } = query;
  const plain = model === undefined ? '' : plainModelId(model);
  const facts = modelFacts(plain);
  const found = (tokens: number, source: WindowSource): WindowSize => ({ tokens, source, maxOutputTokens: facts?.maxOutputTokens });
  if (isWindow(query.override)) return found(query.override, 'setting');
  const set = model === undefined ? undefined : matchingEntry(query.overrides ?? {}, model, isWindow);
  if (set !== undefined) return found(set, 'setting');
  if (isWindow(query.transcriptTokens)) return found(query.transcriptTokens, 'transcript');
  if (model?.trim().toLowerCase().endsWith(LONG_CONTEXT) === true) return found(CLAUDE_LONG_WINDOW, 'catalogue');
  const isClaude = plain.startsWith('claude') || (model === undefined && query.format === 'claude-code');
  const known = facts?.windowTokens ?? (isClaude ? CLAUDE_WINDOW : undefined);
  if (known === undefined) return { tokens: undefined, source: undefined, maxOutputTokens: undefined };
  if (isClaude && known > CLAUDE_WINDOW && isUsedWithSmallWindow(query)) return found(CLAUDE_WINDOW, 'assumed');
  // One family is sold with two windows under one name; a prompt that did not fit the smaller one shows which it is.
  if (isClaude && (query.maxReported ?? 0) > known) return found(CLAUDE_LONG_WINDOW, 'assumed');
  return found(known, facts?.windowTokens === undefined ? 'assumed' : 'catalogue');
}

/** From this version on Claude Code uses the larger window without being asked for it: sessions up to 2.1.49 compact below 180,000 tokens. */
const LONG_BY_DEFAULT = [2, 1, 75] as const;

/**
 * True where a model that is sold with a large window is used with the smaller one: nothing larger was ever reported, and the agent has
 * compacted by itself within it, or is Claude Code of a version that took the large window only for ids that end with `[1m]`.
 */
function isUsedWithSmallWindow({ maxReported = 0, largestAutoCompact, format, agentVersion }: WindowQuery): boolean {
  if (maxReported > CLAUDE_WINDOW) return false;
  if (largestAutoCompact !== undefined && largestAutoCompact > 0) return largestAutoCompact <= CLAUDE_WINDOW;
  return format === 'claude-code' && agentVersion !== undefined && isBefore(agentVersion, LONG_BY_DEFAULT);
}

/** Compares the first three numbers of a version; false for one that is not written as three numbers. */
function isBefore(version: string, [major, minor, patch]: readonly [number, number, number]): boolean {
  const found = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})/.exec(version);
  if (found === null) return false;
  const [a, b, c] = [Number(found[1]), Number(found[2]), Number(found[3])];
  return a !== major ? a < major : b !== minor ? b < minor : c < patch;
}

function isWindow(tokens: unknown): tokens is number {
  return isTokenCount(tokens) && tokens > 0;
}
