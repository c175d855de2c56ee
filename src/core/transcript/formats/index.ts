import { claudeCode } from './claudeCode';
import { codex } from './codex';
import type { TranscriptFormat } from './format';

/** All formats that can be read. Where two are equally sure of a file, the earlier one reads it. */
export const FORMATS = [claudeCode, codex] as const satisfies readonly TranscriptFormat[];
