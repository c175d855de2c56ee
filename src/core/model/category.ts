/** What fills the window. `systemPrompt` and `tools` are known only where the transcript holds them. */
export type Category =
  | 'systemPrompt'
  | 'tools'
  | 'mcpTools'
  | 'memory'
  | 'summary'
  | 'user'
  | 'assistant'
  | 'thinking'
  | 'toolResults'
  | 'images'
  | 'unattributed';

/** Fixed order, so that colours and segments never change places. */
export const CATEGORIES: readonly Category[] = [
  'systemPrompt',
  'tools',
  'mcpTools',
  'memory',
  'summary',
  'user',
  'assistant',
  'thinking',
  'toolResults',
  'images',
  'unattributed',
];
