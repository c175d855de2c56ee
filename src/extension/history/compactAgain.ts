import type { HistoryItem } from '../../node/engine/contract';
import { HostError } from '../hostError';
import type { Services } from '../services';

/** Opens the original with a preview of the same compaction. Rejects with `sourceGone` where it is not there any more. */
export async function compactAgain(services: Services, { view, sourcePath, again }: HistoryItem): Promise<void> {
  if (view.source === 'missing') throw new HostError('sourceGone');
  const page = await services.panels.open(sourcePath);
  page.tell('preview/show', { request: again });
}
