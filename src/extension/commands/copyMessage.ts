import type { Command } from '../command';
import { targetRow } from '../target';
import { vscode } from '../vscode';

/** Puts the row's text on the clipboard, exactly as it is stored. */
export const copyMessage: Command = async (services, args, signal) => {
  const { session, messageId } = await targetRow(services, args, signal);
  const { handle } = await session.open();
  const { text } = await services.engine.request('message/read', { handle, messageId }, signal);
  await vscode.env.clipboard.writeText(text);
};
