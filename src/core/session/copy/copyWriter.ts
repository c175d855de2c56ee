import type { Message } from '../../model/message';
import type { FormatId } from '../../model/transcript';
import { CompactError } from '../../errors/compactError';
import { writeClaudeCodeCopy } from './claudeCode';
import { writeCodexCopy } from './codex';
import { keptMessages, type Copy, type CopyInput, type CopyWriter } from './copyInput';
import { writeDockerAgentCopy } from './dockerAgent';
import { withoutRepeatedResults, writeGeminiCopy } from './gemini';
import { writeMessagesCopy } from './messages';
import { withoutEmpty, writeOpencodeCopy } from './opencode';
import { writePiCopy } from './pi';
import { writeQwenCopy } from './qwen';
import { snapshotText, THANKS } from './snapshot';

export type { CopyInput } from './copyInput';

/** How copies of a format are written, and where they read back otherwise than as summary and kept messages. */
interface CopyForm {
  readonly write: CopyWriter;
  /** The summary as its message says it; absent: word for word. */
  readonly summaryText?: (summary: string) => string;
  /** What stands behind the summary in the model's name. */
  readonly thanks?: string;
  /** The messages that are copied of those that a plan keeps. */
  readonly copied?: (kept: readonly Message[]) => readonly Message[];
}

const COPY_FORMS: Partial<Record<FormatId, CopyForm>> = {
  'claude-code': { write: writeClaudeCodeCopy },
  codex: { write: writeCodexCopy },
  gemini: { write: writeGeminiCopy, summaryText: snapshotText, thanks: THANKS, copied: withoutRepeatedResults },
  qwen: { write: writeQwenCopy, summaryText: snapshotText, thanks: THANKS },
  'docker-agent': { write: writeDockerAgentCopy },
  opencode: { write: writeOpencodeCopy, copied: withoutEmpty },
  pi: { write: writePiCopy },
  'anthropic-messages': { write: writeMessagesCopy },
  'openai-chat': { write: writeMessagesCopy },
};

/**
 * Makes the records of a new session in the source's own format: summary and kept messages, in the order of the plan. Throws CompactError
 * `staleSource` when a kept message is no longer where the transcript says, and `notSupported` for a format that no copy can be written in.
 */
export function buildCopy(input: CopyInput): Copy {
  const form = COPY_FORMS[input.transcript.format];
  if (form === undefined) throw new CompactError('notSupported', `no copy is written in the format ${input.transcript.format}`);
  try {
    return form.write(input);
  } catch (error) {
    // All that a copy is made of was read as JSON, so the source is another by now.
    throw error instanceof SyntaxError ? new CompactError('staleSource', undefined, { cause: error }) : error;
  }
}

/** True for a format that compacted copies can be written in. Each of them can say every kind: full, up to, from and micro. */
export function canWriteCopy(format: FormatId): boolean {
  return COPY_FORMS[format] !== undefined;
}

/** How a summary reads back from a copy of a format: its message's text, and what stands behind it in the model's name. */
export function copiedSummary(format: FormatId, summary: string): { readonly text: string; readonly thanks: string | undefined } {
  const form = COPY_FORMS[format];
  return { text: form?.summaryText?.(summary) ?? summary, thanks: form?.thanks };
}

/** The kept messages that stand in the copy. */
export function copiedMessages(input: Pick<CopyInput, 'transcript' | 'plan'>): readonly Message[] {
  const kept = keptMessages(input);
  return COPY_FORMS[input.transcript.format]?.copied?.(kept) ?? kept;
}
