import type { Message } from '../../model/message';
import { isTurnStart } from '../../model/turn';
import type { Diagnostic, SessionTotals, Transcript } from '../../model/transcript';
import { sessionTotals } from '../../tokens/sessionTotals';
import { isPause, type Steps } from '../../util/steps';
import { inLineOrder, nextModel, type TakenIds } from '../assemble';
import type { ChainNode, LiveChain } from '../chain';
import { withLaterMessages } from '../laterMessages';
import { withLineage } from '../lineage';
import type { ClaudeRecord } from './claudeRecord';

/** What an assembled session looked like inside, as far as growing it needs that. */
export interface Assembled {
  readonly transcript: Transcript;
  readonly nodes: readonly ChainNode[];
  readonly chain: LiveChain;
  /** The leaf is the last record that can be one, and the next one will be too; nothing was rewound. */
  readonly endsAtLast: boolean;
  /** Messages that the totals count, in file order. */
  readonly counted: readonly Message[];
  /** Diagnostics of lines, and those of the tree and the context. */
  readonly ofRecords: readonly Diagnostic[];
  readonly others: readonly Diagnostic[];
}

/**
 * A session that only grows at its end, which nearly every append is: each new record follows the leaf. Then the next transcript is the last one
 * and the new messages, and costs no walk over the tree. `take` says no to every record after which that may not be so.
 */
export class ClaudeGrowth {
  readonly #base: Transcript;
  /** Ids that a new record may follow: the leaf's, and those of carriers behind it that cannot be one. */
  #tips: Set<string>;
  readonly #ids: TakenIds;
  readonly #waitedFor: ReadonlySet<string>;
  /** Names by which records beside the live branch hang on it. */
  readonly #beside: ReadonlySet<string>;
  readonly #others: readonly Diagnostic[];
  readonly #ofRecords: Diagnostic[];
  readonly #messages: Message[] = [];
  readonly #visible: number[] = [];
  #before: SessionTotals;
  #turn: Message[];
  #version: string | undefined;
  #sessionId: string | undefined;
  #cwd: string | undefined;

  private constructor(base: Assembled, ids: TakenIds) {
    this.#base = base.transcript;
    this.#ids = ids;
    this.#tips = tipsOf(base.nodes);
    this.#waitedFor = danglingParents(base);
    this.#beside = besideNames(base);
    this.#others = base.others;
    this.#ofRecords = [...base.ofRecords];
    this.#turn = base.counted.slice(Math.max(0, base.counted.findLastIndex(opensTurn)));
    this.#before = sumOf(base.transcript.totals, sessionTotals(this.#turn), -1);
    this.#version = base.transcript.agentVersion;
    this.#sessionId = base.transcript.sessionId;
    this.#cwd = base.transcript.cwd;
    this.#own(base.transcript);
  }

  /** Undefined for a session whose next transcript depends on more than its end. `ids` are those of all records, now and later. */
  static of(base: Assembled, ids: TakenIds): ClaudeGrowth | undefined {
    const { transcript, chain } = base;
    const lastBoundary = transcript.boundaries.at(-1);
    const canGrow =
      base.endsAtLast &&
      chain.copies.size === 0 &&
      transcript.messages.length > 0 &&
      transcript.sidechains.length === 0 &&
      (lastBoundary === undefined || lastBoundary.summaryId !== undefined) &&
      !base.others.some(({ code }) => code === 'missing_preserved');
    return canGrow ? new ClaudeGrowth(base, ids) : undefined;
  }

  /** Takes a record in, whose id is not among the known ones yet, or answers false: then everything has to be assembled anew. */
  take(record: ClaudeRecord): boolean {
    const { node, message } = record;
    if (record.boundary !== undefined || record.leafId !== undefined || record.title !== undefined || record.agentId !== undefined)
      return false;
    if (node !== undefined && !this.#follows(node)) return false;
    if (message !== undefined && !this.#canAdd(message, node)) return false;
    if (record.diagnostic !== undefined) this.#ofRecords.push(record.diagnostic);
    this.#version = record.version ?? this.#version;
    this.#sessionId = record.sessionId ?? this.#sessionId;
    this.#cwd ??= record.cwd;
    if (node?.id !== undefined) {
      if (node.canBeLeaf) this.#tips = new Set([node.id]);
      else this.#tips.add(node.id);
    }
    if (message !== undefined) this.#add(message, record.isApiFailure);
    return true;
  }

  /** The session as it is now. */
  transcript(damage: readonly Diagnostic[]): Transcript {
    const { messages: before, ...base } = this.#base;
    const grown = {
      ...base,
      agentVersion: this.#version,
      sessionId: this.#sessionId,
      cwd: this.#cwd,
      model: nextModel(this.#messages) ?? base.model,
      context: base.context.concat(this.#visible),
      diagnostics: inLineOrder([...damage, ...this.#ofRecords, ...this.#others]),
    };
    return this.#own(this.#withTotals(withLaterMessages(grown, before, this.#messages.slice())));
  }

  /** The totals are made when they are asked for: what an append is waited for does not need them. */
  #withTotals(transcript: Transcript): Transcript {
    const [before, turn, length] = [this.#before, this.#turn, this.#turn.length];
    let totals: SessionTotals | undefined;
    const get = (): SessionTotals => (totals ??= sumOf(before, sessionTotals(turn.slice(0, length))));
    return Object.defineProperty(transcript, 'totals', { get, enumerable: true });
  }

  /** Notes a transcript as one of this session, which only grows. */
  #own(transcript: Transcript): Transcript {
    const before = this.#base.messages;
    const at = (index: number): Message | undefined => (index < before.length ? before[index] : this.#messages[index - before.length]);
    return withLineage(transcript, { of: this, count: before.length + this.#messages.length, at });
  }

  #follows(node: ChainNode): boolean {
    const { id, parentId } = node;
    if (node.isSidechain || node.continues !== undefined || id === undefined) return false;
    if (this.#ids.has(id) || this.#waitedFor.has(id)) return false;
    if (parentId === undefined ? !node.canBeLeaf : parentId === null || !this.#tips.has(parentId)) return false;
    return this.#beside.size === 0 || !namesOf(node).some((name) => this.#beside.has(name));
  }

  #canAdd(message: Message, node: ChainNode | undefined): boolean {
    const isPlain = message.kind !== 'summary' && message.kind !== 'boundary' && message.isSidechain !== true;
    return node !== undefined && isPlain && message.id === node.id;
  }

  #add(message: Message, isApiFailure: boolean): void {
    const index = this.#base.messages.length + this.#messages.length;
    this.#messages.push(message);
    if (message.kind !== 'microBoundary' && !isApiFailure) this.#visible.push(index);
    if (opensTurn(message)) {
      this.#before = sumOf(this.#before, sessionTotals(this.#turn));
      this.#turn = [];
    }
    this.#turn.push(message);
  }
}

/** The last record that can be a leaf, and the carriers that follow it one behind another. */
function tipsOf(nodes: readonly ChainNode[]): Set<string> {
  const last = nodes.findLastIndex((node) => !node.isSidechain && node.canBeLeaf);
  const tips = new Set<string>();
  const leaf = nodes[last]?.id;
  if (leaf !== undefined) tips.add(leaf);
  for (const { id, parentId, isSidechain } of nodes.slice(last + 1)) {
    if (!isSidechain && id !== undefined && typeof parentId === 'string' && tips.has(parentId)) tips.add(id);
  }
  return tips;
}

/**
 * Usage of all responses (see `sessionTotals`), turn by turn: no response goes on behind a user's turn, and a long session needs no lists of all
 * its responses then. Not for messages of side chains, which have turns of their own.
 */
export function* totalsByTurn(messages: readonly Message[]): Steps<SessionTotals> {
  let totals = sessionTotals([]);
  let from = 0;
  for (let to = 1; to <= messages.length; to++) {
    if (isPause(to)) yield;
    const next = messages[to];
    if (next !== undefined && !opensTurn(next)) continue;
    totals = sumOf(totals, sessionTotals(messages.slice(from, to)));
    from = to;
  }
  return totals;
}

/** What was copied from a parent session counts nowhere, and so closes nothing. */
function opensTurn(message: Message): boolean {
  return message.isInherited !== true && isTurnStart(message);
}

function sumOf(a: SessionTotals, b: SessionTotals, sign: 1 | -1 = 1): SessionTotals {
  return {
    responses: a.responses + sign * b.responses,
    inputTokens: a.inputTokens + sign * b.inputTokens,
    outputTokens: a.outputTokens + sign * b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + sign * b.cacheReadTokens,
    cacheCreationTokens: a.cacheCreationTokens + sign * b.cacheCreationTokens,
  };
}

/** Parents that records name and that are not there: a later record of that id would change where they hang. */
function danglingParents({ nodes, others }: Assembled): ReadonlySet<string> {
  const dangling = new Set<string>();
  if (!others.some(({ code }) => code === 'dangling_parent')) return dangling;
  const ids = new Set(nodes.map((node) => node.id));
  for (const { parentId } of nodes) if (typeof parentId === 'string' && !ids.has(parentId)) dangling.add(parentId);
  return dangling;
}

/** Responses and calls of the records that stand on no live branch or hang beside it: more records of those names may change what hangs there. */
function besideNames({ nodes, chain }: Assembled): ReadonlySet<string> {
  const names = new Set<string>();
  for (const position of [...chain.abandoned, ...chain.beside]) {
    const node = nodes[position];
    if (node !== undefined) for (const name of namesOf(node)) names.add(name);
  }
  return names;
}

function namesOf({ messageId, toolUseIds = [], toolResultIds = [] }: ChainNode): readonly string[] {
  return [...(messageId === undefined ? [] : [`message ${messageId}`]), ...[...toolUseIds, ...toolResultIds].map((id) => `call ${id}`)];
}
