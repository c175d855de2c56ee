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
 * answered) counts only where the view could have done better: orphans are reported always, missing results only when the source has them.
 */
export function findViolations(view: readonly Message[], source: readonly Message[] = view): readonly Violation[] {
  const violations: Violation[] = [];
  const called = new Set<string>();
  const results = countBy(view, resultIds);
  const sourceResults = countAnswers(source);
  const fragments = countBy(view, fragmentIds);
  const sourceFragments = countBy(source, fragmentIds);
  view.forEach((message, index) => {
    for (const block of message.content) {
      if (isToolUse(block)) {
        called.add(block.id);
        if ((results.get(block.id) ?? 0) < (sourceResults.get(block.id) ?? 0))
          violations.push({ kind: 'missingResult', index, id: block.id });
      } else if (isToolResult(block) && !called.has(block.toolUseId)) violations.push({ kind: 'orphanResult', index, id: block.toolUseId });
    }
    for (const id of fragmentIds(message)) {
      if (fragments.get(id) !== sourceFragments.get(id)) violations.push({ kind: 'tornResponse', index, id });
    }
  });
  const opening = view[0]?.content.some((block) => isToolResult(block) && block.server !== true) ?? false;
  if (opening) violations.push({ kind: 'opensOnResult', index: 0, id: '' });
  return violations;
}

function resultIds(message: Message): readonly string[] {
  return message.content.filter(isToolResult).map((block) => block.toolUseId);
}

function fragmentIds(message: Message): readonly string[] {
  return message.role === 'assistant' && message.messageId !== undefined && message.messageId !== '' ? [message.messageId] : [];
}

function countBy(messages: readonly Message[], idsOf: (message: Message) => readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const message of messages) {
    for (const id of idsOf(message)) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

/** Results of each id that stand after a call of that id: only those can be asked for. */
function countAnswers(messages: readonly Message[]): Map<string, number> {
  const called = new Set<string>();
  const counts = new Map<string, number>();
  for (const { content } of messages) {
    for (const block of content) {
      if (isToolUse(block)) called.add(block.id);
      else if (isToolResult(block) && called.has(block.toolUseId)) counts.set(block.toolUseId, (counts.get(block.toolUseId) ?? 0) + 1);
    }
  }
  return counts;
}
