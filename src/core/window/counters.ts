import type { AgentCounter, AgentLimit } from './agentLimits';
import type { ContextUsage } from './contextUsage';
import type { WarningState } from './warningState';

/**
 * One of the numbers that are shown for the same context, and what it counts: percent of the whole window; of the part that a prompt may
 * take; until automatic compaction; the number that the agent itself shows; and the number that it decides by.
 */
export type CounterKind = 'window' | 'usable' | 'untilCompact' | 'agentShows' | 'agentDecides';

export interface ContextCounter {
  readonly kind: CounterKind;
  readonly usedTokens: number;
  readonly ofTokens: number;
  /** Not rounded; 100 and above when over-full. What is left is never below 0. */
  readonly percent: number;
  /** The percent is of what is left and not of what is used. */
  readonly isLeft: boolean;
}

/** All numbers of one state, in a fixed order; none while the window is unknown. They disagree because they count different things. */
export function contextCounters(
  windowTokens: number | undefined,
  usage: ContextUsage,
  warning: WarningState,
  agent: AgentLimit | undefined,
): readonly ContextCounter[] {
  if (windowTokens === undefined || !(windowTokens > 0)) return [];
  const used = usage.usedTokens;
  const counters = [counter('window', used, windowTokens, false), counter('usable', used, warning.effectiveInputWindowTokens, false)];
  if (warning.autoCompactEnabled && !warning.tooSmall) {
    counters.push(counter('untilCompact', used, warning.autoCompactThresholdTokens, true));
  }
  if (agent !== undefined) {
    const { counter: shown, ofTokens, baseline, isLeft } = agent.shown;
    const inContext = Math.max(0, countedBy(shown, usage) - baseline);
    counters.push(counter('agentShows', inContext, ofTokens - baseline, isLeft));
    counters.push(counter('agentDecides', countedBy(agent.deciding, usage), agent.compactsAt, false));
  }
  return counters.filter(({ ofTokens }) => ofTokens > 0);
}

/** What an agent counts of a context: without a report all of it is estimated, whichever it is. */
export function countedBy(counter: AgentCounter, usage: ContextUsage): number {
  const { usedTokens, reportedTokens, replyTokens } = usage;
  if (counter === 'nextRequest' || reportedTokens === undefined) return usedTokens;
  if (counter === 'prompt') return reportedTokens;
  return reportedTokens + replyTokens;
}

/** True when an agent that decides by its own rule compacts before its next request. */
export function isAgentCompactDue(agent: AgentLimit, usage: ContextUsage): boolean {
  const counted = countedBy(agent.deciding, usage);
  return agent.isInclusive ? counted >= agent.compactsAt : counted > agent.compactsAt;
}

function counter(kind: CounterKind, usedTokens: number, ofTokens: number, isLeft: boolean): ContextCounter {
  const share = ofTokens > 0 ? (usedTokens / ofTokens) * 100 : 0;
  return { kind, usedTokens, ofTokens, percent: isLeft ? Math.max(0, 100 - share) : share, isLeft };
}
