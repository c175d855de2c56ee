import { utf8Length } from '../../../src/core/util/text';
import { proofOf, type ProofTool } from '../../../src/core/micro/proofs';
import { decide } from '../../../src/core/projection/admission';
import { projectToolResults } from '../../../src/core/projection/apply';
import { supportsAction } from '../../../src/core/projection/candidates';
import { DEFAULT_PROJECTION, REVIEWED_PROJECTION, normalizeProjection, type ProjectionConfig } from '../../../src/core/projection/config';
import { boundedChunk, runExcerpt } from '../../../src/core/projection/excerpt';
import { pendingProjection } from '../../../src/core/projection/pending';
import { projectionForms } from '../../../src/core/projection/rewrites';
import { projectionGates, rolloutBucket } from '../../../src/core/projection/rollout';
import { projectionBudgetUsed } from '../../../src/core/projection/sessionBudget';
import type { Evaluation, ProjectionTrigger } from '../../../src/core/projection/types';
import { EMPTY_REPLACEMENTS } from '../../../src/core/toolResults/replacementState';
import { BYTES_PER_FOUR } from '../../../src/core/tokens/calibratedCounter';
import { arrayOf, field, numberOf, recordOf, stringOf, type JsonRecord } from '../../../src/core/util/json';
import { DECISION_NAMES, seed2Admission } from '../../support/seed2Projection';
import { seed2MessagesWithOutcomes, seed2Result } from '../../support/seed2Results';
import type { GoldenFunctions } from '../goldenTypes';
import { listInput, numberInput, recordInput } from './input';

/** Progressive projection of seed 2; tokens were counted as a token for every four bytes. */
export const projectionFunctions: GoldenFunctions = {
  DefaultProgressiveConfig: () => seedConfig(DEFAULT_PROJECTION),
  ProductionProgressiveConfig: () => seedConfig(REVIEWED_PROJECTION),
  NormalizeProgressiveConfig: (input) => seedConfig(normalizeProjection(configOf(recordInput(input)))),
  'ProgressiveEnabledForSession by rolloutPercent': (input) => rollout(stringOf(recordInput(input), 'sessionID') ?? ''),
  'production scope': (input) => scope(Array.isArray(input) ? input.map(String) : []),
  evaluateProgressiveProjectionAdmission: (input) => {
    const change = { tokensSaved: numberInput(input, 'tokensSaved'), stablePrefixTokens: numberInput(input, 'stablePrefixTokens') };
    return seedEvaluation(decide(admissionOf(input, ''), change));
  },
  'ApplyProgressiveToolResultProjection (then again)': (input, name) => twice(input, name),
  'agenticV2ProofContent(Inspect) + progressive rewrite/index': (input) => inspect(input),
  'progressiveRunRewriteContent + proof': (input) => {
    const result = seed2Result(recordOf(recordInput(input), 'block'));
    const { rewrite } = projectionForms('Run', result);
    return { proof: proofOf('Run', result), rewrite: rewrite ?? '', valid: rewrite !== undefined };
  },
  boundedInspectChunk: (input) => boundedChunk(stringOf(recordInput(input), 'value') ?? ''),
  progressiveRunExcerpt: (input) => {
    const { head, tail, truncated } = runExcerpt(stringOf(recordInput(input), 'value') ?? '');
    return { headBytes: utf8Length(head), tailBytes: utf8Length(tail), truncated };
  },
};

/** A configuration under the names of the seed, whose JSON leaves out what is zero, false or empty, but not whether it is on. */
function seedConfig({ enabled, minNetSavingsUsd, ...rest }: ProjectionConfig): unknown {
  const told = Object.entries({ ...rest, minNetSavingsUsd }).filter(
    ([, value]) => value !== 0 && value !== false && !(Array.isArray(value) && value.length === 0),
  );
  return { enabled, ...Object.fromEntries(told) };
}

/** What the seed's zero value has where the vector says nothing. */
function configOf(input: JsonRecord): Partial<ProjectionConfig> {
  const number = (key: string): number => numberOf(input, key) ?? 0;
  const tools = arrayOf(input, 'toolAllowlist') ?? [];
  return {
    enabled: field(input, 'enabled') === true,
    toolAllowlist: tools.filter((tool) => typeof tool === 'string'),
    rolloutPercent: number('rolloutPercent'),
    autoCompactKeepRecent: number('autoCompactKeepRecent'),
    autoCompactMaxGrowthTokens: number('autoCompactMaxGrowthTokens'),
    autoCompactMinThresholdPercent: number('autoCompactMinThresholdPercent'),
    compactMaxOutputTokens: number('compactMaxOutputTokens'),
    minTokenSavings: number('minTokenSavings'),
    benefitMinTokenSavings: number('benefitMinTokenSavings'),
    reuseHorizon: number('reuseHorizon'),
    cacheRecoveryRequests: number('cacheRecoveryRequests'),
    minNetSavingsUsd: number('minNetSavingsUsd'),
    maxProjectedTools: number('maxProjectedTools'),
    maxProjectedTokens: number('maxProjectedTokens'),
    maxConsecutiveAnomalies: number('maxConsecutiveAnomalies'),
  };
}

const PERCENTS = [0, 1, 10, 25, 37, 50, 75, 99, 100] as const;

function rollout(sessionId: string): unknown {
  const isOn = (rolloutPercent: number): boolean =>
    projectionGates({ enabled: true, rolloutPercent }, { provider: 'p', model: 'm', sessionId }).enabled;
  return {
    bucket: rolloutBucket(sessionId),
    byPercent: Object.fromEntries(PERCENTS.map((percent) => [String(percent), isOn(percent)])),
  };
}

function scope([provider = '', model = '', sessionId = '']: readonly string[]): unknown {
  const gates = projectionGates(REVIEWED_PROJECTION, { provider, model, sessionId });
  return {
    benefit: gates.benefitTrigger,
    compactPolicy: gates.compactPolicy,
    enabled: gates.enabled,
    imminent: gates.imminentCompact,
  };
}

function admissionOf(input: unknown, name: string): ReturnType<typeof seed2Admission> {
  const switches = { enabled: name !== 'project/disabled', shadow: name === 'project/shadow' };
  return seed2Admission(recordOf(recordInput(input), 'admission') ?? {}, switches);
}

function seedEvaluation(evaluation: Evaluation): unknown {
  return {
    ...costs(evaluation),
    decision: DECISION_NAMES[evaluation.decision.reason],
    grossCacheBreakUSD: evaluation.grossCacheBreakUsd,
    invalidatedCached: evaluation.invalidatedCachedTokens,
  };
}

function costs(evaluation: Evaluation | undefined): JsonRecord {
  return {
    avoids: evaluation?.avoidsCompaction ?? false,
    cacheBreakUSD: evaluation?.cacheBreakUsd ?? 0,
    netUSD: evaluation?.netSavingsUsd ?? 0,
    projectedRequestTokens: evaluation?.projectedRequestTokens ?? 0,
  };
}

const TRIGGERS = {
  consumedMutation: 'consumed_mutation',
  workingSetPressure: 'working_set_pressure',
  workingSetPressureTopUp: 'working_set_pressure_top_up',
  benefitThreshold: 'benefit_threshold',
} as const satisfies Record<ProjectionTrigger, string>;

function twice(input: unknown, name: string): unknown {
  const messages = seed2MessagesWithOutcomes(listInput(input, 'messages'));
  const admission = admissionOf(input, name);
  const pending = pendingProjection(messages, EMPTY_REPLACEMENTS, admission);
  const first = projectToolResults(messages, EMPTY_REPLACEMENTS, admission);
  const second = projectToolResults(messages, first.state, admission);
  const used = projectionBudgetUsed(first.state, BYTES_PER_FOUR);
  return {
    ...costs(first.evaluation),
    budgetTokens: used.tokens,
    budgetTools: used.tools,
    changed: first.changed,
    decision: DECISION_NAMES[first.decision.reason],
    firstReplacement: first.records[0]?.replacement ?? '',
    indexed: first.size.indexedTools,
    originalBytes: first.size.originalBytes,
    pending: { Tools: pending.tools, TokensSaved: pending.tokensSaved },
    projectedBytes: first.size.projectedBytes,
    projectedTools: first.size.projectedTools,
    recordIds: first.records.map(({ toolUseId }) => toolUseId),
    rewritten: first.size.rewrittenTools,
    secondDecision: DECISION_NAMES[second.decision.reason],
    secondProjected: second.size.projectedTools,
    secondTrigger: second.trigger === undefined ? '' : TRIGGERS[second.trigger],
    shadow: first.decision.reason === 'shadow',
    tokensSaved: first.size.tokensSaved,
    trigger: first.trigger === undefined ? '' : TRIGGERS[first.trigger],
  };
}

function inspect(input: unknown): unknown {
  const tool: ProofTool = 'Inspect';
  const result = seed2Result(recordOf(recordInput(input), 'block'));
  const { rewrite, index } = projectionForms(tool, result);
  const proof = proofOf(tool, result);
  return {
    DROP: supportsAction(tool, result, 'DROP'),
    INDEX: supportsAction(tool, result, 'INDEX'),
    KEEP: supportsAction(tool, result, 'KEEP'),
    REWRITE: supportsAction(tool, result, 'REWRITE'),
    index: index ?? '',
    ok: proof !== '',
    projectionValid: rewrite !== undefined,
    proof,
    rewrite: rewrite ?? '',
  };
}
