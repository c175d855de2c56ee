import type { Message } from '../model/message';
import { mapResults, withText } from '../model/resultBlocks';
import { utf8Length } from '../util/text';
import { clearableResults, type Clearable } from './compactableTools';
import type { MicrocompactOptions } from './config';

export interface TimeBasedResult {
  /** The view with cleared results; the very list that was given when nothing was cleared. */
  readonly messages: readonly Message[];
  readonly changed: boolean;
  /** Ids whose results were cleared now, oldest first; those of earlier times are not among them. */
  readonly cleared: readonly string[];
  /** Clearable results that stay whole; 0 when nothing was cleared. */
  readonly kept: number;
  /** UTF-8 bytes of what was cleared, and of what stands there now. */
  readonly originalBytes: number;
  readonly compactedBytes: number;
  /** Negative when the marks are longer than what they replace. */
  readonly savedBytes: number;
}

/**
 * Clears all but the newest tool results once the conversation has been idle so long that the provider's cache is cold anyway: the oldest get a
 * mark, those of proof tools their proof. Nothing happens for any source but the main one, without an assistant message, before the idle
 * threshold, or when the time of the last activity is unknown or lies ahead. Doing it again changes nothing (seed 2, MicrocompactWithResult;
 * P65, P66, R49). `now` is in ms since 1970.
 */
export function clearIdleToolResults(messages: readonly Message[], options: MicrocompactOptions, now: number): TimeBasedResult {
  if (!isIdle(messages, options, now)) return unchanged(messages);
  const clearable = clearableResults(messages, options.proofs);
  const old = clearable.slice(0, Math.max(0, clearable.length - keptCount(options.keepRecent)));
  const fresh = old.filter(({ isCleared }) => !isCleared);
  if (fresh.length === 0) return unchanged(messages);
  const originalBytes = sum(fresh, ({ text }) => utf8Length(text));
  const compactedBytes = sum(fresh, ({ replacement }) => utf8Length(replacement));
  return {
    messages: withReplacements(messages, fresh),
    changed: true,
    cleared: fresh.map(({ block }) => block.toolUseId),
    kept: clearable.length - old.length,
    originalBytes,
    compactedBytes,
    savedBytes: originalBytes - compactedBytes,
  };
}

/** Newest results that stay: a whole number of at least 1 (seed 2, keepRecent; P65). */
export function keptCount(keepRecent: number): number {
  return Math.max(1, Math.trunc(keepRecent) || 1);
}

function isIdle(messages: readonly Message[], options: MicrocompactOptions, now: number): boolean {
  const { timeBased, source, idleThresholdMs, lastActivity } = options;
  if (!timeBased || source !== 'main' || !(idleThresholdMs > 0) || lastActivity === undefined) return false;
  // A comparison with NaN is false, so an unreadable time counts as unknown.
  return now - lastActivity >= idleThresholdMs && messages.some(({ role }) => role === 'assistant');
}

function withReplacements(messages: readonly Message[], cleared: readonly Clearable[]): readonly Message[] {
  const texts = new Map(
    cleared.map(({ messageIndex, blockIndex, replacement }) => [`${messageIndex}:${blockIndex}`, replacement] as const),
  );
  return mapResults(messages, (result, messageIndex, blockIndex) => {
    const text = texts.get(`${messageIndex}:${blockIndex}`);
    return text === undefined ? result : withText(result, text);
  });
}

function unchanged(messages: readonly Message[]): TimeBasedResult {
  return { messages, changed: false, cleared: [], kept: 0, originalBytes: 0, compactedBytes: 0, savedBytes: 0 };
}

function sum<T>(items: readonly T[], size: (item: T) => number): number {
  return items.reduce((total, item) => total + size(item), 0);
}
