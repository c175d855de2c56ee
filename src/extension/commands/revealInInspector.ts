import type { Command } from '../command';
import { targetRow } from '../target';

/** Shows the message of the cursor's line in the inspector beside the text. */
export const revealInInspector: Command = async (services, args, signal) => {
  const { page, messageId, index } = await targetRow(services, args, signal);
  page.tell('row/reveal', { messageId, ...(index === undefined ? {} : { index }) });
};
