import type { CompactBoundary } from '../model/boundary';
import type { Message } from '../model/message';
import type { Transcript } from '../model/transcript';
import { messagesFrom } from '../transcript/laterMessages';
import { messageBytes } from '../tokens/charHeuristic';
import { MEDIA_TOKENS_PER_BLOCK } from '../tokens/messageTokens';
import { isUnseen } from '../tokens/sessionSteps';
import { inspectTranscript, largestPrompt, type Inspection, type InspectionSettings } from './inspection';

/** Contexts before the present one that are measured with it: they teach the estimates what this session's tokens cost. */
const MEASURED_CONTEXTS = 3;

/**
 * Inspects a long session by its newest contexts. What lies before them is in no context any more: its messages are sized by their length, once,
 * and its largest prompt is kept. So an update costs by the present context and not by the session.
 */
export class NewestInspection {
  /** Sizes of the messages before the measured part, in tokens. */
  #sizes: number[] = [];
  #sized: readonly Message[] = [];
  #largestPrompt = 0;
  /** Of the whole session, when it was inspected last. */
  #largestOfAll = 0;

  /** The same as `inspectTranscript` in every number that depends on the context; linear in the measured part but for copies of lists. */
  inspect(transcript: Transcript, settings: InspectionSettings): Inspection {
    const from = measuredFrom(transcript, MEASURED_CONTEXTS);
    if (from === 0) return inspectTranscript(transcript, settings);
    this.#forgetIfOther(transcript, from);
    const before = transcript.messages.slice(this.#sizes.length, from);
    this.#largestPrompt = Math.max(this.#largestPrompt, largestPrompt(before));
    const newest = inspectTranscript(newestPart(transcript, from), { ...settings, largestPromptBefore: this.#largestPrompt });
    for (const message of before) this.#sizes.push(isUnseen(message) ? 0 : Math.trunc(roughTokens(message) * newest.sizes.scale));
    this.#sized = transcript.messages;
    this.#largestOfAll = Math.max(this.#largestPrompt, largestPrompt(transcript.messages.slice(from)));
    return wholeInspection(transcript, from, newest, this.#sizes);
  }

  /**
   * Inspects the present context alone: what it says of how full the window is differs from `inspect` in estimates, which then learn from this
   * context only. Its indexes count from the first message of the context.
   */
  inspectContext(transcript: Transcript, settings: InspectionSettings): Inspection {
    const part = newestPart(transcript, measuredFrom(transcript, 0));
    return inspectTranscript(part, { ...settings, largestPromptBefore: this.#largestOfAll });
  }

  /** A file that was written anew has other messages. */
  #forgetIfOther(transcript: Transcript, from: number): void {
    const last = this.#sizes.length - 1;
    if (this.#sizes.length <= from && transcript.messages[last] === this.#sized[last] && transcript.messages[0] === this.#sized[0]) return;
    this.#sizes = [];
    this.#largestPrompt = 0;
  }
}

/** By length alone, and without keeping anything for later. */
function roughTokens(message: Message): number {
  const { bytes, media } = messageBytes(message);
  return bytes / BYTES_PER_TOKEN + media * MEDIA_TOKENS_PER_BLOCK;
}

/** About what a tokenizer makes of code and prose. */
const BYTES_PER_TOKEN = 4;

/** First message of the measured part. Everything in the context lies behind it. */
function measuredFrom({ boundaries, context }: Transcript, contextsBefore: number): number {
  let from = boundaries.at(-contextsBefore - 1)?.index ?? 0;
  for (const index of context) from = Math.min(from, index);
  return from;
}

function newestPart(transcript: Transcript, from: number): Transcript {
  // Field by field: a spread would ask for the list of all messages.
  return {
    format: transcript.format,
    agentVersion: transcript.agentVersion,
    sessionId: transcript.sessionId,
    cwd: transcript.cwd,
    title: transcript.title,
    model: transcript.model,
    windowTokens: transcript.windowTokens,
    sidechains: transcript.sidechains,
    totals: transcript.totals,
    diagnostics: transcript.diagnostics,
    messages: messagesFrom(transcript, from),
    context: transcript.context.map((index) => index - from),
    boundaries: transcript.boundaries.flatMap((boundary) => (boundary.index < from ? [] : [shifted(boundary, from)])),
    reports: transcript.reports?.flatMap((report) =>
      report.afterIndex < from ? [] : [{ ...report, afterIndex: report.afterIndex - from }],
    ),
  };
}

function shifted(boundary: CompactBoundary, from: number): CompactBoundary {
  return { ...boundary, index: boundary.index - from };
}

function wholeInspection(transcript: Transcript, from: number, newest: Inspection, before: readonly number[]): Inspection {
  const { usage, sizes } = newest;
  return {
    ...newest,
    transcript,
    sizes: { ...sizes, tokens: before.concat(sizes.tokens) },
    usage: {
      ...usage,
      atIndex: usage.atIndex === undefined ? undefined : usage.atIndex + from,
      tailFrom: usage.reportedTokens === undefined ? usage.tailFrom : usage.tailFrom + from,
    },
  };
}
