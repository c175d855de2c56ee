// Properties of clearing old results (P01, P65, P66), on cases and on generated conversations.
import { isDeepStrictEqual } from 'node:util';
import { findViolations } from '../../src/core/cut/invariants';
import { isToolResult, type Message } from '../../src/core/model/message';
import { CLEARED_TEXT } from '../../src/core/micro/compactableTools';
import type { MicrocompactOptions } from '../../src/core/micro/config';
import { clearIdleToolResults } from '../../src/core/micro/timeBased';

const CLEARABLE: ReadonlySet<string> = new Set(['Read', 'Bash', 'Grep', 'Glob', 'WebSearch', 'WebFetch', 'Write', 'Edit']);

/** P01: clearing tears no pair. */
export function pairsProperty(messages: readonly Message[], options: MicrocompactOptions, now: number): string | undefined {
  const after = clearIdleToolResults(messages, options, now).messages;
  return isDeepStrictEqual(findViolations(after), findViolations(messages)) ? undefined : 'a pair was torn';
}

/** P65, without proofs: idempotent; the oldest are cleared; the newest stay, one at least; all else is untouched. */
export function clearingProperty(messages: readonly Message[], options: MicrocompactOptions, now: number): string | undefined {
  const once = clearIdleToolResults(messages, options, now);
  const twice = clearIdleToolResults(once.messages, options, now);
  if (twice.changed || twice.messages !== once.messages) return 'a second run changes something';
  const before = results(messages);
  const after = results(once.messages);
  if (before.length !== after.length) return 'a result is gone';
  const names = toolNames(messages);
  const isClearable = (id: string): boolean => names.get(id)?.every((name) => CLEARABLE.has(name)) ?? false;
  const positions = before.flatMap(({ toolUseId }, at) => (isClearable(toolUseId) ? [at] : []));
  const isNew = (at: number): boolean => before[at]?.content !== after[at]?.content;
  const changed = before.flatMap((_, at) => (isNew(at) ? [at] : []));
  if (changed.some((at) => !positions.includes(at))) return 'a result of another tool was cleared';
  if (changed.some((at) => after[at]?.content !== CLEARED_TEXT)) return 'a result became something else than the mark';
  const keep = Math.min(Math.max(1, Math.trunc(options.keepRecent) || 1), positions.length);
  if (positions.slice(positions.length - keep).some(isNew)) return `one of the newest ${keep} was cleared`;
  const old = positions.slice(0, positions.length - keep);
  if (once.changed && old.some((at) => after[at]?.content !== CLEARED_TEXT)) return 'an old result stayed, a newer one was cleared';
  if (once.cleared.length !== changed.length) return 'the count of cleared results is wrong';
  return isDeepStrictEqual(withoutResults(messages), withoutResults(once.messages)) ? undefined : 'something besides results changed';
}

/** P66: nothing happens unless the source is the main one and the conversation is known to have been idle long enough. */
export function idleProperty(messages: readonly Message[], options: MicrocompactOptions, now: number): string | undefined {
  const idle = now - (options.lastActivity ?? NaN);
  const mayClear = options.timeBased && options.source === 'main' && options.idleThresholdMs > 0 && idle >= options.idleThresholdMs;
  const { changed, messages: after } = clearIdleToolResults(messages, options, now);
  return !mayClear && (changed || after !== messages)
    ? 'something was cleared too early, for another source, or at an unknown time'
    : undefined;
}

function results(messages: readonly Message[]): ReturnType<typeof resultsOf> {
  return messages.filter(({ role }) => role === 'user' || role === 'tool').flatMap(resultsOf);
}

function resultsOf(message: Message) {
  return message.content.filter(isToolResult);
}

function withoutResults(messages: readonly Message[]): readonly Message[] {
  return messages.map((message) => ({
    ...message,
    content: message.content.map((block) => (block.type === 'toolResult' ? { ...block, content: '', plainText: '' } : block)),
  }));
}

function toolNames(messages: readonly Message[]): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const block of messages.flatMap(({ content }) => content)) {
    if (block.type === 'toolUse') names.set(block.id, [...(names.get(block.id) ?? []), block.name]);
  }
  return names;
}
