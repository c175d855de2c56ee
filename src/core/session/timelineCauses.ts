import { isMedia, isToolResult, isToolUse, type ContentBlock, type Message } from '../model/message';
import { StoredBlock } from '../model/storedBlock';
import { isTurnStart } from '../model/turn';
import { EarlierCalls, fetchingCall } from './refillCalls';

/** A growth that the messages do not explain, by what stands beside it: another model, pictures, a long pause, reminders; else nothing. */
export type JumpCause = 'otherModel' | 'pictures' | 'pause' | 'reminders' | 'hidden';

/** A shrinking without a compaction: results cleared by a microcompaction, another model, thinking of earlier turns left out; else nothing. */
export type DropCause = 'clearedResults' | 'otherModel' | 'thinkingLeftOut' | 'silent';

/** Why a compaction did not last: calls made again, large results, context put back at once; else the work itself. */
export type RefillCause = 'repeatedCalls' | 'largeResults' | 'reinjected' | 'newWork';

/** What lies between two reports. */
export interface TimelineStep {
  /** From the earlier report's message up to the later one, without it. */
  readonly between: readonly Message[];
  readonly previousModel: string | undefined;
  readonly model: string | undefined;
  readonly elapsedMs: number | undefined;
}

/** After so long a pause the agent was most likely started again, with another system prompt or other tools. */
const PAUSE_MS = 60 * 60_000;

/** Likely cause of a jump. */
export function explainJump(step: TimelineStep): JumpCause {
  if (isOtherModel(step)) return 'otherModel';
  if (step.between.some(({ content }) => content.some(holdsMedia))) return 'pictures';
  if ((step.elapsedMs ?? 0) >= PAUSE_MS) return 'pause';
  return step.between.some(({ kind }) => kind === 'attachment' || kind === 'meta') ? 'reminders' : 'hidden';
}

/** Likely cause of a drop without a compaction. */
export function explainDrop(step: TimelineStep): DropCause {
  if (step.between.some(({ kind }) => kind === 'microBoundary')) return 'clearedResults';
  if (isOtherModel(step)) return 'otherModel';
  const hasThinking = step.between.some(({ content }) => content.some(({ type }) => type === 'thinking'));
  return hasThinking && step.between.some(isTurnStart) ? 'thinkingLeftOut' : 'silent';
}

// The answer never changes, and every update of a session asks again: one for each message that a refill stands at.
const refills = new WeakMap<Message, RefillCause>();

/** Likely cause of a refill: `before` gives what the compaction had replaced, `after` is what filled the window again. */
export function explainRefill(before: () => readonly Message[], after: readonly Message[]): RefillCause {
  const last = after.at(-1);
  const known = last === undefined ? undefined : refills.get(last);
  if (known !== undefined) return known;
  const cause = refillCause(before(), after);
  if (last !== undefined) refills.set(last, cause);
  return cause;
}

function refillCause(before: readonly Message[], after: readonly Message[]): RefillCause {
  const calls = after.flatMap(({ content }) => content.filter(isToolUse).map(fetchingCall));
  if (calls.length > 0) {
    const earlier = new EarlierCalls();
    before.forEach((message, row) => earlier.take(message, row));
    if (calls.filter((call) => earlier.rowOf(call) !== undefined).length * 2 >= calls.length) return 'repeatedCalls';
  }
  return after.some((message) => message.content.some(isToolResult)) ? 'largeResults' : 'newWork';
}

function isOtherModel({ previousModel, model }: TimelineStep): boolean {
  return previousModel !== undefined && model !== undefined && previousModel !== model;
}

function holdsMedia(block: ContentBlock): boolean {
  const stored = StoredBlock.sizeOf(block);
  if (stored !== undefined) return stored.media > 0;
  return isMedia(block) || (isToolResult(block) && typeof block.content !== 'string' && block.content.some(isMedia));
}
