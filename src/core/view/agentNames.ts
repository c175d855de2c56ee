import type { FormatId } from '../model/transcript';

/** Names of agents and other sources, by format. */
export const AGENT_NAMES = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  gemini: 'Gemini CLI',
  qwen: 'Qwen Code',
  'docker-agent': 'docker-agent',
  opencode: 'opencode',
  cline: 'Cline',
  roo: 'Roo Code',
  kilo: 'Kilo Code',
  'copilot-chat': 'GitHub Copilot Chat',
  'copilot-cli': 'Copilot CLI',
  continue: 'Continue',
  goose: 'Goose',
  pi: 'pi',
  openhands: 'OpenHands',
  'swe-agent': 'SWE-agent',
  atif: 'ATIF trajectory',
  aider: 'Aider',
  'openai-chat': 'OpenAI chat',
  'openai-responses': 'OpenAI responses',
  'anthropic-messages': 'Anthropic messages',
  'gemini-contents': 'Gemini contents',
  otel: 'OpenTelemetry GenAI',
} as const satisfies Record<FormatId, string>;
