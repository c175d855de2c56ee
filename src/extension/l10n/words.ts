import type { Category, LimitKind, ViewMeasurement, WindowState } from '../../core/protocol/viewModel';
import type { Translate } from './translate';

const STATES = {
  normal: 'OK',
  warning: 'Filling up',
  error: 'Nearly full',
  autoCompact: 'Compacts next',
  blocked: 'Blocked',
  unknown: 'Unknown window',
} as const satisfies Record<WindowState, string>;

const CATEGORIES = {
  systemPrompt: 'System prompt',
  tools: 'Built-in tools',
  mcpTools: 'MCP tools',
  memory: 'Memory files',
  summary: 'Compaction summary',
  user: 'User',
  assistant: 'Assistant',
  thinking: 'Thinking',
  toolResults: 'Tool results',
  images: 'Images',
  unattributed: 'Not in the file',
} as const satisfies Record<Category, string>;

const LIMITS = {
  warning: 'Warning',
  error: 'Error',
  autoCompact: 'Auto-compact',
  blocked: 'Blocked',
} as const satisfies Record<LimitKind, string>;

/** Signs of where a number comes from, as a prefix: nothing for a reported one. */
const SIGNS = { reported: '', derived: '', estimate: '~', lowerBound: '≥', unknown: '~' } as const satisfies Record<
  ViewMeasurement,
  string
>;

export function stateWord(state: WindowState, t: Translate): string {
  return t(STATES[state]);
}

/** True for a state's name; entries of the list carry it as plain text. */
export function isWindowState(text: string): text is WindowState {
  return Object.hasOwn(STATES, text);
}

export function categoryWord(category: Category, t: Translate): string {
  return t(CATEGORIES[category]);
}

export function limitWord(kind: LimitKind, t: Translate): string {
  return t(LIMITS[kind]);
}

export function measurementPrefix(measurement: ViewMeasurement): string {
  return SIGNS[measurement];
}
