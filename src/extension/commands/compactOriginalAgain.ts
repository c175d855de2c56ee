import type { Command } from '../command';
import { compactAgain } from '../history/compactAgain';
import { pickHistoryItem } from '../history/historyItems';
import { targetSession } from '../target';

/** Opens the original of a copy with a preview of the same compaction, so that it can be done otherwise. */
export const compactOriginalAgain: Command = async (services) => {
  const item = await pickHistoryItem(services, await targetSession(services), ({ view }) => view.source !== 'missing');
  if (item !== undefined) await compactAgain(services, item);
};
