import type { Message } from '../../model/message';
import type { Diagnostic, Sidechain, Transcript } from '../../model/transcript';
import { isRecord, recordOf, stringOf } from '../../util/json';
import { finish, isPause, type Steps } from '../../util/steps';
import { sessionTotals } from '../../tokens/sessionTotals';
import { LocalIds } from '../assemble';
import { liveChainSteps, type ChainNode } from '../chain';
import type { SourceRecord } from '../lineReader';
import { isSameMessage } from '../sameMessage';
import { transcriptOf } from '../transcriptDraft';
import { claudeContext } from './claudeContext';
import { ClaudeGrowth, totalsByTurn, type Assembled } from './claudeGrowth';
import { claudeRecord, claudeStored, type ClaudeRecord } from './claudeRecord';
import { SharedValues } from './claudeLine';
import type { RecordCollector, TranscriptFormat } from './format';

/** Claude Code session files: JSONL of records that form a tree over `uuid` and `parentUuid`. */
export const claudeCode: TranscriptFormat = {
  id: 'claude-code',
  agent: 'Claude Code',
  recognise: (sample) => (sample.some(isQwen) ? 0 : sample.reduce<number>((best, value) => Math.max(best, sureness(value)), 0)),
  collect: () => new ClaudeCollector(),
  stored: claudeStored,
};

const CHAIN_TYPES = new Set(['user', 'assistant', 'attachment', 'system', 'progress']);
const METADATA_TYPES = new Set([
  'summary',
  'custom-title',
  'ai-title',
  'agent-name',
  'mode',
  'permission-mode',
  'queue-operation',
  'file-history-snapshot',
  'last-prompt',
  'bridge-session',
  'worktree-state',
]);

function sureness(value: unknown): number {
  if (!isRecord(value)) return 0;
  const type = stringOf(value, 'type') ?? '';
  if (METADATA_TYPES.has(type)) return 0.5;
  if (!CHAIN_TYPES.has(type) || stringOf(value, 'uuid') === undefined) return 0;
  const message = recordOf(value, 'message');
  if (type === 'user' || type === 'assistant') return message !== undefined && Object.hasOwn(message, 'content') ? 1 : 0;
  if (type === 'system' && stringOf(value, 'subtype') === 'compact_boundary') return 1;
  return Object.hasOwn(value, 'parentUuid') && stringOf(value, 'sessionId') !== undefined ? 0.7 : 0;
}

/** Qwen Code writes the same envelope around Gemini's `parts` and payloads of its own. */
function isQwen(value: unknown): boolean {
  if (!isRecord(value)) return false;
  return Object.hasOwn(value, 'systemPayload') || Object.hasOwn(recordOf(value, 'message') ?? {}, 'parts');
}

class ClaudeCollector implements RecordCollector {
  readonly #records: ClaudeRecord[] = [];
  readonly #early = new WeakMap<SourceRecord, ClaudeRecord>();
  readonly #ids = new Set<string>();
  /** Ids of carriers that are no message or are named otherwise. */
  readonly #otherIds = new Set<string>();
  #hasUniqueIds = true;
  readonly #shared = new SharedValues();
  /** Present while the records behind the last assembled transcript only follow it. */
  #growth: ClaudeGrowth | undefined;

  add(source: SourceRecord): void {
    const record = this.#early.get(source) ?? claudeRecord(source, this.#ids, this.#shared);
    this.#records.push(record);
    if (this.#growth?.take(record) === false) this.#growth = undefined;
    const id = record.node?.id;
    if (id !== undefined) {
      if (this.#ids.has(id) || this.#otherIds.has(id)) this.#hasUniqueIds = false;
      if (record.message?.id !== id) this.#otherIds.add(id);
    }
    if (record.message !== undefined) this.#ids.add(record.message.id);
  }

  assemble(tail: readonly SourceRecord[], damage: readonly Diagnostic[]): Transcript {
    return finish(this.assembleSteps(tail, damage));
  }

  onlyGrows(tail: readonly SourceRecord[]): boolean {
    return tail.length === 0 && this.#growth !== undefined;
  }

  *assembleSteps(tail: readonly SourceRecord[], damage: readonly Diagnostic[]): Steps<Transcript> {
    if (tail.length === 0) {
      if (this.#growth !== undefined) return this.#growth.transcript(damage);
      const assembled = yield* assembledSteps(this.#records, damage, this.#hasUniqueIds);
      this.#growth = ClaudeGrowth.of(assembled, { has: (id) => this.#ids.has(id) || this.#otherIds.has(id) });
      return assembled.transcript;
    }
    const ids = new LocalIds(this.#ids);
    const pending = tail.map((source) => {
      const record = this.#early.get(source) ?? claudeRecord(source, ids, this.#shared);
      this.#early.set(source, record);
      if (record.message !== undefined) ids.add(record.message.id);
      return record;
    });
    return (yield* assembledSteps([...this.#records, ...pending], damage, false)).transcript;
  }
}

/** Puts a session together. A session may have hundreds of thousands of records, so each walk over them is in pieces. */
function* assembledSteps(records: readonly ClaudeRecord[], damage: readonly Diagnostic[], hasUniqueIds: boolean): Steps<Assembled> {
  const carriers: ClaudeRecord[] = [];
  const nodes: ChainNode[] = [];
  const own: Diagnostic[] = [];
  for (const [index, record] of records.entries()) {
    if (isPause(index)) yield;
    if (record.diagnostic !== undefined) own.push(record.diagnostic);
    if (record.node === undefined) continue;
    carriers.push(record);
    nodes.push(record.node);
  }
  const isCopy = (later: number, earlier: number): boolean => isSameMessage(carriers[later]?.message, carriers[earlier]?.message);
  const { leafId, endsAtLast } = leafOf(records, nodes);
  const chain = yield* liveChainSteps(nodes, leafId, isCopy, hasUniqueIds);
  const others = [...chain.diagnostics];
  const live: ClaudeRecord[] = [];
  const messages: Message[] = [];
  for (const [index, position] of chain.chain.entries()) {
    if (isPause(index)) yield;
    const record = carriers[position];
    if (record?.message === undefined) continue;
    live.push(record);
    messages.push(record.message);
  }
  const context = yield* claudeContext(live, nodes, carriers);
  const abandoned = chain.abandoned.filter((position) => isSpoken(carriers[position]?.message)).length;
  if (abandoned > 0) others.push({ line: 0, code: 'abandoned_branch', severity: 'info', detail: `${abandoned} messages` });
  const counted = chain.copies.size === 0 ? carriers : carriers.filter((_, position) => !chain.copies.has(position));
  const sidechains = yield* sidechainsOf(counted);
  others.push(...context.diagnostics);
  const countedMessages = yield* messagesOf(counted);
  const draft = {
    agentVersion: records.findLast((record) => record.version !== undefined)?.version,
    sessionId: records.findLast((record) => record.sessionId !== undefined)?.sessionId,
    cwd: records.find((record) => record.cwd !== undefined)?.cwd,
    title: yield* titleOf(records),
    messages,
    context: context.context,
    boundaries: context.boundaries,
    sidechains,
    totals: sidechains.length > 0 ? sessionTotals(countedMessages) : yield* totalsByTurn(countedMessages),
    diagnostics: [...own, ...others],
  };
  const transcript = transcriptOf('claude-code', draft, damage);
  return { transcript, nodes, chain, endsAtLast, counted: countedMessages, ofRecords: own, others };
}

function* messagesOf(records: readonly ClaudeRecord[]): Steps<readonly Message[]> {
  const messages: Message[] = [];
  for (const [index, { message }] of records.entries()) {
    if (isPause(index)) yield;
    if (message !== undefined) messages.push(message);
  }
  return messages;
}

/**
 * Leaf that the newest `last-prompt` line names, when nothing of the conversation was written behind that line and it names more than the
 * last spoken record does (a rewind, after which only a new prompt would show the branch). Undefined: the last record is the leaf.
 */
function leafOf(
  records: readonly ClaudeRecord[],
  nodes: readonly ChainNode[],
): { readonly leafId: string | undefined; readonly endsAtLast: boolean } {
  const named = records.findLastIndex((record) => record.leafId !== undefined || isSpoken(mainMessage(record)));
  const leafId = records[named]?.leafId;
  if (leafId === undefined) return { leafId, endsAtLast: true };
  const lastSpoken = records.findLast((record) => isSpoken(mainMessage(record)));
  // Attachments behind the named leaf belong to its branch; naming the leaf itself would cut them off.
  const endsAtLast = lastSpoken?.node?.id === leafId;
  return { leafId: endsAtLast ? lastLeafId(nodes) : leafId, endsAtLast };
}

function lastLeafId(nodes: readonly ChainNode[]): string | undefined {
  return nodes.findLast((node) => !node.isSidechain && node.canBeLeaf)?.id;
}

function mainMessage(record: ClaudeRecord): Message | undefined {
  return record.node?.isSidechain === true ? undefined : record.message;
}

/** True for what a person or a model wrote, or a tool answered, by a record of its own. */
function isSpoken(message: Message | undefined): boolean {
  return (
    message !== undefined &&
    message.attachmentType === undefined &&
    message.kind !== 'attachment' &&
    message.kind !== 'boundary' &&
    message.kind !== 'microBoundary'
  );
}

/** Sub-agents' conversations: records of one agent id, or of one tree where old versions wrote them without an id. */
function* sidechainsOf(carriers: readonly ClaudeRecord[]): Steps<readonly Sidechain[]> {
  const groupOfId = new Map<string, string>();
  const groups = new Map<string, Message[]>();
  for (const [index, { node, agentId, message }] of carriers.entries()) {
    if (isPause(index)) yield;
    if (node?.isSidechain !== true) continue;
    const inherited = typeof node.parentId === 'string' ? groupOfId.get(node.parentId) : undefined;
    const group = agentId ?? inherited ?? node.id ?? `line:${node.line}`;
    if (node.id !== undefined) groupOfId.set(node.id, group);
    if (message === undefined) continue;
    const messages = groups.get(group);
    if (messages === undefined) groups.set(group, [message]);
    else messages.push(message);
  }
  return [...groups].map(([id, messages]) => ({ id, messages }));
}

function* titleOf(records: readonly ClaudeRecord[]): Steps<string | undefined> {
  let best: ClaudeRecord['title'];
  for (const [index, { title }] of records.entries()) {
    if (isPause(index)) yield;
    if (title !== undefined && title.rank >= (best?.rank ?? 0)) best = title;
  }
  return best?.text;
}
