import type { Message } from '../model/message';
import type { TokenCounter } from '../ports/tokenCounter';
import { countMediaBlocks, estimateConversation } from './conversationEstimate';
import type { TokenEstimate } from './estimateTypes';
import { MEDIA_TOKENS_PER_BLOCK } from './messageTokens';
import { providerJson } from './providerJson';

/** A request whose every part is at hand. */
export interface ProviderRequest {
  readonly messages: readonly Message[];
  /** Text blocks of the system prompt. */
  readonly system: readonly string[];
  readonly tools?: readonly unknown[];
  readonly serverTools?: readonly unknown[];
}

/** Estimates a whole request (seed 2 EstimateProviderRequest): complete unless the free text of a call is missing. */
export function estimateRequest(request: ProviderRequest, counter: TokenCounter): TokenEstimate {
  const { tools = [], serverTools = [] } = request;
  const schemas = { ...(tools.length > 0 ? { tools } : {}), ...(serverTools.length > 0 ? { server_tools: serverTools } : {}) };
  return estimateConversation(request.messages, counter, {
    systemPrompt: counter.count(request.system.join('\n\n')),
    toolSchema: counter.count(providerJson(schemas)),
    media: countMediaBlocks(request.messages) * MEDIA_TOKENS_PER_BLOCK,
  });
}
