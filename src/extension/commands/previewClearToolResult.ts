import type { Command } from '../command';
import { targetRow } from '../target';

/** Shows the tool results that can be cleared, with those of the row ticked. */
export const previewClearToolResult: Command = async (services, args, signal) => {
  const { page, messageId } = await targetRow(services, args, signal);
  page.tell('preview/show', { request: { kind: 'micro', pivotId: messageId } });
};
