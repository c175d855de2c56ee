import type { Command } from '../command';
import { targetSession } from '../target';

/** Opens the inspector with the tool results that can be cleared. */
export const previewMicroCompaction: Command = async (services) => {
  const { path } = await targetSession(services);
  const page = await services.panels.open(path);
  page.tell('preview/show', { request: { kind: 'micro' } });
};
