import type { ControlAuthority, Scope } from '../boundary/authority';
import type { CompactionResult } from '../model/compactionResult';
import type { Message } from '../model/message';
import { withPostCompactEstimate } from '../window/windowState';
import { autoCompact, type AutoCompactInput, type AutoCompactOutcome, type AutoCompactState } from './auto';
import { postCompactMessages, type CompactionOutcome } from './result';
import { stopIfAborted } from './runPlan';

/** State that a failed compaction must not leave changed. */
export interface Checkpointed<State> {
  checkpoint(): State;
  restore(state: State): void;
}

export interface Installation<State> {
  readonly session: Checkpointed<State>;
  readonly run: () => Promise<CompactionOutcome>;
  /** Makes the view the history, whole or not at all. Once it has resolved the compaction is committed. */
  readonly commit: (view: readonly Message[], result: CompactionResult) => Promise<void>;
  /** Seals what was made before it is installed; the messages stay unsealed without it. */
  readonly seal?: { readonly authority: ControlAuthority; readonly scope: Scope };
  readonly signal: AbortSignal;
}

/**
 * Runs a compaction and installs it as one step: after a failure, an abort or an unchanged history the session's state is exactly the one from
 * before (R15, P30). An abort after the commit changes nothing. Rejects with what `run` or `commit` rejected with.
 */
export async function installCompaction<State>(installation: Installation<State>): Promise<CompactionOutcome> {
  const { session, run, commit, seal, signal } = installation;
  const before = session.checkpoint();
  try {
    const outcome = await run();
    if (outcome.outcome === 'unchanged') {
      session.restore(before);
      return outcome;
    }
    return await install(outcome, commit, seal, signal);
  } catch (error) {
    session.restore(before);
    throw error;
  }
}

async function install(
  made: CompactionResult,
  commit: Installation<unknown>['commit'],
  seal: Installation<unknown>['seal'],
  signal: AbortSignal,
): Promise<CompactionResult> {
  stopIfAborted(signal);
  const result = seal === undefined ? made : (seal.authority.sealResult(made, seal.scope) ?? made);
  await commit(postCompactMessages(result, seal?.authority), result);
  return result;
}

/**
 * Automatic compaction and its installation as one step. When the view cannot be installed the window's state is the one from before, and the
 * failure counts like any other: three in a row stop it (P30). Never rejects.
 */
export async function installAutoCompact(
  input: AutoCompactInput,
  { commit, seal }: Pick<Installation<unknown>, 'commit' | 'seal'>,
): Promise<AutoCompactOutcome> {
  const outcome = await autoCompact(input);
  if (outcome.outcome !== 'compacted') return outcome;
  try {
    const result = await install(outcome.result, commit, seal, input.signal);
    return { ...outcome, result, state: afterInstall(outcome.state, result) };
  } catch (error) {
    const failedInstalls = input.state.failedInstalls + (input.signal.aborted ? 0 : 1);
    return { outcome: 'failed', error, state: { ...input.state, failedInstalls } };
  }
}

/** The state after an installed compaction: reports from before it say nothing any more (R10). */
export function afterInstall(state: AutoCompactState, result: CompactionResult): AutoCompactState {
  return { ...state, window: withPostCompactEstimate(state.window, result.postTokens), failedInstalls: 0 };
}
