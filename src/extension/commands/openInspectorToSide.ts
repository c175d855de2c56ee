import type { Command } from '../command';
import { filePathArgument } from '../fileArgument';
import { targetSession } from '../target';

/** Opens the inspector beside, on the given file (the icon of a transcript's editor gives it), else on the current session. */
export const openInspectorToSide: Command = async (services, [file]) => {
  const path = filePathArgument(file) ?? (await targetSession(services)).path;
  await services.panels.open(path, { toSide: true });
};
