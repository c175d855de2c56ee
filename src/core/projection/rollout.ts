import { comparable, normalizeProjection, type ProjectionConfig } from './config';

/** The session that asks. */
export interface ProjectionScope {
  readonly provider: string;
  readonly model: string;
  readonly sessionId: string;
}

/** What is allowed to one session. */
export interface Gates {
  readonly enabled: boolean;
  /** Projection as soon as it pays, before there is pressure. Says nothing about `enabled`. */
  readonly benefitTrigger: boolean;
  /** The cost of a broken cache is not charged where a compaction would break it anyway. Says nothing about `enabled`. */
  readonly imminentCompact: boolean;
  /** The provider's own rules for compactions are in force. */
  readonly compactPolicy: boolean;
  readonly allowsTool: (name: string) => boolean;
}

/**
 * Works out what a session may do. Names are compared without case and outer white space, models by prefix; the share of sessions goes by a hash
 * of the id, so that a resumed session stays on its side (seed 2, ProgressiveEnabledForSession and its neighbours).
 */
export function projectionGates(config: Partial<ProjectionConfig>, scope: ProjectionScope): Gates {
  const rules = normalizeProjection(config);
  const provider = comparable(scope.provider);
  const model = comparable(scope.model);
  const enabled =
    rules.enabled &&
    !rules.killSwitch &&
    allows(rules.providerAllowlist, (name) => name === provider) &&
    allows(rules.modelAllowlist, (prefix) => model.startsWith(prefix)) &&
    allows(rules.providerModelAllowlist, (pair) => isPair(pair, provider, model)) &&
    rolloutBucket(scope.sessionId) < rules.rolloutPercent;
  const imminentCompact = rules.imminentCompactProviderAllowlist.includes(provider);
  const tools = new Set(rules.toolAllowlist);
  return {
    enabled,
    benefitTrigger: rules.benefitTrigger && allows(rules.benefitTriggerProviderAllowlist, (name) => name === provider),
    imminentCompact,
    compactPolicy: enabled && imminentCompact,
    allowsTool: (name) => tools.has(comparable(name)),
  };
}

/** The share, 0 to 99, that a session belongs to: 32-bit FNV-1a of the trimmed id's UTF-8 bytes, modulo 100 (seed 2, rollout). */
export function rolloutBucket(sessionId: string): number {
  let hash = FNV_START;
  for (const byte of new TextEncoder().encode(sessionId.trim())) hash = Math.imul(hash ^ byte, FNV_PRIME) >>> 0;
  return hash % 100;
}

const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

function allows(list: readonly string[], test: (entry: string) => boolean): boolean {
  return list.length === 0 || list.some(test);
}

function isPair(pair: string, provider: string, model: string): boolean {
  return pair.startsWith(`${provider}/`) && model.startsWith(pair.slice(provider.length + 1));
}
