import { summaryPrompt, type SummaryPrompt } from '../prompts/summaryPrompt';
import type { SummaryRequest } from '../ports/summarizer';
import { maskMessages, type MessageSecret } from './maskMessages';
import { maskSecrets } from './maskSecrets';

/** What leaves the machine when a model is asked for a summary: these two texts and nothing else of the session. */
export interface OutgoingRequest extends SummaryPrompt {
  /** Of both texts, in UTF-16 units. */
  readonly characters: number;
  /** What was masked, each with its message; the user's wish has the id ''. */
  readonly secrets: readonly MessageSecret[];
}

/** The exact request for a summary, with likely secrets masked. Pure, so that it can be shown before it is sent. `nonce` is as for `summaryPrompt`. */
export function outgoingRequest(request: SummaryRequest, nonce: string): OutgoingRequest {
  const { messages, secrets } = maskMessages(request.messages);
  const wish = maskSecrets(request.instructions);
  const prompt = summaryPrompt({ ...request, messages, instructions: wish.text }, nonce);
  return {
    ...prompt,
    characters: prompt.system.length + prompt.user.length,
    secrets: [...secrets, ...wish.secrets.map((secret) => ({ ...secret, messageId: '' }))],
  };
}
