import type { PlanInput } from '../compaction/planInput';
import type { Transcript } from '../model/transcript';
import type { Inspection } from './inspection';
import { reportedPoints } from './timelinePoints';

/**
 * Sizes of the context that hold to what the provider reported, for what a compaction costs: the first report of this part of the session tells
 * the system prompt and the tools (`unattributedTokens`), and what two reports differ by belongs to the messages between them, hidden reasoning
 * and reminders included, shared out by their estimates, an answer by its recorded size. A later and smaller report shows that something before
 * it was taken out, so no beginning counts as more than the smallest prompt since. Their sum is the tokens in use. Without reports they are the
 * estimates. Linear.
 */
export function costSizes({ transcript, sizes, usage, unattributedTokens }: Inspection): Pick<PlanInput, 'tokens' | 'unattributedTokens'> {
  const anchors = anchorsOf(transcript, sizes.tokens);
  const [first] = anchors;
  if (first === undefined || usage.reportedTokens === undefined) return { tokens: sizes.tokens, unattributedTokens };
  anchors.push({ position: transcript.context.length, tokens: usage.usedTokens, answer: 0 });
  for (let at = anchors.length - 2; at >= 0; at--) {
    const [anchor, next] = [anchors[at], anchors[at + 1]];
    if (anchor !== undefined && next !== undefined) anchor.tokens = Math.min(anchor.tokens, next.tokens);
  }
  const weights = withAnswers(transcript, sizes.tokens, anchors);
  const weightOf = (index: number): number => weights[index] ?? 0;
  const tokens = [...sizes.tokens];
  const opening = transcript.context.slice(0, first.position);
  const system = Math.max(0, first.tokens - opening.reduce((sum, index) => sum + weightOf(index), 0));
  let [position, size] = [0, system];
  for (const anchor of anchors) {
    const between = transcript.context.slice(position, anchor.position);
    if (between.length === 0) continue;
    share(tokens, between, weightOf, anchor.tokens - size);
    [position, size] = [anchor.position, anchor.tokens];
  }
  return { tokens, unattributedTokens: system };
}

/** A number of messages at the front of the context, and the size of the prompt that held just them. */
interface Anchor {
  readonly position: number;
  tokens: number;
  /** Size of the answer to it. */
  readonly answer: number;
}

function anchorsOf(transcript: Transcript, tokens: readonly number[]): Anchor[] {
  const { messages, context, reports, boundaries } = transcript;
  const points = reportedPoints(transcript, tokens, 0);
  // Reports from before the last compaction are of another context.
  const stretch = boundaries.filter(({ index }) => messages[index]?.kind !== 'microBoundary').length;
  const anchors: Anchor[] = [];
  let reportedTo = 0;
  let position = 0;
  for (const point of points) {
    let reply = point.index;
    if (reports !== undefined) {
      // Such a report stands behind its answer, and results may stand between the two.
      reply = reportedTo;
      while (reply < point.index && messages[reply]?.role !== 'assistant') reply++;
      reportedTo = point.index + 1;
    }
    if (point.stretch !== stretch) continue;
    while (position < context.length && (context[position] ?? 0) < reply) position++;
    anchors.push({ position, tokens: point.promptTokens, answer: point.totalTokens - point.promptTokens });
  }
  return anchors;
}

/** The estimates, in which no answer is smaller than was recorded: reasoning that no message shows is in it. */
function withAnswers({ messages, context }: Transcript, tokens: readonly number[], anchors: readonly Anchor[]): readonly number[] {
  const weights = [...tokens];
  anchors.forEach(({ position, answer }, at) => {
    const reply = context.slice(position, anchors[at + 1]?.position ?? position).filter((index) => messages[index]?.role === 'assistant');
    const size = reply.reduce((sum, index) => sum + (tokens[index] ?? 0), 0);
    if (size > 0 && answer > size) for (const index of reply) weights[index] = ((tokens[index] ?? 0) * answer) / size;
  });
  return weights;
}

/** Shares out what a prompt grew by among the messages that it grew by, by their weights; whole numbers that add up. */
function share(tokens: number[], indexes: readonly number[], weightOf: (index: number) => number, grown: number): void {
  const all = indexes.reduce((sum, index) => sum + weightOf(index), 0);
  let seen = 0;
  let given = 0;
  indexes.forEach((index, at) => {
    seen += all > 0 ? weightOf(index) / all : 1 / indexes.length;
    const upTo = at === indexes.length - 1 ? grown : Math.round(seen * grown);
    tokens[index] = upTo - given;
    given = upTo;
  });
}
