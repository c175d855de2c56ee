import { anthropicMessages } from './anthropicMessages';
import { claudeCode } from './claudeCode';
import { codex } from './codex';
import { copilotChat } from './copilotChat';
import { copilotCli } from './copilotCli';
import { dockerAgent } from './dockerAgent';
import { gemini } from './gemini';
import { openaiChat } from './openaiChat';
import { opencode } from './opencode';
import { pi } from './pi';
import { qwen } from './qwen';
import type { TranscriptFormat } from './format';

/** All formats that can be read. Where two are equally sure of a file, the earlier one reads it. */
export const FORMATS = [
  claudeCode,
  codex,
  gemini,
  qwen,
  copilotCli,
  copilotChat,
  pi,
  dockerAgent,
  opencode,
  anthropicMessages,
  openaiChat,
] as const satisfies readonly TranscriptFormat[];
