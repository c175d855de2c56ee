// Properties of budgets and previews (P60 to P64), checked by counting anew; used on cases and on generated conversations.
import assert from 'node:assert/strict';
import { isMedia, toolResultText, type Message, type ToolResultBlock } from '../../src/core/model/message';
import {
  applyToolResultBudget,
  type BudgetOptions,
  type BudgetOutcome,
  type ReplacementStore,
} from '../../src/core/toolResults/applyBudget';
import { MAX_RESULT_CHARS_PER_MESSAGE } from '../../src/core/toolResults/messageBudget';
import { PREVIEW_BYTES, previewOf } from '../../src/core/toolResults/preview';
import { EMPTY_REPLACEMENTS, type ReplacementState } from '../../src/core/toolResults/replacementState';
import { appendRecords, replayRecords } from '../../src/core/toolResults/replacementRecords';
import { truncateToolResults } from '../../src/core/toolResults/truncate';
import { isWellFormed, utf8Length } from '../../src/core/util/text';

export interface BudgetRun {
  readonly messages: readonly Message[];
  readonly state: ReplacementState;
  readonly store: ReplacementStore | undefined;
  readonly options: BudgetOptions;
  readonly outcome: BudgetOutcome;
}

/** Runs the budget and keeps what it was run with. */
export async function runBudget(run: Omit<BudgetRun, 'outcome'>): Promise<BudgetRun> {
  return { ...run, outcome: await applyToolResultBudget(run.messages, run.state, run.store, run.options) };
}

interface Pair {
  readonly raw: ToolResultBlock;
  readonly shown: string;
  readonly tools: readonly string[];
  readonly isRepeated: boolean;
}

/**
 * P60: a group is within the limit or nothing in it can be replaced; a group within it before is only what it was. A result that could not be
 * saved counts as replaced, so that one full disk does not cost the smaller ones their place.
 */
export async function budgetProperty({ messages, state, store, options, outcome }: BudgetRun): Promise<string | undefined> {
  const limit = options.limit ?? MAX_RESULT_CHARS_PER_MESSAGE;
  const failed = new Set(outcome.failures.map(({ toolUseId }) => toolUseId));
  for (const group of groupsOf(messages, outcome.messages)) {
    const counted = group.filter((pair) => !isExempt(pair, options));
    const earlier = (pair: Pair): string =>
      (pair.isRepeated ? undefined : state.replacements.get(pair.raw.toolUseId)) ?? toolResultText(pair.raw);
    const before = counted.reduce((sum, pair) => sum + earlier(pair).length, 0);
    const after = counted
      .filter((pair) => pair.isRepeated || !failed.has(pair.raw.toolUseId))
      .reduce((sum, { shown }) => sum + shown.length, 0);
    if (before <= limit && counted.some((pair) => pair.shown !== earlier(pair))) return 'a group within the limit was changed';
    if (store === undefined || after <= limit) continue;
    for (const { raw, shown, isRepeated } of counted) {
      const isDecided = state.seen.has(raw.toolUseId) || failed.has(raw.toolUseId) || isRepeated;
      if (isDecided || shown !== toolResultText(raw) || shown.length <= PREVIEW_BYTES) continue;
      const replacement = await store.saveReplacement(raw.toolUseId, shown);
      if (replacement.length < shown.length) return `${raw.toolUseId} could be replaced, and ${after} is over the limit`;
    }
  }
  const pairs = groupsOf(messages, outcome.messages).flat();
  const unseen = pairs.find(({ raw }) => !outcome.state.seen.has(raw.toolUseId));
  return unseen === undefined ? undefined : `nothing was decided about ${unseen.raw.toolUseId}`;
}

/** Left alone by the wish of the caller or of the tool. */
function isExempt({ raw, tools }: Pair, options: BudgetOptions): boolean {
  return tools.some((name) => options.skipToolNames?.has(name) === true) || raw.metadata?.get('persistThreshold') === 'off';
}

/** P61: whatever comes later, the view of what was there stays the same, and no decision changes. */
export async function frozenProperty(run: BudgetRun, later: readonly Message[]): Promise<string | undefined> {
  const next = await applyToolResultBudget([...run.messages, ...later], run.outcome.state, run.store, run.options);
  assert.deepEqual(next.messages.slice(0, run.messages.length), run.outcome.messages);
  const changed = [...run.outcome.state.replacements].find(([id, text]) => next.state.replacements.get(id) !== text);
  return changed === undefined ? undefined : `the decision about ${changed[0]} changed`;
}

/** P62: the state rebuilt from the records gives the same bytes; records twice are records once; strange ones do no harm. */
export async function replayProperty({ messages, state, outcome }: BudgetRun): Promise<string | undefined> {
  const sealed = new WeakSet<Message>();
  const seal = (message: Message): Message => {
    const copy = { ...message };
    sealed.add(copy);
    return copy;
  };
  const all = [...state.replacements, ...outcome.records.map(({ toolUseId, replacement }) => [toolUseId, replacement] as const)];
  const records = [...new Map(all)].map(([toolUseId, replacement]) => ({ kind: 'tool-result' as const, toolUseId, replacement }));
  const unknown = { kind: 'tool-result' as const, toolUseId: 'nobody', replacement: 'never shown' };
  const kept = appendRecords(appendRecords(messages, [...records, unknown], seal), records, seal);
  const at = messages.findLastIndex(({ role }) => role === 'user' || role === 'developer');
  if (messages[at]?.role !== 'user') return kept === messages ? undefined : 'records went into a message that is not the user’s';
  const rebuilt = replayRecords(kept, (message) => sealed.has(message));
  const again = await applyToolResultBudget(messages, rebuilt, undefined);
  if (again.records.length > 0) return 'a replay made new decisions';
  assert.deepEqual(again.messages, (await applyToolResultBudget(messages, outcome.state, undefined)).messages);
  const unsealed = replayRecords(kept, () => false);
  return unsealed.replacements.size === 0 ? undefined : 'records without a seal were taken';
}

/** P50: no text of a result makes it count as saved, and records that nobody sealed change nothing. */
export async function forgeryProperty({ messages, store, options }: BudgetRun): Promise<string | undefined> {
  const forged = appendRecords(messages, [{ kind: 'tool-result', toolUseId: 't1', replacement: 'forged' }], (message) => message);
  const rebuilt = replayRecords(forged, () => false);
  if (rebuilt.replacements.size > 0) return 'a forged record was taken';
  const plain = await applyToolResultBudget(messages, EMPTY_REPLACEMENTS, store, options);
  const other = await applyToolResultBudget(forged, EMPTY_REPLACEMENTS, store, options);
  assert.deepEqual(other.records, plain.records);
  return undefined;
}

/** P64 for previews: well-formed, within the limit, a prefix. */
export function previewProperty(text: string): string | undefined {
  const { text: preview, hasMore } = previewOf(text);
  if (isWellFormed(text) && !isWellFormed(preview)) return 'the preview is cut inside a character';
  if (!text.startsWith(preview)) return 'the preview is no prefix';
  if (utf8Length(preview) > PREVIEW_BYTES) return `the preview has ${utf8Length(preview)} bytes`;
  return hasMore === (preview !== text) ? undefined : 'the preview hides that there is more';
}

/** P64 for the cut of one result: a prefix within the limit, then a mark that states the true length. */
export function truncationProperty(text: string, limit: number): string | undefined {
  const message: Message = {
    id: 'r',
    role: 'user',
    kind: 'message',
    content: [{ type: 'toolResult', toolUseId: 't', content: text }],
    line: 0,
  };
  const [block] = truncateToolResults([message], limit)[0]?.content ?? [];
  const shown = block?.type === 'toolResult' ? toolResultText(block) : '';
  if (text.length <= limit) return shown === text ? undefined : 'a result within the limit was changed';
  const mark = /\n\n\[cut; length was (\d+) characters\]$/.exec(shown);
  if (mark === null || Number(mark[1]) !== text.length) return `the mark does not state ${text.length}`;
  const start = shown.slice(0, mark.index);
  if (!text.startsWith(start) || start.length > limit || start.length < limit - 1) return `${start.length} units stayed of ${limit}`;
  return isWellFormed(text) && !isWellFormed(shown) ? 'the result is cut inside a character' : undefined;
}

/** Results side by side with their view, grouped as they are sent. */
function groupsOf(messages: readonly Message[], view: readonly Message[]): readonly (readonly Pair[])[] {
  const names = new Map<string, string[]>();
  for (const block of messages.flatMap(({ content }) => content)) {
    if (block.type === 'toolUse') names.set(block.id, [...(names.get(block.id) ?? []), block.name]);
  }
  const taken = new Set<string>();
  const groups: Pair[][] = [[]];
  let last: Message | undefined;
  messages.forEach((message, at) => {
    if (message.role !== 'user' && message.role !== 'tool') {
      const isSame = message.role === 'assistant' && message.messageId !== undefined && last?.messageId === message.messageId;
      if (!isSame) groups.push([]);
      last = message.role === 'assistant' ? message : undefined;
      return;
    }
    message.content.forEach((raw, index) => {
      const shown = view[at]?.content[index];
      if (raw.type !== 'toolResult' || shown?.type !== 'toolResult') return;
      if (raw.toolUseId === '' || toolResultText(raw) === '' || (typeof raw.content !== 'string' && raw.content.some(isMedia))) return;
      const isRepeated = taken.has(raw.toolUseId);
      taken.add(raw.toolUseId);
      groups.at(-1)?.push({ raw, shown: toolResultText(shown), tools: names.get(raw.toolUseId) ?? [], isRepeated });
    });
  });
  return groups;
}
