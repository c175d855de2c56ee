import { createReminder } from '../boundary/reminderMessage';
import type { Message } from '../model/message';
import type { AttachmentSource } from '../ports/attachmentSource';
import { observedCalls, programTexts } from './observedCalls';

/** Tools whose descriptions the model gets only when it looks them up. */
export interface DeferredTools {
  /** Looked up before. */
  readonly loaded: readonly string[];
  /** Known by name alone. */
  readonly waiting: readonly string[];
}

/** Both kinds as one reminder; no message without any (seed 2, deferred tools). */
export function deferredToolsAttachment({ loaded, waiting }: DeferredTools): readonly Message[] {
  const parts = [
    loaded.length === 0 ? '' : `Looked up before the compaction: ${loaded.join(', ')}.`,
    waiting.length === 0 ? '' : `Can be looked up: ${waiting.join(', ')}.`,
  ];
  return createReminder('deferred-tools', 'deferred tools', parts.filter((part) => part !== '').join('\n'));
}

/**
 * Tools that answers of the look-up refer to, and names that the program announced for it and has not taken back, each sorted. A list counts
 * when its first line speaks of the look-up and each other line is a name (seed 2, deferred tools).
 */
export function deferredTools(messages: readonly Message[]): DeferredTools {
  const loaded = new Set<string>();
  for (const { name, result } of observedCalls(messages)) {
    if (name !== LOOK_UP || result === undefined || typeof result.content === 'string') continue;
    for (const part of result.content) if (part.type === 'toolReference' && TOOL.test(part.name)) loaded.add(part.name);
  }
  const waiting = new Set<string>();
  for (const text of programTexts(messages)) {
    const [head = '', ...names] = text.split('\n');
    if (!head.includes(LOOK_UP) || names.length === 0 || !names.every((name) => TOOL.test(name))) continue;
    for (const name of names) {
      if (head.includes('no longer')) waiting.delete(name);
      else waiting.add(name);
    }
  }
  return { loaded: [...loaded].sort(), waiting: [...waiting].filter((name) => !loaded.has(name)).sort() };
}

export const deferred: AttachmentSource = {
  id: 'deferredTools',
  collect: ({ originalMessages }) => Promise.resolve(deferredToolsAttachment(deferredTools(originalMessages))),
};

const LOOK_UP = 'ToolSearch';
const TOOL = /^[A-Za-z0-9_-]{1,200}$/;
