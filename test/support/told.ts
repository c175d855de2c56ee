// A transcript in few words, so that a person can check what stands beside a fixture.
import { textOf, type ContentBlock, type Message } from '../../src/core/model/message';
import type { Transcript } from '../../src/core/model/transcript';
import { contextUsage } from '../../src/core/window/contextUsage';

/** What is told of a transcript, as JSON keeps it. */
export function toldTranscript(transcript: Transcript): unknown {
  const { messages, context, boundaries, sidechains, reports, totals, diagnostics } = transcript;
  const { format, agentVersion, sessionId, cwd, title, model } = transcript;
  const isSent = new Set(context);
  const sizes = messages.map(() => 0);
  const told = {
    session: { format, agentVersion, sessionId, cwd, title, model },
    messages: messages.map((message, index) => `${index}${isSent.has(index) ? '' : ' (not sent)'} ${toldMessage(message)}`),
    context: context.join(' '),
    boundaries: boundaries.map(({ index, trigger, preTokens, postTokens, summaryId, preservedSegment }) => {
      return {
        index,
        trigger,
        preTokens,
        postTokens,
        summary: messages.findIndex(({ id }) => id === summaryId),
        kept: preservedSegment?.count,
      };
    }),
    sidechains: sidechains.map((chain) => [chain.id, ...chain.messages.map(toldMessage)]),
    reports: reports?.map(
      ({ afterIndex, contextTokens, isAgentEstimate }) => `${contextTokens} after ${afterIndex}${isAgentEstimate ? ' (own estimate)' : ''}`,
    ),
    reported: contextUsage(transcript, sizes).reportedTokens,
    totals: Object.values(totals).join(' '),
    diagnostics: diagnostics.map(({ code, line }) => `${code}@${line}`),
  };
  return JSON.parse(JSON.stringify(told));
}

function toldMessage(message: Message): string {
  const words = textOf(message).slice(0, 32).split('\n')[0] ?? '';
  const blocks = message.content.filter((block) => block.type !== 'text').map(toldBlock);
  const numbers = message.usage === undefined ? [] : [`(${Object.values(message.usage).join(' ')})`];
  return [`${message.role} ${message.kind}`, words, ...blocks, ...numbers].filter((part) => part !== '').join(' | ');
}

function toldBlock(block: ContentBlock): string {
  if (block.type === 'toolUse') return `call ${block.name} ${block.id}`;
  if (block.type === 'toolResult') {
    const text = typeof block.content === 'string' ? block.content.slice(0, 24) : `${block.content.length} blocks`;
    return `result ${block.toolUseId}${block.isError === true ? ' failed' : ''} ${text}`;
  }
  if (block.type === 'thinking') return `thinks ${block.text.slice(0, 12)}`;
  return block.type === 'unknown' ? `unknown ${block.originalType}` : block.type;
}
