import type { SessionPatch, SessionView } from '../../../src/core/protocol/viewModel';
import type { PlanView } from '../../../src/core/protocol/planView';
import type { SessionEntry } from '../../../src/node/engine/contract';

/** A session at 76 % of a window of 200,000 tokens. */
export function session(changes: Partial<SessionView> = {}): SessionView {
  return {
    revision: 1,
    handle: 'h1',
    title: 'Fix token counter drift',
    fileName: 'a.jsonl',
    format: 'claude-code',
    agent: 'Claude Code',
    agentVersion: null,
    sessionId: 's1',
    model: 'claude-x',
    turns: 3,
    live: true,
    partial: false,
    gauge: {
      state: 'normal',
      usedTokens: 152_300,
      measurement: 'reported',
      reportedTokens: 152_300,
      estimatedTailTokens: 0,
      errorTokens: 0,
      windowTokens: 200_000,
      windowSource: 'catalogue',
      effectiveInputWindowTokens: 180_000,
      outputReserveTokens: 20_000,
      percentUsed: 76.15,
      percentLeft: 9,
      limits: [{ kind: 'autoCompact', at: 167_000 }],
      agentLimit: null,
      counters: [],
      next: { kind: 'autoCompact', tokens: 14_700, turns: 3 },
      tooSmall: false,
    },
    categories: [],
    boundaries: [],
    timeline: null,
    rows: { count: 0, activeCount: 0, maxTokens: 0 },
    sidechains: [],
    diagnostics: [],
    problem: null,
    canCompact: true,
    ...changes,
  };
}

/** The patch from a revision to the next. */
export function patch(from: number, changes: SessionPatch['changes'] = {}, handle = 'h1'): SessionPatch {
  return { handle, from, to: from + 1, changes, rowsFrom: null };
}

/** An entry of the list. */
export function entry(changes: Partial<SessionEntry> = {}): SessionEntry {
  return {
    path: '/sessions/a.jsonl',
    fileName: 'a.jsonl',
    format: 'claude-code',
    agent: 'Claude Code',
    sessionId: 's1',
    title: 'Fix token counter drift',
    model: 'claude-x',
    usedTokens: 152_300,
    measurement: 'provider_reported',
    windowTokens: 200_000,
    percentUsed: 76.15,
    state: 'normal',
    lastActivityMs: 1_000_000,
    bytes: 2048,
    ...changes,
  };
}

/** A plan that summarizes so many tokens. */
export function plan(planId: string, tokensSummarized: number): PlanView {
  return {
    outcome: 'plan',
    planId,
    revision: 1,
    kind: 'full',
    pivotIndex: null,
    cutIndex: 1,
    cutPosition: 1,
    previousPosition: null,
    nextPosition: null,
    contextCount: 2,
    keptTurns: 1,
    refillTurns: null,
    cost: null,
    ofSummary: false,
    safety: [],
    movedBecause: null,
    summarizedIds: [],
    keptIds: [],
    summarizedCount: 1,
    keptCount: 1,
    summarizedFrom: 0,
    summarizedTo: 0,
    tokensBefore: tokensSummarized + 50,
    tokensKept: 50,
    tokensSummarized,
    unattributedTokens: 0,
    summaryTokens: 10,
    tokensAfter: 60,
    before: [],
    after: [],
    stateAfter: 'normal',
    summaryPreview: '',
    lost: { count: 0, groups: [] },
  };
}
