import type { Command } from '../command';
import { targetRow } from '../target';

/** Previews a compaction of all that is before the row; the row and what follows stay. */
export const compactUpToHere: Command = async (services, args, signal) => {
  const { page, messageId } = await targetRow(services, args, signal);
  page.tell('preview/show', { request: { kind: 'partialUpTo', pivotId: messageId } });
};
