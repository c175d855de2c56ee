import type { FormatId } from '../../model/transcript';

interface Naming {
  /** Where ids are no UUIDs. */
  sessionId?(uuid: string): string;
  fileName(sourceFileName: string, newSessionId: string, now: string): string;
  /** `path` is that of the copy, quoted for a shell. */
  resume(newSessionId: string, path: string): string | null;
}

const NO_AGENT: Naming = {
  fileName: (source, id) => {
    const dot = source.lastIndexOf('.');
    const [stem, ending] = dot > 0 ? [source.slice(0, dot), source.slice(dot)] : [source, ''];
    return `${stem}.compacted-${id.replaceAll('-', '').slice(0, 8)}${ending}`;
  },
  resume: () => null,
};

/** The copy of a database or folder is one document. */
function documentName(source: string, id: string): string {
  return `${source.replace(/[.#].*$/s, '') || 'session'}.compacted-${id.replace(/^ses_/, '').replaceAll('-', '').slice(0, 8)}.json`;
}

const NAMING: Partial<Record<FormatId, Naming>> = {
  // The agent finds a session by the name of its file.
  'claude-code': { fileName: (_source, id) => `${id}.jsonl`, resume: (id) => `claude --resume ${id}` },
  codex: {
    fileName: (_source, id, now) => `rollout-${dashed(now, 19)}-${id}.jsonl`,
    resume: (id) => `codex resume ${id}`,
  },
  gemini: {
    fileName: (source, id, now) => `session-${dashed(now, 16)}-${id.slice(0, 8)}${source.endsWith('.json') ? '.json' : '.jsonl'}`,
    resume: (id) => `gemini --resume ${id}`,
  },
  'docker-agent': { fileName: documentName, resume: () => null },
  opencode: {
    // Ids have 26 digits behind their mark.
    sessionId: (uuid) => `ses_${uuid.replaceAll('-', '').slice(0, 26)}`,
    fileName: documentName,
    resume: (id, path) => `opencode import ${path} && opencode --session ${id}`,
  },
  qwen: { fileName: (_source, id) => `${id}.jsonl`, resume: (id) => `qwen --resume ${id}` },
  pi: {
    fileName: (_source, id, now) => `${dashed(now.replaceAll('.', '-'), 24)}_${id}.jsonl`,
    resume: (_id, path) => `pi --session ${path}`,
  },
};

/** Name of a copy's file beside its source. `now` is ISO 8601; the id is one of our own, so the name holds nothing of a transcript. */
export function copyFileName(format: FormatId, sourceFileName: string, newSessionId: string, now: string): string {
  return (NAMING[format] ?? NO_AGENT).fileName(sourceFileName, newSessionId, now);
}

/** Id of the new session in the agent's form, made of a UUID. */
export function copySessionId(format: FormatId, uuid: string): string {
  return (NAMING[format] ?? NO_AGENT).sessionId?.(uuid) ?? uuid;
}

/** Command for a shell that goes on from the copy at a path; null where no agent goes on from a file of this format. */
export function resumeCommand(format: FormatId, newSessionId: string, path: string): string | null {
  return (NAMING[format] ?? NO_AGENT).resume(newSessionId, quoted(path));
}

/** True for a format whose agent has a command that goes on from a copy. */
export function canResume(format: FormatId): boolean {
  return resumeCommand(format, 'id', 'path') !== null;
}

/** Agents write times in file names without colons. */
function dashed(time: string, length: number): string {
  return time.slice(0, length).replaceAll(':', '-');
}

/** A path as one word of a shell's command; most need no marks. */
function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
