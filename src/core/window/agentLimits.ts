import type { FormatId } from '../model/transcript';
import { effectiveInputWindow, THRESHOLD_BUFFERS, type WindowLimits } from './thresholds';

/** Agents whose own rule for compacting is known. */
export const AGENT_PROFILES = [
  'claude-code',
  'codex',
  'docker-agent',
  'gemini',
  'qwen',
  'opencode',
  'cline',
  'roo',
  'continue',
  'goose',
  'pi',
  'copilot-cli',
] as const;

export type AgentProfile = (typeof AGENT_PROFILES)[number];

/**
 * Whose limits count (setting `limits.profile`): `auto` draws the rule of the agent that wrote the file beside the seed's limits, `seed` draws
 * the seed's alone, and an agent's name puts that agent's rule in the place of the seed's automatic limit, whoever wrote the file.
 */
export type LimitsProfile = 'auto' | 'seed' | AgentProfile;

/** What an agent counts: the prompt of its last request; that and the reply; or all that the next request will hold. */
export type AgentCounter = 'prompt' | 'promptAndReply' | 'nextRequest';

/** How one agent decides to compact, in tokens of one window. */
export interface AgentLimit {
  readonly profile: AgentProfile;
  /** It compacts when its counter is above this … */
  readonly compactsAt: number;
  /** … or has reached it. */
  readonly isInclusive: boolean;
  readonly deciding: AgentCounter;
  /** No request is sent from here on; undefined where the agent has no such limit of its own. */
  readonly blocksAt: number | undefined;
  readonly shown: ShownCounter;
}

/** The percent that an agent shows to its user, which is often not what it decides by. */
export interface ShownCounter {
  readonly counter: AgentCounter;
  /** What it is a percent of. */
  readonly ofTokens: number;
  /** Tokens that it takes off on both sides: what is always in the context. */
  readonly baseline: number;
  /** It shows what is left and not what is used. */
  readonly isLeft: boolean;
}

/** The rule of an agent for a window; undefined when the window is unknown or leaves no room under the rule. */
export function agentLimit(profile: AgentProfile, window: WindowLimits, isStated = false): AgentLimit | undefined {
  const tokens = window.maxTokens;
  if (tokens === undefined || !(tokens > 0)) return undefined;
  const limit = RULES[profile]({ tokens, maxOutput: window.maxOutputTokens, isStated });
  return limit.compactsAt > 0 ? { profile, ...limit } : undefined;
}

/** Rule of the agent that writes a format; undefined where none is known. */
export function profileOfFormat(format: FormatId): AgentProfile | undefined {
  if (format === 'kilo') return 'roo';
  return AGENT_PROFILES.find((profile) => profile === format);
}

/** The profile in effect for a transcript: the chosen agent's, else that of its format; undefined for the seed's alone. */
export function effectiveProfile(chosen: LimitsProfile, format: FormatId): AgentProfile | undefined {
  if (chosen === 'seed') return undefined;
  return chosen === 'auto' ? profileOfFormat(format) : chosen;
}

interface RuleWindow {
  readonly tokens: number;
  readonly maxOutput: number | undefined;
  /** The size is the transcript's own number, which Codex has already lowered. */
  readonly isStated: boolean;
}

type Rule = (window: RuleWindow) => Omit<AgentLimit, 'profile'>;

const shownUsed = (counter: AgentCounter, ofTokens: number): ShownCounter => ({ counter, ofTokens, baseline: 0, isLeft: false });
const shownLeft = (counter: AgentCounter, ofTokens: number, baseline = 0): ShownCounter => ({ counter, ofTokens, baseline, isLeft: true });
const share = (tokens: number, percent: number): number => Math.floor((tokens * percent) / 100);

/** Codex states 95 % of the model's window and compacts at 90 % of all of it. */
const CODEX = { statedPercent: 95, compactPercent: 90, baseline: 12_000 } as const;
const OPENCODE_MAX_OUTPUT = 32_000;
const PI_RESERVE = 16_384;
const CLINE = { small: 27_000, medium: 30_000, large: 40_000, percent: 80 } as const;
/** Continue's command line: a reply may take 35 %, at most 64,000; a buffer of a fifth of the rest, at most 15,000. */
const CONTINUE = { replyPercent: 35, largestReply: 64_000, bufferPercent: 20, largestBuffer: 15_000 } as const;
const ROO = { bufferPercent: 10, defaultOutput: 8_192, largestOutputPercent: 20 } as const;

const RULES: Readonly<Record<AgentProfile, Rule>> = {
  // The status line shows the last prompt against the window; the decision keeps room for the answer and 13,000 tokens more.
  'claude-code': ({ tokens, maxOutput }) => {
    const usable = effectiveInputWindow({ maxTokens: tokens, maxOutputTokens: maxOutput });
    return {
      compactsAt: usable - THRESHOLD_BUFFERS.autoCompact,
      isInclusive: true,
      deciding: 'nextRequest',
      blocksAt: usable - THRESHOLD_BUFFERS.manualCompact,
      shown: shownUsed('prompt', tokens),
    };
  },
  // The percent left leaves out 12,000 tokens that are always there.
  codex: ({ tokens, isStated }) => {
    const whole = isStated ? Math.round((tokens * 100) / CODEX.statedPercent) : tokens;
    return {
      compactsAt: share(whole, CODEX.compactPercent),
      isInclusive: true,
      deciding: 'promptAndReply',
      blocksAt: undefined,
      shown: shownLeft('promptAndReply', tokens, CODEX.baseline),
    };
  },
  'docker-agent': ({ tokens }) => ({
    compactsAt: share(tokens, 90),
    isInclusive: false,
    deciding: 'nextRequest',
    blocksAt: undefined,
    shown: shownUsed('promptAndReply', tokens),
  }),
  gemini: ({ tokens }) => ({
    compactsAt: share(tokens, 50),
    isInclusive: true,
    deciding: 'prompt',
    blocksAt: undefined,
    shown: shownLeft('prompt', tokens),
  }),
  // Counts the last prompt as Gemini CLI does, at a share of its own (0.15).
  qwen: ({ tokens }) => ({
    compactsAt: share(tokens, 70),
    isInclusive: true,
    deciding: 'prompt',
    blocksAt: undefined,
    shown: shownUsed('prompt', tokens),
  }),
  opencode: ({ tokens, maxOutput }) => ({
    compactsAt: tokens - Math.min(maxOutput ?? OPENCODE_MAX_OUTPUT, OPENCODE_MAX_OUTPUT),
    isInclusive: true,
    deciding: 'promptAndReply',
    blocksAt: undefined,
    shown: shownUsed('promptAndReply', tokens),
  }),
  cline: ({ tokens }) => ({
    compactsAt: clineLimit(tokens),
    isInclusive: true,
    deciding: 'promptAndReply',
    blocksAt: undefined,
    shown: shownUsed('promptAndReply', tokens),
  }),
  roo: ({ tokens, maxOutput }) => ({
    compactsAt: share(tokens, 100 - ROO.bufferPercent) - Math.min(maxOutput ?? ROO.defaultOutput, share(tokens, ROO.largestOutputPercent)),
    isInclusive: false,
    deciding: 'nextRequest',
    blocksAt: undefined,
    shown: shownUsed('promptAndReply', tokens),
  }),
  // The rule of its command line (1.5); the extension in the editor prunes without a summary.
  continue: ({ tokens, maxOutput }) => ({
    compactsAt: continueLimit(tokens, maxOutput),
    isInclusive: true,
    deciding: 'nextRequest',
    blocksAt: undefined,
    shown: shownUsed('nextRequest', tokens),
  }),
  goose: ({ tokens }) => ({
    compactsAt: share(tokens, 80),
    isInclusive: false,
    deciding: 'promptAndReply',
    blocksAt: undefined,
    shown: shownUsed('promptAndReply', tokens),
  }),
  pi: ({ tokens }) => ({
    compactsAt: tokens - PI_RESERVE,
    isInclusive: false,
    deciding: 'nextRequest',
    blocksAt: undefined,
    shown: shownUsed('promptAndReply', tokens),
  }),
  // Compacts in the background first, and waits for it from the second limit on.
  'copilot-cli': ({ tokens }) => ({
    compactsAt: share(tokens, 80),
    isInclusive: true,
    deciding: 'nextRequest',
    blocksAt: share(tokens, 95),
    shown: shownUsed('nextRequest', tokens),
  }),
};

function continueLimit(tokens: number, maxOutput: number | undefined): number {
  const reply = maxOutput ?? Math.ceil(Math.min((tokens * CONTINUE.replyPercent) / 100, CONTINUE.largestReply));
  const buffer = Math.max(reply, Math.ceil(((tokens - reply) * CONTINUE.bufferPercent) / 100));
  return tokens - reply - Math.min(buffer, CONTINUE.largestBuffer);
}

function clineLimit(tokens: number): number {
  if (tokens === 64_000) return tokens - CLINE.small;
  if (tokens === 128_000) return tokens - CLINE.medium;
  if (tokens === 200_000) return tokens - CLINE.large;
  return Math.max(tokens - CLINE.large, share(tokens, CLINE.percent));
}
