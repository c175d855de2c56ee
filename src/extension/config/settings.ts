// Every setting of this version, in one place. A test compares this record with the manifest's configuration.
import { AGENT_PROFILES, type LimitsProfile } from '../../core/window/agentLimits';
import { DEFAULT_MAX_OUTPUT_TOKENS } from '../../core/compaction/summarySize';
import { bool, dictionaryOf, listOf, oneOf, text, whole, type Shape } from '../../core/util/shape';
import { isPriceOverride, type PriceOverride } from '../../core/window/prices';

export type SettingScope = 'window' | 'resource' | 'machine' | 'application';

export interface Setting<T> {
  readonly default: T;
  readonly scope: SettingScope;
  /** A workspace that is not trusted may not set it (`restrictedConfigurations` of the manifest). */
  readonly restricted?: true;
  /** Values that pass are used, all others count as not set. */
  readonly shape: Shape;
}

/** Agents of this version, by the id of their format. */
export const AGENTS = [
  'claude-code',
  'codex',
  'gemini',
  'qwen',
  'docker-agent',
  'opencode',
  'cline',
  'roo',
  'kilo',
  'copilot-chat',
  'copilot-cli',
  'continue',
  'goose',
  'pi',
  'openhands',
  'swe-agent',
  'atif',
  'aider',
] as const;

export const SETTINGS = {
  'agents.enabled': setting<readonly string[]>([...AGENTS], 'window', listOf(oneOf(...AGENTS), AGENTS.length)),
  'transcripts.paths': restricted<Readonly<Record<string, readonly string[]>>>({}, dictionaryOf(listOf(text(4096), 100), 50)),
  'transcripts.include': setting<'workspace' | 'all'>('workspace', 'window', oneOf('workspace', 'all')),
  'watch.enabled': setting<boolean>(true, 'window', bool),
  'watch.pollInterval': setting<number>(2000, 'machine', whole(250, 60_000)),
  'statusBar.visibility': setting<'whenActive' | 'always' | 'never'>('whenActive', 'window', oneOf('whenActive', 'always', 'never')),
  'statusBar.format': setting<'percent' | 'tokens' | 'both' | 'remaining'>(
    'percent',
    'window',
    oneOf('percent', 'tokens', 'both', 'remaining'),
  ),
  'window.overrides': setting<Readonly<Record<string, number>>>({}, 'window', dictionaryOf(whole(1, 1e8), 1000)),
  'limits.profile': setting<LimitsProfile>('auto', 'window', oneOf('auto', 'seed', ...AGENT_PROFILES)),
  'tokenizer.encoding': setting<'auto' | 'o200k_base' | 'cl100k_base' | 'chars'>(
    'auto',
    'window',
    oneOf('auto', 'o200k_base', 'cl100k_base', 'chars'),
  ),
  'tokenizer.imageTokens': setting<number>(1600, 'window', whole(0, 100_000)),
  'compaction.keepMessages': setting<number>(10, 'window', whole(1, 100_000)),
  'summarizer.provider': restricted<'offline' | 'vscode' | 'openai'>('offline', oneOf('offline', 'vscode', 'openai')),
  'summarizer.maxOutputTokens': setting<number>(DEFAULT_MAX_OUTPUT_TOKENS, 'window', whole(500, 100_000)),
  'pricing.overrides': setting<Readonly<Record<string, PriceOverride>>>({}, 'application', dictionaryOf(isPriceOverride, 1000)),
  'summarizer.instructions': setting<string>('', 'resource', text(10_000)),
  'vscodeLm.model': setting<string>('', 'application', text(256)),
  'openai.baseUrl': restricted<string>('https://api.openai.com/v1', text(2048)),
  'openai.model': restricted<string>('', text(256)),
  'openai.headers': restricted<Readonly<Record<string, string>>>({}, dictionaryOf(text(8192), 100)),
  'openai.timeoutSeconds': setting<number>(120, 'application', whole(1, 3600)),
  'notifications.level': setting<'off' | 'blocked' | 'autoCompact' | 'error' | 'warning'>(
    'autoCompact',
    'window',
    oneOf('off', 'blocked', 'autoCompact', 'error', 'warning'),
  ),
  'automatic.enabled': setting<boolean>(false, 'machine', bool),
  'automatic.maxPerHour': setting<number>(6, 'machine', whole(1, 60)),
  'compaction.ofSummary': setting<boolean>(false, 'window', bool),
} as const;

export type SettingKey = keyof typeof SETTINGS;
export type Settings = { readonly [K in SettingKey]: (typeof SETTINGS)[K] extends Setting<infer T> ? T : never };

/** Where a value was set; the form of VS Code's `WorkspaceConfiguration.inspect`. */
export interface SettingLayers {
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

/**
 * Chooses among the layers of one setting. The nearest layer wins, but a machine or application setting is never taken from a workspace,
 * trusted or not: a cloned repository may not choose where transcripts and keys go. Undefined when no layer has a usable value.
 */
export function chooseLayer(spec: { readonly scope: SettingScope; readonly shape: Shape }, layers: SettingLayers): unknown {
  const personal = spec.scope === 'machine' || spec.scope === 'application';
  const values = personal ? [layers.globalValue] : [layers.workspaceFolderValue, layers.workspaceValue, layers.globalValue];
  return values.find((value) => value !== undefined && spec.shape(value));
}

/** Reads all settings; what is missing or malformed has its default. */
export function readSettings(layersOf: (key: SettingKey) => SettingLayers): Settings {
  const values = Object.entries(SETTINGS).map(([key, spec]) => [key, chooseLayer(spec, layersOf(key as SettingKey)) ?? spec.default]);
  return Object.fromEntries(values) as Settings;
}

function setting<T>(value: T, scope: SettingScope, shape: Shape): Setting<T> {
  return { default: value, scope, shape };
}

function restricted<T>(value: T, shape: Shape): Setting<T> {
  return { default: value, scope: 'machine', restricted: true, shape };
}
