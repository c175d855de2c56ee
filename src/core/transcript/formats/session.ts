// What the formats share that are read as a whole: databases, folders, documents, and lists whose records need no state of those before.
import type { CompactBoundary } from '../../model/boundary';
import type { ContentBlock, Message } from '../../model/message';
import type { ContextReport, Diagnostic, FormatId, Sidechain, Transcript } from '../../model/transcript';
import { sessionTotals } from '../../tokens/sessionTotals';
import { isRecord } from '../../util/json';
import { toWellFormed } from '../../util/text';
import { inLineOrder, nextModel } from '../assemble';
import { nestsDeeperThan, parseJson } from '../jsonText';
import { DEFAULT_LINE_LIMITS, type SourceRecord } from '../lineReader';
import type { RecordCollector } from './format';

/** What an adapter tells of a session; what is absent is unknown, and without `context` all messages are in it. */
export interface SessionDraft {
  readonly messages: readonly Message[];
  readonly context?: readonly number[] | undefined;
  readonly boundaries?: readonly CompactBoundary[];
  readonly sidechains?: readonly Sidechain[];
  readonly reports?: readonly ContextReport[] | undefined;
  readonly agentVersion?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly cwd?: string | undefined;
  readonly title?: string | undefined;
  readonly model?: string | undefined;
  readonly windowTokens?: number | undefined;
  /** Requests that stand in no message, such as those that a rewind took back: they were paid for all the same. */
  readonly otherRequests?: readonly Message[];
  readonly diagnostics?: readonly Diagnostic[];
}

/** Collects records and has them read as a whole each time. */
export class SessionCollector implements RecordCollector {
  readonly #format: FormatId;
  readonly #read: (records: readonly SourceRecord[]) => SessionDraft;
  readonly #records: SourceRecord[] = [];

  constructor(format: FormatId, read: (records: readonly SourceRecord[]) => SessionDraft) {
    this.#format = format;
    this.#read = read;
  }

  add(record: SourceRecord): void {
    this.#records.push(record);
  }

  assemble(tail: readonly SourceRecord[], damage: readonly Diagnostic[]): Transcript {
    return transcriptFrom(this.#format, this.#read([...this.#records, ...tail]), damage);
  }
}

/** A boundary of which the format tells no more than its place and its summary. */
export function plainBoundary(index: number, boundary: Message, more: Partial<CompactBoundary>): CompactBoundary {
  return {
    index,
    id: boundary.id,
    timestamp: boundary.timestamp,
    trigger: 'unknown',
    preTokens: undefined,
    postTokens: undefined,
    durationMs: undefined,
    summaryId: undefined,
    preservedSegment: undefined,
    valid: true,
    ...more,
  };
}

/** A call whose arguments are a value, or text that holds one. */
export function callBlock(id: string, name: string, args: unknown): ContentBlock {
  const named = { type: 'toolUse', id, name: toWellFormed(name) } as const;
  if (typeof args !== 'string') return { ...named, input: args };
  const value = jsonOf(args);
  return { ...named, input: isRecord(value) ? value : args, rawInput: toWellFormed(args) };
}

/** The value of JSON text that stands inside of a record; undefined for what is none or nests too deep. */
export function jsonOf(text: unknown): unknown {
  if (typeof text !== 'string' || nestsDeeperThan(text, DEFAULT_LINE_LIMITS.maxDepth)) return undefined;
  return parseJson(text);
}

/** Milliseconds or seconds since 1970 as ISO 8601; undefined for what is no such time. */
export function isoTime(value: unknown, unit: 'ms' | 's' = 'ms'): string | undefined {
  if (typeof value !== 'number') return undefined;
  const ms = unit === 's' ? value * 1000 : value;
  return Number.isFinite(ms) && ms > 0 && ms < 8.64e15 ? new Date(ms).toISOString() : undefined;
}

function transcriptFrom(format: FormatId, draft: SessionDraft, damage: readonly Diagnostic[]): Transcript {
  const { messages, sidechains = [], otherRequests = [] } = draft;
  const diagnostics = [...damage, ...(draft.diagnostics ?? [])];
  if (messages.length === 0) diagnostics.push({ line: 0, code: 'no_messages', severity: 'info' });
  return {
    format,
    agentVersion: draft.agentVersion,
    sessionId: draft.sessionId,
    cwd: draft.cwd,
    title: draft.title,
    model: draft.model ?? nextModel(messages),
    windowTokens: draft.windowTokens,
    messages,
    context: draft.context ?? messages.map((_, index) => index),
    boundaries: draft.boundaries ?? [],
    sidechains,
    reports: draft.reports,
    totals: sessionTotals([...messages, ...sidechains.flatMap((chain) => chain.messages), ...otherRequests]),
    diagnostics: inLineOrder(diagnostics),
  };
}
