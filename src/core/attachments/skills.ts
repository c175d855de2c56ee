import { createReminder, REMINDER_ID, reminderBody } from '../boundary/reminderMessage';
import { textOf, type Message } from '../model/message';
import type { AttachmentSource } from '../ports/attachmentSource';
import { oneLine, utf8Length } from '../util/text';
import { hasSucceeded, observedCalls, textInput } from './observedCalls';

/** What may be brought back after one compaction: bodies, and bytes of their reminders together (seed 2). */
export const SKILL_BODY_LIMITS = { count: 5, bytes: 64 * 1024 } as const;

/** Instructions that the agent loaded by naming a skill. */
export interface SkillBody {
  readonly name: string;
  readonly text: string;
  /** The message that holds them. */
  readonly message: Message;
}

/**
 * Reminders of the bodies, in the order of the conversation. The newest are taken first; of one skill only its newest body, and one that does
 * not fit is passed over, so that a large one does not push out all others (seed 2, skills).
 */
export function skillAttachment(bodies: readonly SkillBody[]): readonly Message[] {
  const chosen: (readonly Message[])[] = [];
  const names = new Set<string>();
  let room: number = SKILL_BODY_LIMITS.bytes;
  for (const { name, text } of bodies.toReversed()) {
    if (chosen.length === SKILL_BODY_LIMITS.count) break;
    if (names.has(name)) continue;
    names.add(name);
    const made = createReminder(`${KEY}${name}`, `skill ${name}`, text);
    const bytes = made.reduce((sum, message) => sum + utf8Length(textOf(message)), 0);
    if (made.length === 0 || bytes > room) continue;
    room -= bytes;
    chosen.unshift(made);
  }
  return chosen.flat();
}

/**
 * The bodies that a conversation holds: what the program wrote right behind the answer to the call of a skill, and what we brought back before
 * (seed 2, skills).
 */
export function skillBodies(messages: readonly Message[]): readonly SkillBody[] {
  const calls = new Map(observedCalls(messages).map((call) => [call.id, call]));
  const bodies: SkillBody[] = [];
  const waiting: string[] = [];
  messages.forEach((message, index) => {
    if (message.isSidechain === true) return;
    if (message.kind === 'meta') {
      const name = waiting.shift();
      if (name !== undefined) bodies.push({ name, text: textOf(message), message });
      return;
    }
    const again = broughtBack(message);
    if (again !== undefined) bodies.push(again);
    // A body that did not come before the assistant goes on does not come at all.
    if (message.role === 'assistant') waiting.length = 0;
    for (const block of message.content) {
      const call = block.type === 'toolResult' ? calls.get(block.toolUseId) : undefined;
      if (call?.name !== 'Skill' || call.resultIndex !== index || !hasSucceeded(call)) continue;
      const name = textInput(call, 'skill') ?? textInput(call, 'command');
      if (name !== undefined && name.trim() !== '') waiting.push(oneLine(name, MAX_NAME_UNITS));
    }
  });
  return bodies;
}

/** Brings back the bodies that a compaction takes away; those in the kept messages are there already. */
export const skills: AttachmentSource = {
  id: 'skills',
  collect: ({ messagesAfterBoundary, preservedTail }) => {
    const kept = new Set(skillBodies(preservedTail).map(({ name }) => name));
    const keptMessages = new Set(preservedTail);
    const lost = skillBodies(messagesAfterBoundary).filter(({ name, message }) => !kept.has(name) && !keptMessages.has(message));
    return Promise.resolve(skillAttachment(lost));
  },
};

const KEY = 'skill:';
const MAX_NAME_UNITS = 100;

/** The body in a reminder of ours. */
function broughtBack(message: Message): SkillBody | undefined {
  const prefix = `${REMINDER_ID}${KEY}`;
  if (message.kind !== 'attachment' || !message.id.startsWith(prefix)) return undefined;
  const name = message.id.slice(prefix.length);
  const text = reminderBody(textOf(message), `skill ${name}`);
  return text === undefined ? undefined : { name, text, message };
}
