import { messageFor } from '../../core/errors/messages';
import { shortTokens } from '../l10n/numbers';
import type { Services } from '../services';
import { allowedSummarizer, runParams, type RunInput } from './runCompaction';
import { vscode } from '../vscode';

export interface CopiedPrompt {
  readonly copied: boolean;
  /** What happened, as a sentence. */
  readonly message: string;
}

/** Characters that make a token, about: enough for a sentence. */
const CHARACTERS = 4;

/**
 * Puts the new context of a plan on the clipboard, as a text that any agent can go on from. A model is asked only after the same question as for
 * a copy; nothing is written.
 */
export async function copyAsPrompt(services: Services, input: RunInput, signal: AbortSignal): Promise<CopiedPrompt> {
  const allowed = await allowedSummarizer(services, input, signal);
  if (allowed.outcome !== 'allowed') return { copied: false, message: allowed.message };
  const answer = await services.engine.request('compaction/prompt', runParams(services, input, allowed), signal);
  if (answer.outcome !== 'prompt') return { copied: false, message: answer.message };
  if (signal.aborted) return { copied: false, message: messageFor('aborted') };
  await vscode.env.clipboard.writeText(answer.prompt);
  const size = shortTokens(Math.ceil(answer.prompt.length / CHARACTERS), vscode.env.language);
  return {
    copied: true,
    message: vscode.l10n.t('A prompt of about {0} tokens is on the clipboard. Paste it into any agent to go on.', size),
  };
}
