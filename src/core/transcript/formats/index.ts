import { aider } from './aider';
import { anthropicMessages } from './anthropicMessages';
import { atif } from './atif';
import { claudeCode } from './claudeCode';
import { cline, kilo, roo } from './cline';
import { codex } from './codex';
import { continueDev } from './continue';
import { copilotChat } from './copilotChat';
import { copilotCli } from './copilotCli';
import { dockerAgent } from './dockerAgent';
import { gemini } from './gemini';
import { geminiContents } from './geminiContents';
import { goose } from './goose';
import { openaiChat } from './openaiChat';
import { openaiResponses } from './openaiResponses';
import { opencode } from './opencode';
import { openhands } from './openhands';
import { otel } from './otel';
import { pi } from './pi';
import { qwen } from './qwen';
import { sweAgent } from './sweAgent';
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
  openhands,
  sweAgent,
  atif,
  otel,
  dockerAgent,
  opencode,
  cline,
  roo,
  kilo,
  continueDev,
  goose,
  aider,
  anthropicMessages,
  openaiChat,
  openaiResponses,
  geminiContents,
] as const satisfies readonly TranscriptFormat[];
