import type { Message } from '../model/message';
import type { Transcript } from '../model/transcript';
import { isTurnStart } from '../model/turn';
import { heldToReports, type MessageSizes } from '../tokens/sizes';
import { messagesFrom } from '../transcript/laterMessages';
import { knownShared, messageAt, messageCount } from '../transcript/lineage';
import { inspectSized, largestPrompt, windowOf, type Inspection, type InspectionSettings } from './inspection';

/** What was inspected last of a long session. */
export interface KnownInspection {
  readonly transcript: Transcript;
  readonly settings: InspectionSettings;
  /** Of the messages from one on, whose indexes it counts from there. */
  readonly from: number;
  readonly inspection: Inspection;
  /** Of the whole session. */
  readonly largestPrompt: number;
}

/**
 * Inspects the newest turn of a context that has only grown since it was inspected, which is all that its newest report and what follows it depend
 * on: so the gauge after an append costs by that turn and not by the context. Undefined where more has changed.
 */
export function inspectNewestRun(known: KnownInspection, transcript: Transcript, settings: InspectionSettings): Inspection | undefined {
  const before = known.transcript;
  const { usage, window, sizes } = known.inspection;
  const isSame = known.settings === settings && before.model === transcript.model && before.boundaries === transcript.boundaries;
  if (!isSame || transcript.reports !== undefined) return undefined;
  const count = messageCount(before);
  if (knownShared(before, transcript) !== count) return undefined;
  const { context } = transcript;
  // Without a report all of the context counts.
  let first = usage.atIndex === undefined ? 0 : context.lastIndexOf(usage.atIndex + known.from);
  while (first > 0 && !opensRun(messageAt(transcript, context[first] ?? 0))) first--;
  const run = context.slice(Math.max(0, first));
  const from = run.reduce((least, index) => Math.min(least, index), count);
  if (first < 0 || from < known.from) return undefined;
  const part = transcriptFrom(transcript, from, run);
  const largest = largestPrompt(part.messages.slice(count - from));
  const next = largest > known.largestPrompt ? windowOf(known.inspection.transcript, settings, largest) : window;
  return inspectSized(part, grownSizes(sizes, sizes.tokens.slice(from - known.from), part.messages), settings, next);
}

/** The messages from one on as a transcript of their own, without side chains. `context` are indexes of the whole. */
export function transcriptFrom(transcript: Transcript, from: number, context: readonly number[]): Transcript {
  let first = transcript.boundaries.length;
  while (first > 0 && (transcript.boundaries[first - 1]?.index ?? -1) >= from) first--;
  // Field by field: a spread would ask for the list of all messages.
  return {
    format: transcript.format,
    agentVersion: transcript.agentVersion,
    sessionId: transcript.sessionId,
    cwd: transcript.cwd,
    title: transcript.title,
    model: transcript.model,
    windowTokens: transcript.windowTokens,
    sidechains: [],
    totals: transcript.totals,
    diagnostics: transcript.diagnostics,
    messages: messagesFrom(transcript, from),
    context: context.map((index) => index - from),
    boundaries: transcript.boundaries.slice(first).map((boundary) => ({ ...boundary, index: boundary.index - from })),
    reports: transcript.reports?.flatMap((report) =>
      report.afterIndex < from ? [] : [{ ...report, afterIndex: report.afterIndex - from }],
    ),
  };
}

/** Sizes of messages of which the first ones are known: the new ones are measured by the same fit. */
function grownSizes(sizes: MessageSizes, known: readonly number[], messages: readonly Message[]): MessageSizes {
  // Fragments of one answer share its recorded output, so where an answer goes on they are held to it anew.
  const from = goesOn(messages, known.length) ? 0 : known.length;
  const later = messages.slice(from);
  return { ...sizes, tokens: known.slice(0, from).concat(heldToReports(later, later.map(sizes.sizeOf))) };
}

/** True when a message from an index on is a fragment of an answer that began before it. */
function goesOn(messages: readonly Message[], from: number): boolean {
  const later = new Set<string>();
  for (let index = from; index < messages.length; index++) {
    const id = messages[index]?.messageId;
    if (id !== undefined) later.add(id);
  }
  for (let index = from - 1; index >= 0 && later.size > 0; index--) {
    const message = messages[index];
    if (message?.messageId !== undefined && later.has(message.messageId)) return true;
  }
  return false;
}

function opensRun(message: Message | undefined): boolean {
  return message !== undefined && message.isSidechain !== true && isTurnStart(message);
}
