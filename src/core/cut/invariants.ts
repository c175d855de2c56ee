import { isToolResult, isToolUse, type Message } from '../model/message';

/**
 * A broken rule in a view: a result without an earlier call (R01), a call whose result was left behind (R01), a view that opens on a result
 * (R03), or a response of which only a part is there (R02).
 */
export type ViolationKind = 'orphanResult' | 'missingResult' | 'opensOnResult' | 'tornResponse';

export interface Violation {
  readonly kind: ViolationKind;
  /** Index in the view. */
  readonly index: number;
  /** Tool id or message id; '' where the place says it all. */
  readonly id: string;
}

/**
 * Lists what is wrong with a view that was cut out of `source`. Damage that the source already has (an orphan result, a call that was never
 * answered) counts only where the view could have done better: orphans are reported always, missing results only when the source has them (R01-R03).
 */
export function findViolations(view: readonly Message[], source: readonly Message[] = view): readonly Violation[] {
  const violations: Violation[] = [];
  const whole = new Map<string, Set<number>>();
  for (const { id, results } of calls(source)) whole.set(id, (whole.get(id) ?? new Set()).add(results));
  for (const { id, index, results } of calls(view)) {
    // An id may come back in a later call; then every number of results that a call of this id has in the source will do.
    if (whole.get(id)?.has(results) === false) violations.push({ kind: 'missingResult', index, id });
  }
  const fragments = fragmentCounts(view);
  const sourceFragments = fragmentCounts(source);
  const called = new Set<string>();
  view.forEach((message, index) => {
    for (const block of message.content) {
      if (isToolUse(block)) called.add(block.id);
      else if (isToolResult(block) && !called.has(block.toolUseId)) violations.push({ kind: 'orphanResult', index, id: block.toolUseId });
    }
    const id = fragmentId(message);
    if (id !== undefined && fragments.get(id) !== sourceFragments.get(id)) violations.push({ kind: 'tornResponse', index, id });
  });
  const opening = view[0]?.content.some((block) => isToolResult(block) && block.server !== true) ?? false;
  if (opening) violations.push({ kind: 'opensOnResult', index: 0, id: '' });
  return violations;
}

interface Call {
  readonly id: string;
  readonly index: number;
  /** Results that stand after it and before the next call of the same id. */
  results: number;
}

function calls(messages: readonly Message[]): readonly Call[] {
  const all: Call[] = [];
  const latest = new Map<string, Call>();
  messages.forEach((message, index) => {
    for (const block of message.content) {
      if (isToolUse(block)) {
        const call: Call = { id: block.id, index, results: 0 };
        latest.set(block.id, call);
        all.push(call);
      } else if (isToolResult(block)) {
        const call = latest.get(block.toolUseId);
        if (call !== undefined) call.results += 1;
      }
    }
  });
  return all;
}

function fragmentId(message: Message): string | undefined {
  return message.role === 'assistant' && message.messageId !== '' ? message.messageId : undefined;
}

function fragmentCounts(messages: readonly Message[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const message of messages) {
    const id = fragmentId(message);
    if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}
