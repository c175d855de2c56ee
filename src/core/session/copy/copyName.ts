import type { FormatId } from '../../model/transcript';

interface Naming {
  fileName(sourceFileName: string, newSessionId: string, now: string): string;
  resume(newSessionId: string): string | null;
}

const NO_AGENT: Naming = {
  fileName: (source, id) => {
    const dot = source.lastIndexOf('.');
    const [stem, ending] = dot > 0 ? [source.slice(0, dot), source.slice(dot)] : [source, ''];
    return `${stem}.compacted-${id.replaceAll('-', '').slice(0, 8)}${ending}`;
  },
  resume: () => null,
};

const NAMING: Partial<Record<FormatId, Naming>> = {
  // The agent finds a session by the name of its file.
  'claude-code': { fileName: (_source, id) => `${id}.jsonl`, resume: (id) => `claude --resume ${id}` },
  codex: {
    fileName: (_source, id, now) => `rollout-${now.slice(0, 19).replaceAll(':', '-')}-${id}.jsonl`,
    resume: (id) => `codex resume ${id}`,
  },
};

/** Name of a copy's file beside its source. `now` is ISO 8601; the id is one of our own, so the name holds nothing of a transcript. */
export function copyFileName(format: FormatId, sourceFileName: string, newSessionId: string, now: string): string {
  return (NAMING[format] ?? NO_AGENT).fileName(sourceFileName, newSessionId, now);
}

/** Command that goes on from the copy; null where no agent goes on from a file of this format. */
export function resumeCommand(format: FormatId, newSessionId: string): string | null {
  return (NAMING[format] ?? NO_AGENT).resume(newSessionId);
}
