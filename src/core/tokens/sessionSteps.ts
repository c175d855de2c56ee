import type { Message } from '../model/message';
import type { Transcript } from '../model/transcript';
import { promptTokens } from '../model/usage';
import { anchorStep, type CalibrationStep } from './calibration';
import { isPlaceholder } from './replySize';
import { responsesOf } from './responses';

/** Estimate of one message before calibration. */
export interface BaseSize {
  readonly tokens: number;
  readonly hiddenThinking: number;
}

/**
 * What calibration sees of a session: one list of steps for each stretch between boundaries, since the reports on the two sides of one belong
 * to different contexts. `base` holds the uncalibrated estimate of each message.
 */
export function sessionSteps(transcript: Transcript, base: readonly BaseSize[]): readonly (readonly CalibrationStep[])[] {
  return transcript.reports === undefined ? stepsByResponses(transcript, base) : stepsByReports(transcript, base);
}

/**
 * One anchor for each response, at its first fragment: tool results that stand between the fragments were not in its prompt. The fragments
 * are left out, for the report counts them. Some old agents recorded only the first few tokens of a stream as output; then the fragments stay
 * in as content that the next report tells the size of.
 */
function stepsByResponses({ messages }: Transcript, base: readonly BaseSize[]): CalibrationStep[][] {
  const anchors = new Map<number, CalibrationStep>();
  const reported = new Set<number>();
  const guessed = new Set<number>();
  for (const { indexes, usage } of responsesOf(messages)) {
    const first = indexes[0] ?? -1;
    if (usage === undefined || !(promptTokens(usage) > 0)) continue;
    const content = indexes.reduce((sum, index) => sum + (base[index]?.tokens ?? 0), 0);
    const isGuessed = isPlaceholder(usage.outputTokens, content);
    const kept = isGuessed ? { ...usage, outputTokens: 0, reasoningTokens: 0 } : usage;
    anchors.set(first, anchorStep(kept, messages[first]?.model));
    for (const index of indexes) (isGuessed ? guessed : reported).add(index);
  }
  const stretches = new Stretches();
  messages.forEach((message, index) => {
    if (message.kind === 'boundary') stretches.next();
    const anchor = anchors.get(index);
    if (anchor !== undefined) stretches.add(anchor);
    if (isUnseen(message) || reported.has(index)) return;
    const { tokens = 0, hiddenThinking = 0 } = base[index] ?? {};
    stretches.add(guessed.has(index) ? { kind: 'content', tokens, isReply: true, hiddenThinking } : { kind: 'content', tokens });
  });
  return stretches.all;
}

/** The counts that the file states apart (Codex) as anchors. The assistant's own items are part of the reports and left out. */
function stepsByReports({ messages, reports = [] }: Transcript, base: readonly BaseSize[]): CalibrationStep[][] {
  const stretches = new Stretches();
  let next = 0;
  let model = '';
  for (const { afterIndex, contextTokens, outputTokens, isAgentEstimate } of reports) {
    for (; next < Math.min(afterIndex, messages.length); next++) {
      const message = messages[next];
      if (message === undefined) continue;
      model = message.model ?? model;
      if (message.kind === 'boundary') stretches.next();
      else if (message.role !== 'assistant' && !isUnseen(message)) stretches.add({ kind: 'content', tokens: base[next]?.tokens ?? 0 });
    }
    const prompt = contextTokens - outputTokens;
    if (isAgentEstimate || !(prompt > 0)) stretches.next();
    else stretches.add({ kind: 'anchor', promptTokens: prompt, totalTokens: contextTokens, model });
  }
  return stretches.all;
}

/** True for entries that the model never sees. */
export function isUnseen(message: Message): boolean {
  return message.kind === 'boundary' || message.kind === 'microBoundary';
}

class Stretches {
  readonly all: CalibrationStep[][] = [[]];

  add(step: CalibrationStep): void {
    this.all.at(-1)?.push(step);
  }

  next(): void {
    this.all.push([]);
  }
}
