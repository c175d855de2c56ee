import type { Category } from '../model/category';
import { CATEGORIES } from '../model/category';
import type { Measurement } from '../model/measurement';
import type { Message } from '../model/message';
import { promptTokens } from '../model/usage';
import type { Transcript } from '../model/transcript';
import type { TokenCounter } from '../ports/tokenCounter';
import { measureMessages, type MessageSizes } from '../tokens/sizes';
import { agentLimit, effectiveProfile, type AgentLimit, type LimitsProfile } from '../window/agentLimits';
import { contextUsage, type ContextUsage } from '../window/contextUsage';
import { contextCounters, type ContextCounter } from '../window/counters';
import { warningState, type WarningState } from '../window/warningState';
import { contextWindowFor, type WindowSize } from '../window/windowSize';
import { categoryShares } from './categories';
import type { NewestPart } from './newestPart';

export interface InspectionSettings {
  readonly windowTokens?: number;
  readonly model?: string;
  readonly windowOverrides?: Readonly<Record<string, number>>;
  readonly autoCompactEnabled?: boolean;
  /** Whose limits count; `auto` when absent. */
  readonly limitsProfile?: LimitsProfile;
  readonly mediaTokens?: number;
  /** Absent: the bytes heuristic of seed 0. */
  readonly counter?: TokenCounter;
  /** False for a message whose exact count is still to come (a large session's); absent: every message is counted. */
  readonly isCounted?: (message: Message) => boolean;
  /** Largest prompt that was reported before the first message, in tokens, where the transcript is the newest part of a longer one. */
  readonly largestPromptBefore?: number;
}

export interface CategorySize {
  readonly category: Category;
  readonly tokens: number;
  readonly measurement: Measurement;
}

/** Everything that is computed from one state of a transcript. Immutable. */
export interface Inspection {
  readonly transcript: Transcript;
  readonly sizes: MessageSizes;
  readonly window: WindowSize;
  readonly usage: ContextUsage;
  readonly warning: WarningState;
  /** Where another usage would stand against the same limits. */
  readonly stateAt: (usedTokens: number) => WarningState;
  readonly limitsProfile: LimitsProfile;
  /** The rule by which the agent itself decides, or the chosen one; undefined where none is known, or the window is not. */
  readonly agentLimit: AgentLimit | undefined;
  /** The numbers that can be shown for this context, which disagree because they count different things. */
  readonly counters: readonly ContextCounter[];
  /** Only categories with tokens, in the fixed order. Their sum is `usage.usedTokens`. */
  readonly categories: readonly CategorySize[];
  /** Reported context minus the estimate of the visible messages in it; 0 when nothing is reported. */
  readonly unattributedTokens: number;
  readonly mediaTokens: number;
  /** Present for a long session. */
  readonly newest?: NewestPart;
}

/** Estimate of a picture of unknown size, in tokens (seed 2, EstimatedMediaTokensPerBlock). */
export const DEFAULT_MEDIA_TOKENS = 1600;

/** Measures a transcript: sizes, window, usage, warning state and categories. Pure; linear in the number of messages. */
export function inspectTranscript(transcript: Transcript, settings: InspectionSettings): Inspection {
  return inspectSized(transcript, sizesOf(transcript, settings), settings);
}

/** Estimates of all messages of a transcript under the settings. */
export function sizesOf(transcript: Transcript, settings: InspectionSettings): MessageSizes {
  return measureMessages(transcript, {
    mediaTokens: settings.mediaTokens ?? DEFAULT_MEDIA_TOKENS,
    ...(settings.counter === undefined ? {} : { counter: settings.counter }),
    ...(settings.isCounted === undefined ? {} : { isCounted: settings.isCounted }),
  });
}

/**
 * What follows from a transcript and the sizes of its messages. The categories are made when they are asked for. `known` is its window, where that
 * was found before.
 */
export function inspectSized(transcript: Transcript, sizes: MessageSizes, settings: InspectionSettings, known?: WindowSize): Inspection {
  const mediaTokens = settings.mediaTokens ?? DEFAULT_MEDIA_TOKENS;
  const usage = contextUsage(transcript, sizes.tokens, sizes.bandOf);
  const window = known ?? windowOf(transcript, settings, largestPrompt(transcript.messages));
  const limitsProfile = settings.limitsProfile ?? 'auto';
  const limits = { maxTokens: window.tokens, maxOutputTokens: window.maxOutputTokens };
  const profile = effectiveProfile(limitsProfile, transcript.format);
  const agent = profile === undefined ? undefined : agentLimit(profile, limits, window.source === 'transcript');
  // The seed's formulas hold for every agent, unless the user chose one's own rule (R17).
  const isChosen = limitsProfile !== 'auto' && agent !== undefined;
  const stateAt = (usedTokens: number): WarningState =>
    warningState({
      ...limits,
      usedTokens,
      autoCompactEnabled: settings.autoCompactEnabled ?? true,
      suppressWarning: false,
      ...(isChosen ? { limits: { autoCompactTokens: agent.compactsAt, blockingTokens: agent.blocksAt ?? window.tokens ?? 0 } } : {}),
    });
  const warning = stateAt(usage.usedTokens);
  const counters = contextCounters(window.tokens, usage, warning, agent);
  let split: CategorySizes | undefined;
  const categories = (): CategorySizes => (split ??= sizeCategories(transcript, sizes.tokens, usage, mediaTokens));
  return {
    transcript,
    sizes,
    window,
    usage,
    warning,
    stateAt,
    limitsProfile,
    agentLimit: agent,
    counters,
    mediaTokens,
    get categories() {
      return categories().categories;
    },
    get unattributedTokens() {
      return categories().unattributedTokens;
    },
  };
}

/** The window of a transcript's next request. `largest` is the largest prompt that was reported, besides what the settings say of it. */
export function windowOf(transcript: Transcript, settings: InspectionSettings, largest: number): WindowSize {
  return contextWindowFor({
    // What the file states is of its own model.
    transcriptTokens: settings.model === undefined ? transcript.windowTokens : undefined,
    override: settings.windowTokens,
    overrides: settings.windowOverrides ?? {},
    model: settings.model ?? transcript.model,
    maxReported: Math.max(largest, settings.largestPromptBefore ?? 0),
    format: transcript.format,
    agentVersion: transcript.agentVersion,
    largestAutoCompact: largestAutoCompact(transcript),
  });
}

/** Largest prompt that any response of the main conversation reported; 0 when none did. */
export function largestPrompt(messages: Iterable<Message>): number {
  let largest = 0;
  for (const message of messages) {
    if (message.usage !== undefined) largest = Math.max(largest, promptTokens(message.usage));
  }
  return largest;
}

/** Largest context that the agent compacted by itself; undefined when it did not. */
function largestAutoCompact({ boundaries }: Transcript): number | undefined {
  const sizes = boundaries
    .filter(({ trigger }) => trigger === 'auto')
    .flatMap(({ preTokens }) => (preTokens === undefined ? [] : [preTokens]));
  return sizes.length === 0 ? undefined : Math.max(...sizes);
}

type CategorySizes = Pick<Inspection, 'categories' | 'unattributedTokens'>;

/**
 * Sizes of the categories, adding up to the tokens in use. The part that was reported is split by the estimates of its messages: what they
 * leave over is `unattributed`; where the estimates exceed the report they are scaled down to it. The tail after the report is taken as
 * estimated; what a reply cost beyond its visible text (hidden reasoning) goes to `thinking`.
 */
export function sizeCategories(
  transcript: Pick<Transcript, 'messages' | 'context'>,
  tokens: readonly number[],
  usage: ContextUsage,
  mediaTokens: number,
): CategorySizes {
  const head = new Map<Category, number>();
  const tail = new Map<Category, number>();
  for (const index of transcript.context) {
    const message = transcript.messages[index];
    if (message === undefined) continue;
    const part = usage.reportedTokens !== undefined && index >= usage.tailFrom ? tail : head;
    for (const share of categoryShares(message, tokens[index] ?? 0, mediaTokens)) add(part, share.category, share.tokens);
  }
  const unattributedTokens = usage.reportedTokens === undefined ? 0 : Math.max(0, usage.reportedTokens - sum(head));
  if (usage.reportedTokens !== undefined && unattributedTokens === 0) scaleTo(head, usage.reportedTokens);
  if (usage.reportedTokens !== undefined) {
    const hidden = usage.estimatedTailTokens - sum(tail);
    if (hidden > 0) add(tail, 'thinking', hidden);
    else if (hidden < 0) scaleTo(tail, usage.estimatedTailTokens);
  } else {
    scaleTo(head, usage.usedTokens);
  }
  add(head, 'unattributed', unattributedTokens);
  const categories = CATEGORIES.map((category) => ({
    category,
    tokens: (head.get(category) ?? 0) + (tail.get(category) ?? 0),
    measurement: 'localEstimate' as const,
  })).filter((entry) => entry.tokens > 0);
  return { categories, unattributedTokens };
}

function add(map: Map<Category, number>, category: Category, tokens: number): void {
  map.set(category, (map.get(category) ?? 0) + tokens);
}

function sum(map: ReadonlyMap<Category, number>): number {
  let total = 0;
  for (const tokens of map.values()) total += tokens;
  return total;
}

/** Scales whole numbers to a given sum; the rounding goes to the largest. */
function scaleTo(map: Map<Category, number>, total: number): void {
  const before = sum(map);
  if (before === 0 || before === total) return;
  let left = total;
  let largest: Category | undefined;
  for (const [category, tokens] of map) {
    const scaled = Math.floor((tokens * total) / before);
    map.set(category, scaled);
    left -= scaled;
    if (largest === undefined || scaled > (map.get(largest) ?? 0)) largest = category;
  }
  if (largest !== undefined) add(map, largest, left);
}
