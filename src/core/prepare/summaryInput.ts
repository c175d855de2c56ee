import type { Message } from '../model/message';
import { stripMedia } from './stripMedia';

type MessageProjection = (messages: readonly Message[]) => readonly Message[];

/** What is done to messages before a summarizer sees them, in this order. */
const SUMMARY_INPUT: readonly MessageProjection[] = [withoutMarks, withoutThinking, (messages) => stripMedia(messages), withoutEmpty];

/**
 * Prepares messages for a summarizer: no compaction marks, no side chains (R26), no thinking (left out whole, so that no signature is ever
 * parted from its text, R06), markers in the place of media (R30). The stored messages are not touched.
 */
export function prepareSummaryInput(messages: readonly Message[]): readonly Message[] {
  return SUMMARY_INPUT.reduce((prepared, project) => project(prepared), messages);
}

function withoutMarks(messages: readonly Message[]): readonly Message[] {
  return messages.filter(({ kind, isSidechain }) => kind !== 'boundary' && kind !== 'microBoundary' && isSidechain !== true);
}

function withoutThinking(messages: readonly Message[]): readonly Message[] {
  return messages.map((message) => {
    if (!message.content.some((block) => block.type === 'thinking')) return message;
    return { ...message, content: message.content.filter((block) => block.type !== 'thinking') };
  });
}

function withoutEmpty(messages: readonly Message[]): readonly Message[] {
  return messages.filter((message) => message.content.length > 0);
}
