// The JSON of `inspect --json` (schema context-inspector/inspect/v1). Field names are a fixed contract: added to, never renamed.
import type { WireMeasurement } from '../model/measurement';
import type { Category, WindowState } from '../protocol/viewModel';

export interface WireWarning {
  readonly state: WindowState;
  readonly usedTokens: number;
  readonly effectiveInputWindowTokens: number | null;
  readonly thresholdTokens: number | null;
  readonly warningThresholdTokens: number | null;
  readonly errorThresholdTokens: number | null;
  readonly autoCompactThresholdTokens: number | null;
  readonly blockingLimitTokens: number | null;
  readonly percentLeft: number | null;
  readonly isAboveWarningThreshold: boolean;
  readonly isAboveErrorThreshold: boolean;
  readonly isAboveAutoCompactThreshold: boolean;
  readonly isAtBlockingLimit: boolean;
  readonly autoCompactEnabled: boolean;
  readonly warningSuppressed: boolean;
}

export interface WireBoundary {
  readonly index: number;
  readonly id: string;
  readonly timestamp: string | null;
  readonly trigger: string;
  readonly preTokens: number | null;
  readonly postTokens: number | null;
  readonly summaryId: string | null;
  readonly preservedSegment: {
    readonly startIndex: number | null;
    readonly count: number;
    readonly anchor: string | null;
    readonly direction: 'from' | 'up_to' | null;
    readonly ids: readonly string[];
  } | null;
  readonly valid: boolean;
}

export interface WireMessage {
  readonly index: number;
  readonly id: string;
  readonly role: 'user' | 'assistant' | 'system' | 'tool';
  readonly kind: string;
  readonly timestamp: string | null;
  readonly active: boolean;
  readonly tokens: number;
  readonly measurement: WireMeasurement;
  readonly blocks: readonly string[];
  readonly preview: string;
}

export interface InspectReport {
  readonly schema: 'context-inspector/inspect/v1';
  readonly file: string;
  readonly format: string;
  readonly agentVersion: string | null;
  readonly sessionId: string | null;
  readonly model: string | null;
  readonly window: {
    readonly tokens: number | null;
    readonly source: 'transcript' | 'setting' | 'catalogue' | 'assumed' | null;
    readonly maxOutputTokens: number | null;
  };
  readonly usage: {
    readonly usedTokens: number;
    readonly measurement: WireMeasurement;
    readonly reportedTokens: number | null;
    readonly estimatedTailTokens: number;
    readonly errorTokens: number;
    readonly outputTokens: number | null;
    readonly cacheReadTokens: number | null;
    readonly cacheCreationTokens: number | null;
    readonly atMessage: string | null;
  };
  readonly warning: WireWarning;
  /** Whose limits `warning` states, and the rule by which the agent itself compacts beside it; null where none is known. */
  readonly limits: {
    readonly profile: string;
    readonly agent: {
      readonly profile: string;
      readonly compactsAtTokens: number;
      readonly isInclusive: boolean;
      readonly blocksAtTokens: number | null;
      readonly countedTokens: number;
      readonly isDue: boolean;
    } | null;
  };
  /** Numbers for the same context that disagree because they count different things. */
  readonly counters: readonly {
    readonly counter: 'window' | 'usable' | 'until_compact' | 'agent_shows' | 'agent_decides';
    readonly usedTokens: number;
    readonly ofTokens: number;
    readonly percent: number;
    readonly isLeft: boolean;
  }[];
  readonly categories: readonly { readonly category: Category; readonly tokens: number; readonly measurement: WireMeasurement }[];
  readonly totals: {
    readonly responses: number;
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly cacheReadTokens: number;
    readonly cacheCreationTokens: number;
  };
  readonly sidechains: readonly { readonly id: string; readonly messages: number; readonly usedTokens: number }[];
  readonly boundaries: readonly WireBoundary[];
  readonly messages?: readonly WireMessage[];
  readonly diagnostics: readonly { readonly line: number; readonly code: string; readonly severity: 'info' | 'warning' | 'error' }[];
}
