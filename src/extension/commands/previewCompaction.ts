import type { Command } from '../command';
import { targetSession } from '../target';

/** Opens the inspector with the preview of a full compaction. */
export const previewCompaction: Command = async (services) => {
  const { path } = await targetSession(services);
  const page = await services.panels.open(path);
  const keepMessages = services.configuration.current['compaction.keepMessages'];
  page.tell('preview/show', { request: { kind: 'full', keepMessages } });
};
