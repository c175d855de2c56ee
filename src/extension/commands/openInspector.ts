import type { Command } from '../command';
import { filePathArgument } from '../fileArgument';
import { targetSession } from '../target';

/** Opens the inspector on the given file, else on the current session. */
export const openInspector: Command = async (services, [file]) => {
  const path = filePathArgument(file) ?? (await targetSession(services)).path;
  await services.panels.open(path);
};
