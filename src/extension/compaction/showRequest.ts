import type { Services } from '../services';
import type { SharedSession } from '../sessions/sharedSession';
import { editorModelLabel } from '../summarizer/editorModels';
import { openaiLabel } from '../summarizer/openaiSetup';
import { requestText } from '../summarizer/requestText';
import { vscode } from '../vscode';

export interface ShownRequest {
  readonly session: SharedSession;
  readonly planId: string;
  /** All of the user's wishes, as `wishes` joins them. */
  readonly instructions: string;
  /** Who would get the text. */
  readonly receiver: string;
  readonly asksAgain: boolean;
}

/** Opens the exact request of a plan as a document. Sends nothing. Rejects with `staleSource` for a plan that the session has outgrown. */
export async function showRequest(services: Services, shown: ShownRequest, signal: AbortSignal): Promise<vscode.Uri> {
  const { session, planId, instructions, receiver, asksAgain } = shown;
  const { handle } = await session.open();
  const { text, masked } = await services.engine.request('compaction/request', { handle, planId, instructions }, signal);
  const { t } = vscode.l10n;
  return services.requests.show(requestText({ text, masked, receiver, asksAgain }, (message, ...values) => t(message, ...values)));
}

/** Who would get the text by the present settings; `a model` where none is chosen. */
export function receiverName({ configuration }: Services): string {
  const settings = configuration.current;
  const labels = { offline: '', vscode: editorModelLabel(settings), openai: openaiLabel(settings) };
  return labels[settings['summarizer.provider']] || vscode.l10n.t('a model');
}

/** The user's standing wishes for summaries and those for this one, as the model gets them. */
export function wishes(services: Services, own: string): string {
  return [services.configuration.current['summarizer.instructions'], own]
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join('\n\n');
}
