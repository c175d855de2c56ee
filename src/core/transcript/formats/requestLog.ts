import type { Message } from '../../model/message';
import type { Diagnostic, FormatId, Transcript } from '../../model/transcript';
import { field, isRecord, type JsonRecord } from '../../util/json';
import { isSameValue } from '../sameMessage';
import type { SessionFacts } from '../transcriptDraft';
import { jsonOf } from './session';
import { sessionTranscript } from './sessionTranscript';
import type { StableNames } from './stableNames';

/** What one body says: a request states the whole history, an answer and loose messages go on from what was there. */
export interface Body {
  readonly kind: 'request' | 'answer' | 'messages';
  readonly messages: readonly Message[];
  readonly facts?: SessionFacts;
  /** The request goes on from an answer that the server kept: its messages follow what was there. */
  readonly continues?: boolean;
}

/** The bodies of one JSON value of a file. */
export interface BodyRecord {
  readonly line: number;
  readonly bodies: readonly Body[];
  readonly odd: boolean;
}

/** The bodies in a value: itself, or the two of a record that pairs a `request` with its `response`, as values or as JSON text. */
export function bodiesIn(value: unknown): readonly JsonRecord[] {
  if (!isRecord(value)) return [];
  const pair = ['request', 'response'].flatMap((key) => {
    const side = bodyOf(field(value, key));
    return side === undefined ? [] : [side];
  });
  return pair.length === 0 ? [value] : pair;
}

function bodyOf(side: unknown): JsonRecord | undefined {
  const value = typeof side === 'string' ? jsonOf(side) : side;
  if (!isRecord(value)) return undefined;
  const body = field(value, 'body');
  const inner = typeof body === 'string' ? jsonOf(body) : body;
  return isRecord(inner) ? inner : value;
}

/** The conversation that a log of bodies tells. */
export interface FoldedBodies {
  readonly messages: readonly Message[];
  /** Messages with usage, each once, those that a later request left out included. */
  readonly spent: readonly Message[];
  readonly facts: SessionFacts;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Folds bodies to the conversation of the newest request and what follows it. What a request repeats of the one before stays the same
 * messages, with the usage of the answer that they came from.
 */
export function foldBodies(records: readonly BodyRecord[]): FoldedBodies {
  const diagnostics: Diagnostic[] = [];
  const messages: Message[] = [];
  const spent: Message[] = [];
  let facts: SessionFacts = {};
  for (const { line, bodies, odd } of records) {
    if (odd) diagnostics.push({ line, code: bodies.length === 0 ? 'unknown_record' : 'odd_content', severity: 'info' });
    for (const body of bodies) {
      facts = { ...facts, ...withoutGaps(body.facts ?? {}) };
      const continues = body.continues === true;
      if (continues && messages.length === 0) {
        diagnostics.push({ line, code: 'missing_preserved', severity: 'warning', detail: 'the messages before this request' });
      }
      const restates = body.kind === 'request' && !continues;
      const from = restates ? sharedLength(messages, body.messages) : 0;
      if (restates) {
        const left = messages.length - from;
        if (left > 0) diagnostics.push({ line, code: 'abandoned_branch', severity: 'info', detail: `${left} messages` });
        messages.length = from;
      }
      for (const message of body.messages.slice(from)) {
        // A request that goes on states the same instructions once more.
        if (continues && message.id === SYSTEM_ID && messages.length > 0) continue;
        messages.push(message);
        if (message.usage !== undefined) spent.push(message);
      }
    }
  }
  return { messages, spent, facts, diagnostics };
}

/** The transcript of a log of bodies. */
export function requestTranscript(
  format: FormatId,
  records: readonly BodyRecord[],
  damage: readonly Diagnostic[],
  names: StableNames,
): Transcript {
  const { messages, spent, facts, diagnostics } = foldBodies(records);
  return sessionTranscript({ format, facts, messages: names.paired(messages), spent, diagnostics: [...damage, ...diagnostics] }, names);
}

/** How many messages two histories begin with in common. */
function sharedLength(old: readonly Message[], next: readonly Message[]): number {
  let at = 0;
  while (at < old.length && at < next.length && old[at]?.role === next[at]?.role && isSameValue(old[at]?.content, next[at]?.content)) at++;
  return at;
}

function withoutGaps(facts: SessionFacts): SessionFacts {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}

/** The system prompt that a request states beside its messages, by a name of its own. */
export const SYSTEM_ID = 'system';
