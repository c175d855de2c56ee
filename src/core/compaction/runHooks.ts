import { createReminder } from '../boundary/reminderMessage';
import { CompactError, isCompactError } from '../errors/compactError';
import type { CompactTrigger } from '../model/boundary';
import type { Message } from '../model/message';
import type { CompactionHooks, HookAnswer, HookPoint } from '../ports/hooks';
import type { EventSink } from './events';
import { orAborted } from './runPlan';

/** Sentence for a compaction that a hook of the user does not want. */
export const HOOK_BLOCKED = 'One of your hooks stopped the compaction, so nothing was changed; look at its settings, then try again.';

const HOOK_FAILED =
  'One of your hooks failed, so the compaction was given up and nothing was changed; look at its settings, then try again.';

export interface HookRun {
  readonly hooks: CompactionHooks | undefined;
  readonly trigger: CompactTrigger;
  readonly signal: AbortSignal;
  readonly onEvent: EventSink;
}

/** Runs the hooks of one point; an empty answer without hooks. Rejects with `aborted` when one blocks, fails or is cancelled (seed 2, hooks). */
export async function runHooks(
  { hooks, trigger, signal, onEvent }: HookRun,
  point: HookPoint,
  facts: { readonly instructions?: string; readonly summary?: string },
): Promise<HookAnswer> {
  if (hooks === undefined) return {};
  onEvent({ kind: 'progress', stage: 'hook', hook: point, trigger });
  const { instructions = '', summary = '' } = facts;
  let answer: HookAnswer;
  try {
    answer = await orAborted(hooks.run({ point, trigger, instructions, summary }, signal), signal);
  } catch (error) {
    if (isCompactError(error)) throw error;
    throw new CompactError('aborted', HOOK_FAILED, { cause: error });
  }
  if (answer.block !== undefined) throw new CompactError('aborted', HOOK_BLOCKED, { cause: new Error(answer.block) });
  return answer;
}

/** What the hooks of a session's start add to the view, as a reminder that the next compaction makes anew (seed 2, hooks). */
export function hookReminder(context: string | undefined): readonly Message[] {
  return context === undefined ? [] : createReminder('session-start', 'session start', context);
}
