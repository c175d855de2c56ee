import { basename } from 'node:path';
import { inspectTranscript } from '../../core/session/inspection';
import { wireMeasurement } from '../../core/model/measurement';
import { AGENT_NAMES, sessionTitle } from '../../core/view/sessionView';
import { discoverSessions, type AgentFolders, type FoundSession } from '../sources/discovery';
import { openTranscript } from '../sources/transcriptFiles';
import type { DiscoverOptions, SessionEntry } from './contract';

/** Sessions larger than this are listed without numbers until they are opened. */
const MEASURED_BYTES = 32 * 1024 * 1024;
/** Newest sessions whose numbers are read; the rest is listed by name and time. */
const MEASURED_SESSIONS = 40;
const MEASURED_SUBAGENTS = 20;

interface Known {
  readonly size: number;
  readonly mtimeMs: number;
  readonly entry: SessionEntry;
}

/** Entries of unchanged files, so that a refresh reads only what was written to since. */
const known = new Map<string, Known>();
const KNOWN_LIMIT = 2000;

/** Lists sessions newest first, with their numbers by the bytes heuristic (no tokenizer is loaded). A file that can't be read has none. */
export async function listSessions(
  options: DiscoverOptions,
  folders: AgentFolders,
  signal?: AbortSignal,
): Promise<{ readonly sessions: readonly SessionEntry[]; readonly lookedIn: readonly string[] }> {
  const { sessions: found, lookedIn } = await discoverSessions(options, folders, signal);
  const sessions: SessionEntry[] = [];
  let subagents = 0;
  for (const [order, session] of found.entries()) {
    signal?.throwIfAborted();
    const entry = await entryOf(session, order < MEASURED_SESSIONS);
    const below: SessionEntry[] = [];
    for (const child of session.subagents) {
      signal?.throwIfAborted();
      below.push({ ...(await entryOf(child, subagents++ < MEASURED_SUBAGENTS)), parentPath: session.path });
    }
    sessions.push(below.length === 0 ? entry : { ...entry, subagents: below });
  }
  return { sessions, lookedIn };
}

async function entryOf(session: FoundSession, isNear: boolean): Promise<SessionEntry> {
  const measure = isNear && session.size <= MEASURED_BYTES;
  const before = known.get(session.path);
  if (before !== undefined && before.size === session.size && before.mtimeMs === session.mtimeMs) return before.entry;
  const entry = measure ? await measured(session).catch(() => unmeasured(session)) : unmeasured(session);
  if (measure) {
    if (known.size >= KNOWN_LIMIT) known.clear();
    known.set(session.path, { size: session.size, mtimeMs: session.mtimeMs, entry });
  }
  return entry;
}

function unmeasured(session: FoundSession): SessionEntry {
  const fileName = basename(session.path);
  return {
    path: session.path,
    fileName,
    format: session.format,
    agent: AGENT_NAMES[session.format],
    sessionId: session.sessionId ?? null,
    title: session.title ?? fileName,
    model: null,
    usedTokens: null,
    measurement: 'unknown',
    windowTokens: null,
    percentUsed: null,
    state: 'unknown',
    lastActivityMs: session.mtimeMs,
    bytes: session.size,
  };
}

async function measured(session: FoundSession): Promise<SessionEntry> {
  const file = await openTranscript(session.path, { watch: false, pollMs: 0 });
  try {
    const inspection = inspectTranscript(file.transcript, {});
    const { transcript, usage, window, warning } = inspection;
    const fileName = basename(session.path);
    return {
      ...unmeasured(session),
      format: transcript.format,
      agent: AGENT_NAMES[transcript.format],
      sessionId: transcript.sessionId ?? session.sessionId ?? null,
      title: sessionTitle(inspection, fileName),
      model: transcript.model ?? null,
      usedTokens: usage.usedTokens,
      measurement: wireMeasurement(usage.measurement),
      windowTokens: window.tokens ?? null,
      percentUsed: window.tokens === undefined || window.tokens <= 0 ? null : (usage.usedTokens / window.tokens) * 100,
      state: warning.state,
    };
  } finally {
    file.dispose();
  }
}
