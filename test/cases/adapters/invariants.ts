import { findViolations } from '../../../src/core/cut/invariants';
import { safeHeadEnd, safePartialHeadEnd, safeTailStart } from '../../../src/core/cut/pairing';
import type { Message } from '../../../src/core/model/message';
import { numberOf } from '../../../src/core/util/json';
import type { CaseAdapter, CaseCall } from '../caseTypes';

type Adjuster = (messages: readonly Message[], index: number) => number;

const ADJUSTERS = {
  adjustTailStart: { adjust: safeTailStart, argument: 'index', keeps: 'tail' },
  adjustHeadEnd: { adjust: safeHeadEnd, argument: 'headEnd', keeps: 'head' },
  adjustHeadEndPartial: { adjust: safePartialHeadEnd, argument: 'headEnd', keeps: 'head' },
} as const satisfies Record<string, { adjust: Adjuster; argument: string; keeps: 'head' | 'tail' }>;

/** Adjusters of cut positions. */
export const invariants: CaseAdapter = {
  functions: {
    adjustTailStart: (call) => safeTailStart(call.messages, argument(call)),
    adjustHeadEnd: (call) => safeHeadEnd(call.messages, argument(call)),
    adjustHeadEndPartial: (call) => safePartialHeadEnd(call.messages, argument(call)),
  },
  properties: {
    P01: (call, result) => violations(call, Number(result), ['orphanResult', 'missingResult']),
    P02: (call, result) => (inRange(call, result) ? undefined : 'the cut lies outside of the list, so the two parts do not cover it'),
    P03: (call, result) => (inRange(call, result) ? undefined : 'the two parts are not the list in order'),
    P05: (call, result) => (isHead(call) || result === 0 ? undefined : violations(call, Number(result), ['opensOnResult', 'tornResponse'])),
    P06: (call, result) => adjusterProperty(call, result),
  },
};

function argument(call: CaseCall): number {
  return numberOf(call.args, 'index') ?? numberOf(call.args, 'headEnd') ?? NaN;
}

function isHead(call: CaseCall): boolean {
  return numberOf(call.args, 'headEnd') !== undefined;
}

function inRange(call: CaseCall, result: unknown): boolean {
  return typeof result === 'number' && Number.isInteger(result) && result >= 0 && result <= call.messages.length;
}

function violations(call: CaseCall, cut: number, kinds: readonly string[]): string | undefined {
  const { messages } = call;
  const kept = isHead(call) ? messages.slice(0, cut) : messages.slice(cut);
  // What the whole list has already (an orphan) is no fault of the cut.
  const known = new Set(findViolations(messages).map(({ kind, id }) => `${kind} ${id}`));
  const found = findViolations(kept, messages).filter(({ kind, id }) => kinds.includes(kind) && !known.has(`${kind} ${id}`));
  return found[0] === undefined ? undefined : `the kept part has ${found[0].kind} ${found[0].id} at ${found[0].index}`;
}

function adjusterProperty(call: CaseCall, result: unknown): string | undefined {
  if (!inRange(call, result)) return `${String(result)} lies outside of 0 … ${call.messages.length}`;
  for (const [name, { adjust, keeps }] of Object.entries(ADJUSTERS)) {
    if ((keeps === 'head') !== isHead(call)) continue;
    let before = 0;
    for (let index = 0; index <= call.messages.length; index++) {
      const once = adjust(call.messages, index);
      if (adjust(call.messages, once) !== once) return `${name}(${index}) is ${once}, and moves again`;
      if (once < before) return `${name} is not monotone at ${index}`;
      before = once;
    }
  }
  return undefined;
}
