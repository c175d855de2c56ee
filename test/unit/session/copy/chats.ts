// Small sessions of the agents that store a message a record, with what goes wrong in copies: parallel calls, large usage, fields of others.
import { isRecord } from '../../../../src/core/util/json';
import assert from 'node:assert/strict';
import { planFor, roundTrip, assertFaithful, session, type RoundTrip, type Session } from './roundTrip';
import type { PlanRequest } from '../../../../src/core/compaction/plan';

export type Json = Readonly<Record<string, unknown>>;

export function jsonl(records: readonly (Json | string)[]): Session {
  return session(records.map((record) => `${typeof record === 'string' ? record : JSON.stringify(record)}\n`).join(''));
}

/** Plans, copies and checks. */
export function compact(source: Session, request: PlanRequest): RoundTrip {
  const plan = planFor(source, request);
  assert.ok(plan, 'the plan is made');
  const trip = roundTrip(source, plan);
  assertFaithful(trip);
  return trip;
}

export function recordsOf({ copy }: Pick<RoundTrip, 'copy'>): readonly Json[] {
  return copy.records.map((line) => recordOf(line));
}

export function recordOf(text: string): Json {
  const value: unknown = JSON.parse(text);
  assert.ok(isRecord(value));
  return value;
}

/** Id of the message that says a text. */
export function saying({ transcript }: Session, text: string): string {
  const found = transcript.messages.find(({ content }) => content.some((block) => block.type === 'text' && block.text === text));
  assert.ok(found, text);
  return found.id;
}
