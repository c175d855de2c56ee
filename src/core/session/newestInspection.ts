import type { Transcript } from '../model/transcript';
import { sidechainTokens, type MessageSizes } from '../tokens/sizes';
import type { Steps } from '../util/steps';
import { inspectSized, inspectTranscript, largestPrompt, sizesOf, type Inspection, type InspectionSettings } from './inspection';
import { inspectNewestRun, transcriptFrom, type KnownInspection } from './newestRun';
import { OlderMessages } from './olderMessages';

/** Contexts before the present one that are measured with it: they teach the estimates what this session's tokens cost. */
const MEASURED_CONTEXTS = 3;

/**
 * Inspects a long session by its newest contexts. What lies before them is in no context any more: its messages are sized by their length, once,
 * and its largest prompt is kept. So an update costs by the newest contexts and not by the session.
 */
export class NewestInspection {
  readonly #older = new OlderMessages();
  #known: KnownInspection | undefined;

  /**
   * The same as `inspectTranscript` in every number that depends on the context. The first time it looks at all messages, in short pieces; then
   * it is linear in the newest contexts.
   */
  *inspect(transcript: Transcript, settings: InspectionSettings): Steps<Inspection> {
    const from = measuredFrom(transcript, MEASURED_CONTEXTS);
    const before = from === 0 ? 0 : yield* this.#older.largestPromptBefore(transcript, from);
    const newest = transcriptFrom(transcript, from, transcript.context);
    const ofPart = { ...settings, largestPromptBefore: before };
    const sizes = sizesOf(newest, ofPart);
    yield;
    const part = inspectSized(newest, sizes, ofPart);
    yield;
    const sides = yield* sidechainSizes(transcript, part.sizes);
    const largest = Math.max(before, largestPrompt(part.transcript.messages));
    this.#known = { transcript, settings, from, inspection: part, largestPrompt: largest };
    if (from === 0) return { ...part, transcript, sizes: { ...part.sizes, sidechainTokens: sides } };
    yield* this.#older.size(transcript, from, part.sizes.scale);
    return wholeInspection(transcript, from, part, sides, this.#older);
  }

  /**
   * What the present context says of how full the window is, by the sizes of the last inspection where the session has only grown since. It differs
   * from `inspect` in estimates, and its indexes count from a later message.
   */
  inspectContext(transcript: Transcript, settings: InspectionSettings): Inspection {
    const grown = this.#known === undefined ? undefined : inspectNewestRun(this.#known, transcript, settings);
    if (grown !== undefined) return grown;
    const part = transcriptFrom(transcript, measuredFrom(transcript, 0), transcript.context);
    return inspectTranscript(part, { ...settings, largestPromptBefore: this.#known?.largestPrompt ?? 0 });
  }
}

/** First message of the measured part. Everything in the context lies behind it. */
function measuredFrom({ boundaries, context }: Transcript, contextsBefore: number): number {
  let from = boundaries.at(-contextsBefore - 1)?.index ?? 0;
  for (const index of context) from = Math.min(from, index);
  return from;
}

function* sidechainSizes({ sidechains }: Transcript, { sizeOf }: MessageSizes): Steps<readonly number[]> {
  const sizes: number[] = [];
  for (const { messages } of sidechains) {
    sizes.push(sidechainTokens(messages, sizeOf));
    yield;
  }
  return sizes;
}

function wholeInspection(
  transcript: Transcript,
  from: number,
  part: Inspection,
  sidechainTokens: readonly number[],
  older: OlderMessages,
): Inspection {
  const { usage, sizes } = part;
  const before = older.sizes;
  const tokensFrom = (index: number): readonly number[] =>
    index < from ? before.slice(index, from).concat(sizes.tokens) : sizes.tokens.slice(index - from);
  let all: readonly number[] | undefined;
  return {
    ...part,
    transcript,
    sizes: {
      scale: sizes.scale,
      bandOf: sizes.bandOf,
      sizeOf: sizes.sizeOf,
      sidechainTokens,
      get tokens() {
        all ??= tokensFrom(0);
        return all;
      },
    },
    usage: {
      ...usage,
      atIndex: usage.atIndex === undefined ? undefined : usage.atIndex + from,
      tailFrom: usage.reportedTokens === undefined ? usage.tailFrom : usage.tailFrom + from,
    },
    newest: {
      from,
      older: before,
      inspection: part,
      tokensFrom,
      tokensAt: (index) => (index < from ? before[index] : sizes.tokens[index - from]),
      largestBefore: older.largestBefore(from),
    },
  };
}
