import type { Command } from '../command';
import { pickHistoryItem } from '../history/historyItems';
import { resumeInTerminal } from '../history/resumeTerminal';
import { targetSession } from '../target';

/** Continues the agent from a compacted copy, in a terminal. */
export const runResumeCommand: Command = async (services) => {
  const item = await pickHistoryItem(services, await targetSession(services), ({ view }) => view.resume !== null);
  if (item !== undefined) await resumeInTerminal(item);
};
