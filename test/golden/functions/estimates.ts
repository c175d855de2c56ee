import type { Message } from '../../../src/core/model/message';
import { BYTES_PER_FOUR, CalibratedCounter } from '../../../src/core/tokens/calibratedCounter';
import { estimateConversation } from '../../../src/core/tokens/conversationEstimate';
import type { OverheadKind, RequestOverhead, TokenEstimate } from '../../../src/core/tokens/estimateTypes';
import { estimateRequest } from '../../../src/core/tokens/requestEstimate';
import { seed2Messages } from '../../support/seed2Messages';
import type { GoldenFunctions } from '../goldenTypes';
import { listInput } from './input';

/** Estimates of seed 2; the vectors were counted with the fallback of a token for every four bytes. */
export const estimateFunctions: GoldenFunctions = {
  'EstimateMessagesDetailed(nil overheads)': (input) => detailed(messagesOf(input), {}),
  'EstimateMessagesDetailed(system=0,tools=0)': (input) => detailed(messagesOf(input), { systemPrompt: 0, toolSchema: 0 }),
  'EstimateMessagesDetailed(system=11,tools=-9,media=0)': (input) =>
    detailed(messagesOf(input), { systemPrompt: 11, toolSchema: -9, media: 0 }),
  'EstimateMessagesDetailed(counter=nil)': () => ({ ...seedEstimate(estimateConversation([], undefined)), overheads: null }),
  "EstimateProviderRequest(system='abcdefghijkl', no tools)": (input) =>
    seedEstimate(estimateRequest({ messages: messagesOf(input), system: ['abcdefghijkl'] }, BYTES_PER_FOUR)),
  CalibratedCounter: () => counterSequence(),
};

function detailed(messages: readonly Message[], overhead: RequestOverhead): unknown {
  return seedEstimate(estimateConversation(messages, BYTES_PER_FOUR, overhead));
}

function messagesOf(input: unknown): readonly Message[] {
  return seed2Messages(listInput(input, 'messages'));
}

const SEED_KINDS = {
  systemPrompt: 'system_prompt',
  toolSchema: 'tool_schema',
  toolPayload: 'tool_payload',
  media: 'media',
  protocol: 'protocol',
} as const satisfies Record<OverheadKind, string>;

/** An estimate under the names of the seed, whose JSON leaves out zeros and empty lists. */
function seedEstimate(estimate: TokenEstimate): Readonly<Record<string, unknown>> {
  return {
    message_content_tokens: estimate.messageContent,
    tool_payload_tokens: estimate.toolPayload,
    overheads: estimate.overheads.map(({ kind, basis, tokens }) => ({
      kind: SEED_KINDS[kind],
      ...(tokens === 0 ? {} : { tokens }),
      basis,
    })),
    known_total_tokens: estimate.knownTotal,
    complete: estimate.complete,
    ...(estimate.unknown.length === 0 ? {} : { unknown_overheads: estimate.unknown.map((kind) => SEED_KINDS[kind]) }),
  };
}

const OBSERVATIONS: readonly (readonly [chars: number, tokens: number])[] = [
  [0, 5],
  [350, 100],
  [-1, 5],
  [100, 100],
  [1000, 10],
];

function counterSequence(): unknown {
  const counter = new CalibratedCounter(0);
  const row = (op: string): unknown => ({
    op,
    ratio: counter.charsPerToken,
    count10: counter.count('abcdefghij'),
    countCJK: counter.count('上下文压'),
  });
  const first = row('new(0)');
  const rest = OBSERVATIONS.map(([chars, tokens]) => {
    counter.observe(chars, tokens);
    return row(`calibrate(${chars},${tokens})`);
  });
  return [first, ...rest];
}
