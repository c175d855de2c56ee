import type { Command } from '../command';
import { compareTexts } from '../history/comparison';
import { pickHistoryItem } from '../history/historyItems';
import { targetSession } from '../target';

/** Shows the texts of original and copy side by side. */
export const compareCompaction: Command = async (services, _args, signal) => {
  const session = await targetSession(services);
  const item = await pickHistoryItem(services, session, ({ view }) => view.copy !== 'missing' && view.source !== 'missing');
  if (item !== undefined) await compareTexts(services, session, item, signal);
};
