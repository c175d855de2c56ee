import type { Measurement } from '../model/measurement';
import type { AgentLimitView, GaugeView, LimitView, ViewMeasurement } from '../protocol/viewModel';
import type { Inspection } from '../session/inspection';
import { paceOf, turnsUntil, type Pace } from '../session/pace';
import { isAgentCompactDue } from '../window/counters';
import { AGENT_NAMES } from './agentNames';

const SIGNS = {
  providerReported: 'reported',
  localEstimate: 'estimate',
  localLowerBound: 'lowerBound',
  unknown: 'unknown',
} as const satisfies Record<Measurement, ViewMeasurement>;

/** Provenance sign of a measurement. */
export function viewMeasurement(measurement: Measurement): ViewMeasurement {
  return SIGNS[measurement];
}

/**
 * The gauge of one state. Without a known window it has no percent, no limits and no next event (R17). `pace` is given where it is known already
 * how fast the context grows.
 */
export function gaugeView(inspection: Inspection, pace: () => Pace | undefined = () => paceOf(inspection)): GaugeView {
  const { usage, window, warning } = inspection;
  const known = window.tokens !== undefined && window.tokens > 0;
  const limits = known ? limitViews(inspection) : [];
  return {
    state: warning.state,
    usedTokens: usage.usedTokens,
    measurement: viewMeasurement(usage.measurement),
    reportedTokens: usage.reportedTokens ?? null,
    estimatedTailTokens: usage.estimatedTailTokens,
    errorTokens: usage.errorTokens,
    windowTokens: window.tokens ?? null,
    windowSource: window.source ?? null,
    effectiveInputWindowTokens: known ? warning.effectiveInputWindowTokens : null,
    outputReserveTokens: known ? window.tokens - warning.effectiveInputWindowTokens : null,
    percentUsed: known ? (usage.usedTokens / window.tokens) * 100 : null,
    percentLeft: known ? warning.percentLeft : null,
    limits,
    agentLimit: agentLimitView(inspection),
    counters: inspection.counters.map(({ isLeft, ...counter }) => ({ ...counter, left: isLeft })),
    next: nextLimit(inspection, limits, pace),
    tooSmall: known && warning.tooSmall,
  };
}

function agentLimitView({ agentLimit, limitsProfile, usage }: Inspection): AgentLimitView | null {
  if (agentLimit === undefined) return null;
  return {
    agent: AGENT_NAMES[agentLimit.profile],
    at: agentLimit.compactsAt,
    due: isAgentCompactDue(agentLimit, usage),
    chosen: limitsProfile !== 'auto',
  };
}

function limitViews({ warning }: Inspection): readonly LimitView[] {
  const all: readonly LimitView[] = [
    { kind: 'warning', at: warning.warningThresholdTokens },
    { kind: 'error', at: warning.errorThresholdTokens },
    { kind: 'autoCompact', at: warning.autoCompactThresholdTokens },
    { kind: 'blocked', at: warning.blockingLimitTokens },
  ];
  return all.filter((limit) => limit.kind !== 'autoCompact' || warning.autoCompactEnabled);
}

function nextLimit(inspection: Inspection, limits: readonly LimitView[], pace: () => Pace | undefined): GaugeView['next'] {
  const used = inspection.usage.usedTokens;
  const ahead = limits.filter((limit) => limit.at > used).sort((a, b) => a.at - b.at)[0];
  if (ahead === undefined) return null;
  // What happens to the user is the compaction: once the warning is passed or near, it is the event that counts.
  const compaction = limits.find((limit) => limit.kind === 'autoCompact' && limit.at > used);
  const next = compaction ?? ahead;
  const tokens = next.at - used;
  return { kind: next.kind, tokens, turns: turnsUntil(tokens, pace()) ?? null };
}
