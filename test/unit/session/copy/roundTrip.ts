// Compacts a session, reads the copy back and compares it with what the plan says.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { CompactionPlan, PlanRequest } from '../../../../src/core/compaction/plan';
import { partitionFor } from '../../../../src/core/compaction/strategies/index';
import { planOf } from '../../../../src/core/compaction/strategies/partition';
import type { Message } from '../../../../src/core/model/message';
import { isToolResult, isToolUse } from '../../../../src/core/model/message';
import type { Transcript } from '../../../../src/core/model/transcript';
import type { IdSource } from '../../../../src/core/ports/clock';
import type { Copy, CopyInput } from '../../../../src/core/session/copy/copyInput';
import { buildCopy, copiedMessages, copiedSummary } from '../../../../src/core/session/copy/copyWriter';
import { readTranscript } from '../../../../src/core/transcript/readTranscript';

export const NEW_ID = 'c0ffee00-0000-4000-8000-000000000000';
export const NOW = '2026-11-30T12:00:00.000Z';
export const SUMMARY = 'This session goes on from an earlier one.\n\nSummary: "the pebbles" \\ 😀 were counted.';

export interface Session {
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly lines: readonly string[];
  readonly transcript: Transcript;
}

export interface RoundTrip {
  readonly source: Session;
  readonly plan: CompactionPlan;
  readonly copy: Copy;
  /** The copy as it is read back. */
  readonly read: Transcript;
  readonly kept: readonly Message[];
}

export function session(text: string | Uint8Array): Session {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const decoded = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return { bytes, text: decoded, lines: decoded.split('\n'), transcript: readTranscript(bytes) };
}

export function countingIds(): IdSource {
  let last = 0;
  return { uuid: () => `00000000-0000-4000-8000-${String(++last).padStart(12, '0')}` };
}

/** The plan of a request, however small the summarized part is; undefined when the planner refuses. */
export function planFor({ transcript }: Session, request: PlanRequest): CompactionPlan | undefined {
  const { messages, context } = transcript;
  const input = { messages, context, tokens: messages.map(() => 10), unattributedTokens: 0, revision: 1 };
  const partition = partitionFor(request, input);
  return partition.outcome === 'refusal' ? undefined : planOf(input, partition);
}

export function copyInput(source: Session, plan: CompactionPlan, more: Partial<CopyInput> = {}): CopyInput {
  return {
    transcript: source.transcript,
    plan,
    lines: (line) => source.lines[line - 1],
    lineCount: source.lines.length,
    document: source.text,
    summary: SUMMARY,
    newSessionId: NEW_ID,
    ids: countingIds(),
    now: NOW,
    tokens: { before: 2000, after: 500 },
    ...more,
  };
}

export function roundTrip(source: Session, plan: CompactionPlan): RoundTrip {
  const copy = buildCopy(copyInput(source, plan));
  const read = session(copy.records.map((record) => `${record}\n`).join('')).transcript;
  return { source, plan, copy, read, kept: copiedMessages({ transcript: source.transcript, plan }) };
}

/** The rules that hold for every format: order, content, pairs, no usage, no damage, a new identity. */
export function assertFaithful({ source, plan, read, kept }: RoundTrip): void {
  assert.equal(read.format, source.transcript.format);
  const form = copiedSummary(read.format, SUMMARY);
  const whole = messagesOf(read, read.context);
  const isSummary = (message: Message): boolean => textIs(message, form.text);
  const placed = plan.order === 'summaryFirst' ? whole.findIndex(isSummary) : whole.findLastIndex(isSummary);
  const thanksAt = form.thanks === undefined ? -1 : placed + 1;
  if (form.thanks !== undefined) assert.ok(textIs(whole[thanksAt], form.thanks), 'the summary is answered');
  const view = whole.filter((_, index) => index !== thanksAt);
  const first = read.format === 'codex' ? 0 : view.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  const summaryAt = plan.order === 'summaryFirst' ? first : view.length - 1;
  const summary = view[summaryAt];
  assert.ok(textIs(summary, form.text), 'the summary stands at its place');
  assert.equal(summary?.role, read.format === 'opencode' && plan.order === 'summaryFirst' ? 'assistant' : 'user');
  const summarized = messagesOf(source.transcript, plan.summarized);
  const instructions = read.format === 'openai-chat' || read.format === 'anthropic-messages' ? leadingInstructions(summarized) : [];
  assert.deepEqual(
    view.filter((_, index) => index !== summaryAt).map(said),
    [...instructions, ...kept].map(said),
    'kept messages, unchanged and in order, behind the instructions of the conversation',
  );
  assert.deepEqual(pairs(view), pairs(kept), 'calls and results belong together as before');
  const carried = new Set<string>(source.transcript.diagnostics.map((diagnostic) => diagnostic.code));
  const structural = ['dangling_parent', 'cycle', 'dup_uuid', 'missing_preserved', 'abandoned_branch', 'bad_json', 'fused_records'];
  assert.deepEqual(
    read.diagnostics.filter(({ code }) => structural.includes(code) || !carried.has(code)),
    [],
    'no new damage',
  );
  assert.equal(read.totals.inputTokens + read.totals.outputTokens + read.totals.cacheReadTokens + read.totals.cacheCreationTokens, 0);
  assert.deepEqual(
    read.messages.filter(
      ({ usage }) => usage && usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheCreationTokens > 0,
    ),
    [],
    'no old usage',
  );
  assert.deepEqual(read.reports ?? [], []);
}

/**
 * Requests at a quarter, the half and three quarters of the user's turns and of all messages, in both directions, and a full compaction.
 * Cuts at messages fall into ladders of parallel calls, where the planner moves them.
 */
export function requestsFor({ transcript }: Session): readonly PlanRequest[] {
  const messages = messagesOf(transcript, transcript.context);
  const turns = messages.filter((message) => message.role === 'user' && message.kind === 'message' && !message.content.some(isToolResult));
  const shares = [0.25, 0.5, 0.75];
  const pivots = new Set([turns, messages].flatMap((list) => shares.flatMap((share) => list[Math.floor(list.length * share)]?.id ?? [])));
  const partial = [...pivots].flatMap((pivotId): PlanRequest[] => [
    { kind: 'partialUpTo', pivotId },
    { kind: 'partialFrom', pivotId },
  ]);
  return [...partial, { kind: 'full', keepMessages: 10 }];
}

export function messagesOf(transcript: Transcript, indexes: readonly number[]): readonly Message[] {
  return indexes.flatMap((index) => transcript.messages[index] ?? []);
}

/** Session files of a shared folder; undefined where the folder is missing. */
export function sharedFiles(folder: string, pattern: RegExp): readonly string[] | undefined {
  const root = join(process.cwd(), '..', 'shared', folder);
  if (!existsSync(root)) return undefined;
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => pattern.test(name))
    .sort()
    .map((name) => join(root, name));
}

export function readSession(path: string): Session {
  return session(readFileSync(path));
}

function leadingInstructions(messages: readonly Message[]): readonly Message[] {
  const end = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  return messages.slice(0, end < 0 ? messages.length : end);
}

function said(message: Message): unknown {
  return { role: message.role, content: message.content };
}

function textIs(message: Message | undefined, text: string): boolean {
  return message?.content.length === 1 && message.content[0]?.type === 'text' && message.content[0].text === text;
}

function pairs(messages: readonly Message[]): unknown {
  const blocks = messages.flatMap((message) => message.content);
  return { calls: blocks.filter(isToolUse).map((call) => call.id), results: blocks.filter(isToolResult).map((result) => result.toolUseId) };
}
