// What people would miss most after a compaction, and what becomes of it: calls that wait for a result, the last request, stated constraints.
import { isToolResult, isToolUse, type Message, type ToolUseBlock } from '../model/message';
import { plainText, toWellFormed } from '../util/text';
import { isConstraint } from './constraints';
import { callDetail } from './offline/calls';
import { endsOf } from './offline/requestPieces';
import type { UserStatement } from './offline/sessionFacts';
import { createUserSide, type DraftRequest } from './offline/userSide';
import type { CompactionPlan } from './plan';
import type { PlanInput } from './planInput';

/** `kept`: it stays in its message. `quoted`: the summary holds it word for word. `atRisk`: neither. */
export type Fate = 'kept' | 'quoted' | 'atRisk';

export interface SafetyItem {
  readonly kind: 'openCall' | 'lastRequest' | 'constraint';
  readonly text: string;
  /** Index in `PlanInput.messages` of the message in which it stands, the first one where there are several. */
  readonly index: number;
  readonly fate: Fate;
}

/**
 * Judges a plan by the summary that would stand in the place of its messages: calls without a result, the last request, then constraints, those at
 * risk first and each in order. Of very many the newest count. Linear.
 */
export function safetyOf(plan: Pick<CompactionPlan, 'kept'>, input: PlanInput, summary: string): readonly SafetyItem[] {
  const kept = new Set(plan.kept);
  const told = asTold(summary);
  const isQuoted = (text: string): boolean => told.includes(asTold(text));
  const fateOf = (index: number, text: string | readonly string[]): Fate => {
    if (kept.has(index)) return 'kept';
    return [text].flat().every(isQuoted) ? 'quoted' : 'atRisk';
  };
  const items: SafetyItem[] = openCalls(input).map(({ text, index }) => ({ kind: 'openCall', text, index, fate: fateOf(index, text) }));
  const { requests, statements } = userSide(input, input.context);
  const last = requests.findLast(({ isHandled }) => !isHandled);
  if (last !== undefined) {
    const ends = last.blocks.flatMap((block) => endsOf(block).filter((end) => end !== undefined));
    items.push({ kind: 'lastRequest', text: last.blocks.join('\n\n'), index: last.source.index, fate: fateOf(last.source.index, ends) });
  }
  const said = new Set(userSide(input, plan.kept).statements.map(({ text }) => text));
  const constraints = statements.filter(isConstraint).slice(-MOST_CONSTRAINTS);
  const judged = constraints.map(({ text, source: { index } }): SafetyItem => {
    return { kind: 'constraint', text, index, fate: said.has(text) ? 'kept' : fateOf(index, text) };
  });
  return [...items, ...judged.filter(({ fate }) => fate === 'atRisk'), ...judged.filter(({ fate }) => fate !== 'atRisk')];
}

interface UserWords {
  readonly requests: readonly DraftRequest[];
  readonly statements: readonly UserStatement[];
}

/** What the user said in some messages; sources hold indexes of all messages. */
function userSide({ messages }: PlanInput, indexes: readonly number[]): UserWords {
  const user = createUserSide();
  for (const index of indexes) {
    const message = messages[index];
    if (message?.kind === 'message' && message.role === 'user') user.add(message, index);
  }
  return { requests: user.requests(), statements: user.statements() };
}

interface Open {
  readonly text: string;
  readonly index: number;
}

/** The newest calls of the agent's own tools that have no result. A provider's tools may leave theirs elsewhere. */
function openCalls({ messages, context }: PlanInput): readonly Open[] {
  const open = new Map<string, { readonly call: ToolUseBlock; readonly message: Message; readonly index: number }>();
  for (const index of context) {
    const message = messages[index];
    for (const block of message?.content ?? []) {
      if (isToolUse(block) && block.server !== true && message !== undefined) open.set(block.id, { call: block, message, index });
      else if (isToolResult(block)) open.delete(block.toolUseId);
    }
  }
  return [...open.values()].slice(-MOST_CALLS).map(({ call, message, index }) => {
    const detail = callDetail(call, { index, id: message.id }).split('\n', 1)[0] ?? '';
    return { text: detail === '' ? call.name : `${call.name} ${detail.slice(0, CALL_UNITS)}`, index };
  });
}

/** A text without what a summary changes when it quotes: the mark of a list in front, spaces, marks of code, signs that control a terminal. */
function asTold(text: string): string {
  return plainText(toWellFormed(text))
    .replace(LIST_MARK, '')
    .replace(/[\s`]+/g, ' ')
    .trim();
}

const LIST_MARK = /^\s*[-*•>]\s+/;

const MOST_CONSTRAINTS = 500;
const MOST_CALLS = 50;
/** A call may be quoted by its beginning. */
const CALL_UNITS = 110;
