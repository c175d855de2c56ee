import type { Command } from '../command';
import { targetRow } from '../target';

/** Previews a compaction of the row and all that follows; what is before stays. */
export const compactFromHere: Command = async (services, args, signal) => {
  const { page, messageId } = await targetRow(services, args, signal);
  page.tell('preview/show', { request: { kind: 'partialFrom', pivotId: messageId } });
};
