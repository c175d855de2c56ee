import type { Message } from '../../../src/core/model/message';
import { wireMeasurement } from '../../../src/core/model/measurement';
import { promptTokens } from '../../../src/core/model/usage';
import type { CompactBoundary } from '../../../src/core/model/boundary';
import { NEUTRAL_ESTIMATOR } from '../../../src/core/tokens/estimator';
import { measureMessages } from '../../../src/core/tokens/sizes';
import { sessionTotals } from '../../../src/core/tokens/sessionTotals';
import { liveChain } from '../../../src/core/transcript/chain';
import { readTranscript } from '../../../src/core/transcript/readTranscript';
import { dayKey } from '../../../src/core/util/dayKey';
import { arrayOf, field, isRecord, recordOf, stringOf, type JsonRecord } from '../../../src/core/util/json';
import { contextUsage, type ContextUsage, type ContextView } from '../../../src/core/window/contextUsage';
import { contextWindowFor } from '../../../src/core/window/windowSize';
import { warningState } from '../../../src/core/window/warningState';
import type { CaseAdapter, CaseCall } from '../caseTypes';

/** Use of the context and totals of a session. */
export const accounting: CaseAdapter = {
  functions: {
    currentUsage: (call) => {
      const file = stringOf(call.input, 'file');
      return file === undefined ? usageOfMessages(call) : usageOfFile(file);
    },
    sessionTotals: ({ messages }) => {
      const { responses, ...totals } = sessionTotals(messages);
      return { responses, totals };
    },
    dayKey: ({ args }) => dayKey(stringOf(args, 'timestamp') ?? '', stringOf(args, 'timeZone') ?? 'UTC'),
  },
  properties: {
    P20: (call) => {
      const { usedTokens } = contextOf(call.messages);
      return Number.isFinite(usedTokens) && usedTokens >= 0 ? undefined : `usedTokens is ${usedTokens}`;
    },
    P25: (call) => staleProperty(call.messages),
    P26: (call) => duplicateProperty(call.messages),
    P40: ({ input }) => chainProperty(arrayOf(input, 'messages') ?? []),
    P27: (call) => {
      const before = contextOf(call.messages);
      const after = contextOf(call.messages.filter((message) => message.isSidechain !== true));
      return before.usedTokens === after.usedTokens ? undefined : 'side chains change the context';
    },
  },
};

function usageOfFile(file: string): unknown {
  const transcript = readTranscript(new TextEncoder().encode(file));
  const usage = contextUsage(transcript, measureMessages(transcript, {}).tokens);
  return { ...neutral(usage), windowTokens: transcript.windowTokens };
}

function usageOfMessages(call: CaseCall): unknown {
  const raw = arrayOf(call.input, 'messages') ?? [];
  const live = livePositions(raw);
  const messages = live.map((position) => call.messages[position]).filter((message) => message !== undefined);
  const preserved = new Set(messages.filter((_, at) => isPreserved(raw[live[at] ?? -1])));
  const shown = neutral(contextOf(messages, preserved));
  const reports = messages.map((message) => (message.usage === undefined ? 0 : promptTokens(message.usage)));
  const window = contextWindowFor({
    overrides: windows(recordOf(call.args, 'windows') ?? {}),
    model: messages.reduce<string | undefined>((model, message) => message.modelForNext ?? message.model ?? model, undefined),
    maxReported: Math.max(0, ...reports),
  });
  const warning = warningState({
    maxTokens: window.tokens,
    maxOutputTokens: window.maxOutputTokens,
    usedTokens: shown.usedTokens,
    autoCompactEnabled: true,
    suppressWarning: false,
  });
  return { ...shown, windowTokens: window.tokens, percentLeft: warning.percentLeft, activeUuids: messages.map(({ id }) => id) };
}

function isPreserved(raw: unknown): boolean {
  return isRecord(raw) && field(raw, 'preserved') === true;
}

/** The cases' `usedTokens` is the reported part where there is one. */
function neutral(usage: ContextUsage): { readonly usedTokens: number; readonly measurement: string } {
  return { usedTokens: usage.reportedTokens ?? usage.usedTokens, measurement: wireMeasurement(usage.measurement) };
}

function contextOf(messages: readonly Message[], preserved: ReadonlySet<Message> = new Set()): ContextUsage {
  const view = viewOf(messages, preserved);
  return contextUsage(view, view.messages.map(sizeOf));
}

function sizeOf(message: Message): number {
  return message.kind === 'boundary' ? 0 : NEUTRAL_ESTIMATOR.contentTokensOf(message);
}

/** The view that a reader makes: preserved messages keep their place before the boundary, and are in the context after it. */
function viewOf(all: readonly Message[], preserved: ReadonlySet<Message>): ContextView {
  const main = all.filter((message) => message.isSidechain !== true);
  const last = main.findLastIndex((message) => message.kind === 'boundary');
  const isMoved = (message: Message, index: number): boolean => index > last && preserved.has(message);
  const before = main.slice(0, Math.max(last, 0));
  const messages = last < 0 ? main : [...before, ...main.filter(isMoved), ...main.slice(last).filter((message) => !preserved.has(message))];
  const place = new Map(messages.map((message, index) => [message, index]));
  const context = main.filter((message, index) => index > last || preserved.has(message)).map((message) => place.get(message) ?? -1);
  const boundaries = messages.flatMap((message, index) => (message.kind === 'boundary' ? [boundaryAt(message, index)] : []));
  return { messages, boundaries, context, reports: undefined };
}

function boundaryAt(message: Message, index: number): CompactBoundary {
  return {
    index,
    id: message.id,
    timestamp: undefined,
    trigger: 'auto',
    preTokens: undefined,
    postTokens: undefined,
    durationMs: undefined,
    summaryId: undefined,
    preservedSegment: undefined,
    valid: true,
  };
}

/** Positions of the live branch where the messages name parents, else all. */
function livePositions(raw: readonly unknown[]): readonly number[] {
  const records = raw.map((item) => (isRecord(item) ? item : {}));
  if (!records.some((record) => Object.hasOwn(record, 'parentUuid'))) return records.map((_, index) => index);
  const nodes = records.map((record, index) => ({
    id: stringOf(record, 'uuid'),
    parentId: parentOf(record),
    isSidechain: field(record, 'isSidechain') === true,
    canBeLeaf: true,
    messageId: stringOf(record, 'role') === 'assistant' ? stringOf(record, 'id') : undefined,
    line: index + 1,
  }));
  return liveChain(nodes).chain;
}

function parentOf(record: JsonRecord): string | null | undefined {
  return field(record, 'parentUuid') === null ? null : stringOf(record, 'parentUuid');
}

function windows(record: JsonRecord): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(record).flatMap(([model, tokens]) => (typeof tokens === 'number' ? [[model, tokens]] : [])));
}

/** P40: the live branch repeats nothing and ends at the newest leaf. */
function chainProperty(raw: readonly unknown[]): string | undefined {
  const live = livePositions(raw);
  if (new Set(live).size !== live.length) return 'the live branch repeats a message';
  return raw.length === 0 || live.at(-1) === raw.length - 1 ? undefined : 'the live branch does not end at the newest leaf';
}

/** P25: what stands before the boundary, and the compaction's own call, say nothing about the context. */
function staleProperty(messages: readonly Message[]): string | undefined {
  const boundary = messages.findLastIndex((message) => message.kind === 'boundary');
  const loud = { inputTokens: 77_777, outputTokens: 1, cacheReadTokens: 0, cacheCreationTokens: 0 };
  const changed = messages.map((message, index) =>
    message.role === 'assistant' && (index < boundary || message.isCompactionReply === true) ? { ...message, usage: loud } : message,
  );
  return contextOf(messages).reportedTokens === contextOf(changed).reportedTokens ? undefined : 'a stale report is used';
}

/** P26: a record that is written twice changes no total. */
function duplicateProperty(messages: readonly Message[]): string | undefined {
  const before = JSON.stringify(sessionTotals(messages));
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'assistant' || message.messageId === undefined) continue;
    const doubled = [...messages.slice(0, index + 1), message, ...messages.slice(index + 1)];
    if (JSON.stringify(sessionTotals(doubled)) !== before) return `writing ${message.id} twice changes the totals`;
  }
  const { usedTokens } = contextOf(messages);
  return Number.isFinite(usedTokens) && usedTokens >= 0 ? undefined : 'usedTokens is no number';
}
