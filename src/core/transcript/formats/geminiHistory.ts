import type { Message } from '../../model/message';
import { promptTokens } from '../../model/usage';
import { isSameValue } from '../sameMessage';
import type { GeminiEntry } from './geminiRecord';
import { Replay } from './replay';

/** The list of messages between two compactions. */
interface Stretch {
  /** True when a compaction began it, in contrast to the session's start. */
  readonly isCompacted: boolean;
  readonly entries: GeminiEntry[];
  /** How many of the entries the compaction stated; the others came after it. */
  stated: number;
  places: Map<string, number>;
}

export interface PlayedHistory {
  readonly replay: Replay;
  /** Each message once, those that were taken back included. */
  readonly spent: readonly Message[];
  /** Messages that were taken back. */
  readonly abandoned: number;
}

/** Applies the changes of a session's log to its list of messages. */
export class GeminiHistory {
  readonly #stretches: Stretch[] = [stretchOf([], false)];
  /** Newest version of each message. */
  readonly #known = new Map<string, GeminiEntry>();

  /** Adds a message, or replaces the one with its key in its place. */
  put(entry: GeminiEntry): void {
    const stretch = this.#last();
    const place = stretch.places.get(entry.key);
    const newest = this.#remember(entry);
    if (place !== undefined) stretch.entries[place] = newest;
    else stretch.places.set(entry.key, stretch.entries.push(newest) - 1);
  }

  /** Takes back the message with this key and all after it; all of them when it is not there, as the agent does. */
  rewind(key: string): void {
    const stretch = this.#last();
    const place = stretch.places.get(key) ?? 0;
    for (const entry of stretch.entries.splice(place)) stretch.places.delete(entry.key);
    stretch.stated = Math.min(stretch.stated, place);
  }

  /** Replaces the whole list. It is a compaction when it holds a summary that the list did not hold before. */
  replace(entries: readonly GeminiEntry[]): void {
    const stretch = this.#last();
    const isCompaction =
      stretch.entries.length > 0 && entries.some((entry, at) => !stretch.places.has(entry.key) && isSummary(entries, at));
    const list = entries.map((entry) => this.#remember(entry));
    if (isCompaction) this.#stretches.push(stretchOf(list, true));
    else
      this.#stretches[this.#stretches.length - 1] = {
        ...stretchOf(list, stretch.isCompacted),
        stated: Math.min(stretch.stated, list.length),
      };
  }

  /** Plays the stretches one after the other. */
  played(): PlayedHistory {
    const replay = new Replay();
    const shown = new Set<string>();
    for (const stretch of this.#stretches) {
      for (const { key } of stretch.entries) shown.add(key);
      const { entries } = stretch;
      const stated = stretch.isCompacted ? stretch.stated : statedByCopy(entries);
      const boundary = entries.find((_, at) => isSummary(entries, at))?.mark;
      if (stated > 0 && boundary !== undefined) {
        replay.compact({
          boundary,
          history: messagesOf(entries.slice(0, stated)),
          trigger: 'unknown',
          preTokens: lastContext(replay.messages),
        });
      }
      for (const message of messagesOf(entries.slice(boundary === undefined ? 0 : stated))) replay.add(message);
    }
    const spent = [...this.#known.values()].map(({ message }) => message);
    return { replay, spent, abandoned: this.#known.size - shown.size };
  }

  #last(): Stretch {
    return this.#stretches.at(-1) ?? stretchOf([], false);
  }

  /** A checkpoint repeats answers without their usage; the version that has it stays. */
  #remember(entry: GeminiEntry): GeminiEntry {
    const earlier = this.#known.get(entry.key);
    const stays =
      earlier !== undefined &&
      ((earlier.message.usage !== undefined && entry.message.usage === undefined) ||
        (isSameValue(earlier.message.content, entry.message.content) && isSameValue(earlier.message.usage, entry.message.usage)));
    const newest = stays ? earlier : entry;
    this.#known.set(entry.key, newest);
    return newest;
  }
}

function stretchOf(list: readonly GeminiEntry[], isCompacted: boolean): Stretch {
  const entries: GeminiEntry[] = [];
  const places = new Map<string, number>();
  for (const entry of list) {
    const place = places.get(entry.key);
    if (place === undefined) places.set(entry.key, entries.push(entry) - 1);
    else entries[place] = entry;
  }
  return { isCompacted, entries, stated: entries.length, places };
}

/** The program writes the summary in the user's name, and its own thanks in the model's: an answer of a model has usage. */
function isSummary(entries: readonly GeminiEntry[], at: number): boolean {
  return entries[at]?.inPair?.kind === 'summary' && entries[at + 1]?.inPair?.kind === 'meta';
}

/** A session that begins with a summary, or with messages and then one, is a compacted copy. Up to the thanks it was stated at once. */
function statedByCopy(entries: readonly GeminiEntry[]): number {
  const summary = entries.findLastIndex((_, at) => isSummary(entries, at));
  return summary < 0 ? 0 : summary + 2;
}

/** Messages in order, each answer followed by the results inside it that no message carries. */
function messagesOf(entries: readonly GeminiEntry[]): readonly Message[] {
  const carried = new Set<string>();
  for (const { message } of entries) for (const block of message.content) if (block.type === 'toolResult') carried.add(block.toolUseId);
  return entries.flatMap(({ message: own, inPair, results }, at): readonly Message[] => {
    const message = inPair !== undefined && (isSummary(entries, at) || isSummary(entries, at - 1)) ? inPair : own;
    if (results === undefined) return [message];
    const missing = results.content.filter((block) => block.type !== 'toolResult' || !carried.has(block.toolUseId));
    if (missing.length === results.content.length) return [message, results];
    return missing.some((block) => block.type === 'toolResult') ? [message, { ...results, content: missing }] : [message];
  });
}

function lastContext(messages: readonly Message[]): number | undefined {
  const usage = messages.findLast((message) => message.usage !== undefined)?.usage;
  return usage === undefined ? undefined : promptTokens(usage) + usage.outputTokens;
}
