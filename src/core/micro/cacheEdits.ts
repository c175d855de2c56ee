// Clearing in the provider's cache: the conversation stays as it is, and the request tells the provider which results to forget.
import { cacheEditsContent, deleteEdits } from '../model/cacheEdits';
import { carriesResults, type ContentBlock, type Message } from '../model/message';
import { utf8Length } from '../util/text';
import { clearableResults, type Clearable } from './compactableTools';
import { usesCacheEdits, type MicrocompactOptions } from './config';
import { withPinned, withRegistered, type CacheEditState, type PinnedEdits } from './cacheEditState';
import { keptCount } from './timeBased';

export interface CacheEditResult {
  /** The view with all orders, earlier ones in their old places. */
  readonly messages: readonly Message[];
  /** New orders were made now. */
  readonly changed: boolean;
  readonly deleted: readonly string[];
  /** UTF-8 bytes of the deleted results, and of the ledger that stands for some of them. */
  readonly reclaimedBytes: number;
  readonly proofBytes: number;
  readonly savedBytes: number;
}

export const LEDGER_SCHEMA = 'agentic-v2-cache-proof-ledger/v1';

/**
 * Plans the orders of one request. When more clearable results than the trigger count are active, all but the newest are deleted in one batch,
 * which leaves headroom for the next turns (R49); the orders go into the latest user message, if it stands after the last developer message.
 * Earlier orders are put back in every call. With cache edits switched off, messages and state come back as they are (seed 2,
 * CachedMicrocompact).
 */
export function planCacheEdits(
  messages: readonly Message[],
  options: MicrocompactOptions,
  state: CacheEditState,
): { readonly result: CacheEditResult; readonly state: CacheEditState } {
  if (!usesCacheEdits(options)) return { result: withoutNew(messages), state };
  const clearable = clearableResults(messages, options.proofs).filter(({ block, isCleared }) => block.toolUseId !== '' && !isCleared);
  const registered = withRegistered(state, idsByMessage(clearable));
  const present = new Map(clearable.map((one) => [one.block.toolUseId, one] as const));
  const active = registered.registered.filter((id) => present.has(id) && !registered.deleted.has(id));
  const excess = active.length - keptCount(options.cacheKeepRecent > 0 ? options.cacheKeepRecent : options.keepRecent);
  const messageIndex = currentUserMessage(messages);
  if (active.length <= options.cacheTriggerCount || excess <= 0 || messageIndex === undefined) {
    return { result: withoutNew(withOrders(messages, registered.pinned)), state: registered };
  }
  const deleted = active.slice(0, excess);
  const gone = deleted.flatMap((id) => present.get(id) ?? []);
  const ledger = ledgerOf(gone);
  const next = withPinned(registered, { messageIndex, block: deleteEdits(deleted), ...(ledger === undefined ? {} : { ledger }) });
  const reclaimedBytes = gone.reduce((sum, { text }) => sum + utf8Length(text), 0);
  const proofBytes = ledger === undefined ? 0 : utf8Length(ledger);
  return {
    result: {
      messages: withOrders(messages, next.pinned),
      changed: true,
      deleted,
      reclaimedBytes,
      proofBytes,
      savedBytes: reclaimedBytes - proofBytes,
    },
    state: next,
  };
}

function withoutNew(messages: readonly Message[]): CacheEditResult {
  return { messages, changed: false, deleted: [], reclaimedBytes: 0, proofBytes: 0, savedBytes: 0 };
}

function idsByMessage(clearable: readonly Clearable[]): Iterable<readonly string[]> {
  const groups = new Map<number, string[]>();
  for (const { messageIndex, block } of clearable) {
    const group = groups.get(messageIndex);
    if (group === undefined) groups.set(messageIndex, [block.toolUseId]);
    else group.push(block.toolUseId);
  }
  return groups.values();
}

/** The latest user message, unless a developer message follows: orders behind that one would change what the cache holds of it. */
function currentUserMessage(messages: readonly Message[]): number | undefined {
  const at = messages.findLastIndex((message) => carriesResults(message) || message.role === 'developer');
  const message = messages[at];
  return message !== undefined && carriesResults(message) ? at : undefined;
}

/** Proofs of deleted results, by id; undefined when none has one. */
function ledgerOf(deleted: readonly Clearable[]): string | undefined {
  const entries = deleted
    .filter(({ isProof }) => isProof)
    .map(({ block, replacement }) => ({ tool_use_id: block.toolUseId, proof: JSON.parse(replacement) as unknown }))
    .sort((a, b) => (a.tool_use_id < b.tool_use_id ? -1 : 1));
  return entries.length === 0 ? undefined : JSON.stringify({ schema: LEDGER_SCHEMA, entries });
}

function withOrders(messages: readonly Message[], pinned: readonly PinnedEdits[]): readonly Message[] {
  const view = [...messages];
  for (const { messageIndex, block, ledger } of pinned) {
    const message = view[messageIndex];
    // A place that is no user message any more belongs to another history.
    if (message === undefined || !carriesResults(message)) continue;
    const orders: readonly ContentBlock[] = [
      cacheEditsContent(block),
      ...(ledger === undefined ? [] : [{ type: 'text', text: ledger } as const]),
    ];
    view[messageIndex] = { ...message, content: inserted(message.content, orders) };
  }
  return view;
}

/** After the last tool result, else before the last block. A provider wants no message that ends with orders, so a text follows them there. */
function inserted(content: readonly ContentBlock[], orders: readonly ContentBlock[]): readonly ContentBlock[] {
  const lastResult = content.findLastIndex(({ type }) => type === 'toolResult');
  const at = lastResult >= 0 ? lastResult + 1 : Math.max(0, content.length - 1);
  const endsWithOrders = at === content.length && orders.length === 1;
  return [...content.slice(0, at), ...orders, ...content.slice(at), ...(endsWithOrders ? [{ type: 'text', text: '.' } as const] : [])];
}
