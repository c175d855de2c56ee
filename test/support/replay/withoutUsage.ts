import type { Message } from '../../../src/core/model/message';

/** The message as an agent stores it that notes no usage. */
export function withoutUsage(message: Message): Message {
  const { usage, ...plain } = message;
  return usage === undefined ? message : plain;
}
