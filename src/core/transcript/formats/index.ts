import { anthropicMessages } from './anthropicMessages';
import { claudeCode } from './claudeCode';
import { codex } from './codex';
import { copilotCli } from './copilotCli';
import { gemini } from './gemini';
import { openaiChat } from './openaiChat';
import { dockerAgent } from './dockerAgent';
import { opencode } from './opencode';
import { qwen } from './qwen';
import type { TranscriptFormat } from './format';

/** All formats that can be read. Where two are equally sure of a file, the earlier one reads it. */
export const FORMATS = [
  claudeCode,
  codex,
  gemini,
  qwen,
  copilotCli,
  dockerAgent,
  opencode,
  anthropicMessages,
  openaiChat,
] as const satisfies readonly TranscriptFormat[];
