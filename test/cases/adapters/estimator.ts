import { heuristicTokens } from '../../../src/core/tokens/charHeuristic';
import { BYTES_PER_FOUR } from '../../../src/core/tokens/calibratedCounter';
import { CALIBRATION } from '../../../src/core/tokens/calibration';
import { countMediaBlocks, estimateConversation } from '../../../src/core/tokens/conversationEstimate';
import type { OverheadKind } from '../../../src/core/tokens/estimateTypes';
import { createEstimator, NEUTRAL_ESTIMATOR } from '../../../src/core/tokens/estimator';
import { MEDIA_TOKENS_PER_BLOCK } from '../../../src/core/tokens/messageTokens';
import type { ContentBlock, Message } from '../../../src/core/model/message';
import { field, numberOf } from '../../../src/core/util/json';
import type { CaseAdapter, CaseCall } from '../caseTypes';

const NEUTRAL_NAMES = {
  systemPrompt: 'system_prompt',
  toolSchema: 'tool_schema',
  toolPayload: 'tool_payload',
  media: 'media',
  protocol: 'protocol',
} as const satisfies Record<OverheadKind, string>;

/** Estimates of messages and conversations. */
export const estimator: CaseAdapter = {
  functions: {
    estimatorScale: ({ messages }) => createEstimator(messages).scale,
    estimateMessageTokens: (call) => {
      const made = field(call.args, 'calibrated') === true ? createEstimator(call.messages) : NEUTRAL_ESTIMATOR;
      return made.tokensOf(messageAt(call));
    },
    estimateConversationTokens: ({ messages }) => {
      const made = createEstimator(messages);
      return messages.reduce((sum, message) => sum + made.tokensOf(message), 0);
    },
    estimateDetailed: ({ messages, args }) => {
      const media = numberOf(args, 'mediaTokens') ?? countMediaBlocks(messages) * MEDIA_TOKENS_PER_BLOCK;
      const overhead = { systemPrompt: numberOf(args, 'systemPromptTokens'), toolSchema: numberOf(args, 'toolSchemaTokens'), media };
      const estimate = estimateConversation(messages, BYTES_PER_FOUR, overhead);
      return {
        messageContentTokens: estimate.messageContent,
        toolPayloadTokens: estimate.toolPayload,
        mediaTokens: estimate.overheads.find(({ kind }) => kind === 'media')?.tokens ?? 0,
        knownTotalTokens: estimate.knownTotal,
        complete: estimate.complete,
        unknownOverheads: estimate.unknown.map((kind) => NEUTRAL_NAMES[kind]),
      };
    },
  },
  properties: {
    P10: ({ messages }) => {
      const { scale } = createEstimator(messages);
      return scale >= CALIBRATION.minScale && scale <= CALIBRATION.maxScale ? undefined : `the scale is ${scale}`;
    },
    P11: ({ messages }) => {
      const made = createEstimator(messages);
      const odd = messages.find((message) => [made.tokensOf(message), heuristicTokens(message)].some((n) => !Number.isInteger(n) || n < 0));
      if (odd !== undefined) return `the estimate of ${odd.id} is no whole number`;
      const longer = messages.find((message) => heuristicTokens(withText(message)) < heuristicTokens(message));
      return longer === undefined ? undefined : 'more text lowers the estimate';
    },
    P12: ({ messages }) => {
      const text = messages.map(withoutMedia).reduce((sum, message) => sum + heuristicTokens(message, 0), 0);
      const whole = messages.reduce((sum, message) => sum + heuristicTokens(message, 1), 0);
      return whole - text === countMediaBlocks(messages) ? undefined : 'media do not cost a flat amount each';
    },
    P13: ({ messages }) => {
      const estimate = estimateConversation(messages, BYTES_PER_FOUR);
      const sum = estimate.overheads.reduce((total, { tokens }) => total + tokens, estimate.messageContent + estimate.toolPayload);
      return !estimate.complete && sum === estimate.knownTotal ? undefined : 'an estimate without its overheads claims to be complete';
    },
  },
};

function messageAt(call: CaseCall): Message {
  const message = call.messages[numberOf(call.args, 'index') ?? 0];
  if (message === undefined) throw new Error('no message at the index');
  return message;
}

function withText(message: Message): Message {
  return { ...message, content: [...message.content, { type: 'text', text: 'more text' }] };
}

function withoutMedia(message: Message): Message {
  return { ...message, content: message.content.flatMap(stripped) };
}

function stripped(block: ContentBlock): readonly ContentBlock[] {
  if (block.type === 'image' || block.type === 'document') return [];
  if (block.type !== 'toolResult' || typeof block.content === 'string') return [block];
  return [{ ...block, content: block.content.flatMap(stripped) }];
}
