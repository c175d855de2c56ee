// A summary of a summary loses twice. Where the messages behind an earlier summary are to be had, they are summarized in its place.
import type { Message } from '../model/message';
import type { PlanInput } from './planInput';

/** The messages at some indexes, in order, with the originals in the place of each summary whose originals are known. */
export function originalsAt(
  { messages, originals }: Pick<PlanInput, 'messages' | 'originals'>,
  indexes: readonly number[],
): readonly Message[] {
  return indexes.flatMap((index) => originals?.get(index) ?? messages[index] ?? []);
}

/** True when a summary among some indexes stands for messages that are known. */
export function hasOriginals({ originals }: Pick<PlanInput, 'originals'>, indexes: readonly number[]): boolean {
  return originals !== undefined && indexes.some((index) => originals.has(index));
}

/** True when some indexes hold an earlier summary whose originals are not known, so that it would itself be summarized. */
export function holdsBareSummary({ messages, originals }: Pick<PlanInput, 'messages' | 'originals'>, indexes: readonly number[]): boolean {
  return indexes.some((index) => messages[index]?.kind === 'summary' && originals?.has(index) !== true);
}

/** Most tokens that a summary of originals may have: clearly fewer than what it replaces in the context, whatever the originals weigh. */
export function largestReplacement(tokensSummarized: number): number {
  return Math.max(1, Math.floor(tokensSummarized * LARGEST_SHARE));
}

const LARGEST_SHARE = 0.6;
