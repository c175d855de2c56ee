import type { Command } from '../command';
import { revealMessageText } from '../editor/revealMessageText';
import { targetRow } from '../target';

/** Shows the row's line in the transcript's text. */
export const revealInTranscript: Command = async (services, args, signal) => {
  const { session, messageId } = await targetRow(services, args, signal);
  await revealMessageText(services, session, messageId, signal);
};
