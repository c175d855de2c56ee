import { isToolUse, type Message } from '../model/message';
import { wireMeasurement } from '../model/measurement';
import type { CompactBoundary } from '../model/boundary';
import type { Transcript } from '../model/transcript';
import type { Inspection } from '../session/inspection';
import { countedBy, isAgentCompactDue } from '../window/counters';
import { oneLine } from '../util/text';
import type { InspectReport, WireBoundary, WireMessage, WireWarning } from './inspectReport';
import { previewText } from './preview';

/** Makes the `inspect --json` object of one state of a transcript. `file` is shown as given. */
export function inspectReportOf(inspection: Inspection, file: string, withMessages: boolean): InspectReport {
  const { transcript, usage, window } = inspection;
  const active = new Set(transcript.context);
  return {
    schema: 'context-inspector/inspect/v1',
    file,
    format: transcript.format,
    agentVersion: transcript.agentVersion ?? null,
    sessionId: transcript.sessionId ?? null,
    model: transcript.model ?? null,
    window: { tokens: window.tokens ?? null, source: window.source ?? null, maxOutputTokens: window.maxOutputTokens ?? null },
    usage: {
      usedTokens: usage.usedTokens,
      measurement: wireMeasurement(usage.measurement),
      reportedTokens: usage.reportedTokens ?? null,
      estimatedTailTokens: usage.estimatedTailTokens,
      errorTokens: usage.errorTokens,
      outputTokens: usage.outputTokens ?? null,
      cacheReadTokens: usage.cacheReadTokens ?? null,
      cacheCreationTokens: usage.cacheCreationTokens ?? null,
      atMessage: usage.atMessage ?? null,
    },
    warning: wireWarning(inspection),
    limits: wireLimits(inspection),
    counters: inspection.counters.map(({ kind, percent, ...counter }) => ({
      counter: COUNTER_NAMES[kind],
      ...counter,
      percent: Math.round(percent * 10) / 10,
    })),
    categories: inspection.categories.map(({ category, tokens, measurement }) => ({
      category,
      tokens,
      measurement: wireMeasurement(measurement),
    })),
    totals: transcript.totals,
    sidechains: transcript.sidechains.map((chain, index) => ({
      id: chain.id,
      messages: chain.messages.length,
      usedTokens: inspection.sizes.sidechainTokens[index] ?? 0,
    })),
    boundaries: transcript.boundaries.map(wireBoundary),
    ...(withMessages ? { messages: wireMessages(transcript, inspection, active) } : {}),
    diagnostics: transcript.diagnostics.map(({ line, code, severity }) => ({ line, code, severity })),
  };
}

const COUNTER_NAMES = {
  window: 'window',
  usable: 'usable',
  untilCompact: 'until_compact',
  agentShows: 'agent_shows',
  agentDecides: 'agent_decides',
} as const;

function wireLimits({ limitsProfile, agentLimit, usage }: Inspection): InspectReport['limits'] {
  if (agentLimit === undefined) return { profile: limitsProfile, agent: null };
  return {
    profile: limitsProfile,
    agent: {
      profile: agentLimit.profile,
      compactsAtTokens: agentLimit.compactsAt,
      isInclusive: agentLimit.isInclusive,
      blocksAtTokens: agentLimit.blocksAt ?? null,
      countedTokens: countedBy(agentLimit.deciding, usage),
      isDue: isAgentCompactDue(agentLimit, usage),
    },
  };
}

function wireWarning({ warning, window }: Inspection): WireWarning {
  const known = window.tokens !== undefined;
  const limit = (value: number): number | null => (known ? value : null);
  return {
    state: warning.state,
    usedTokens: warning.usedTokens,
    effectiveInputWindowTokens: limit(warning.effectiveInputWindowTokens),
    thresholdTokens: limit(warning.thresholdTokens),
    warningThresholdTokens: limit(warning.warningThresholdTokens),
    errorThresholdTokens: limit(warning.errorThresholdTokens),
    autoCompactThresholdTokens: limit(warning.autoCompactThresholdTokens),
    blockingLimitTokens: limit(warning.blockingLimitTokens),
    percentLeft: limit(warning.percentLeft),
    isAboveWarningThreshold: warning.isAboveWarningThreshold,
    isAboveErrorThreshold: warning.isAboveErrorThreshold,
    isAboveAutoCompactThreshold: warning.isAboveAutoCompactThreshold,
    isAtBlockingLimit: warning.isAtBlockingLimit,
    autoCompactEnabled: warning.autoCompactEnabled,
    warningSuppressed: warning.warningSuppressed,
  };
}

/** Wire form of a boundary; `index` is its ordinal in the file. */
export function wireBoundary(boundary: CompactBoundary, index: number): WireBoundary {
  const segment = boundary.preservedSegment;
  return {
    index,
    id: boundary.id,
    timestamp: boundary.timestamp ?? null,
    trigger: boundary.trigger,
    preTokens: boundary.preTokens ?? null,
    postTokens: boundary.postTokens ?? null,
    summaryId: boundary.summaryId ?? null,
    preservedSegment:
      segment === undefined
        ? null
        : {
            startIndex: segment.startIndex,
            count: segment.count,
            anchor: segment.anchor ?? null,
            direction: segment.direction === undefined ? null : segment.direction === 'upTo' ? 'up_to' : 'from',
            ids: segment.ids,
          },
    valid: boundary.valid,
  };
}

function wireMessages(transcript: Transcript, inspection: Inspection, active: ReadonlySet<number>): readonly WireMessage[] {
  return transcript.messages.map((message, index) => ({
    index,
    id: message.id,
    role: message.role === 'developer' ? 'system' : message.role,
    kind: message.kind,
    timestamp: message.timestamp ?? null,
    active: active.has(index),
    tokens: inspection.sizes.tokens[index] ?? 0,
    measurement: 'local_estimate',
    blocks: message.content.map(blockName),
    preview: oneLine(previewText(message), 120),
  }));
}

const BLOCK_NAMES = {
  text: 'text',
  thinking: 'thinking',
  toolResult: 'tool_result',
  image: 'image',
  document: 'document',
  toolReference: 'tool_reference',
} as const;

function blockName(block: Message['content'][number]): string {
  if (isToolUse(block)) return `tool_use:${block.name}`;
  if (block.type === 'unknown') return block.originalType;
  return BLOCK_NAMES[block.type];
}
