import { arrayOf, recordOf } from '../../src/core/util/json';
import { generateMessages, neutralMessages } from '../support/neutral';
import { differenceOf } from '../support/valueLanguage';
import type { Case, CaseAdapter, CaseCall } from './caseTypes';

export interface CaseOutcome {
  /** Why it fails; undefined when it passes. */
  readonly failure: string | undefined;
  /** Properties that were checked on the result, and those for which the component has no check on a single result. */
  readonly checked: readonly string[];
  readonly unchecked: readonly string[];
  /** Processor time of the call, in milliseconds. */
  readonly cpuMs: number;
}

/** A machine may be this much slower than the one that a time limit was written for. */
const SLOWER = 10;

/** Runs a case against the adapter that has its function. A function that no adapter has is a failure. */
export async function checkCase(one: Case, adapters: readonly CaseAdapter[]): Promise<CaseOutcome> {
  const able = adapters.filter(
    ({ functions, component }) => Object.hasOwn(functions, one.fn) && (component ?? one.component) === one.component,
  );
  const adapter = able.find(({ component }) => component !== undefined) ?? able[0];
  const run = adapter?.functions[one.fn];
  if (adapter === undefined || run === undefined) return failed(`there is no function ${one.fn}`, 0);
  const call: CaseCall = { id: one.id, input: one.input, args: one.args, stubs: one.stubs, messages: freeze(messagesOf(one)) };
  const rssBefore = process.resourceUsage().maxRSS;
  const cpuBefore = process.cpuUsage();
  let result: unknown;
  try {
    result = await run(call);
  } catch (error) {
    return failed(`it threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`, 0);
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  const cpuMs = (user + system) / 1000;
  const grownMiB = (process.resourceUsage().maxRSS - rssBefore) / 1024;
  const difference = compare(one, result);
  if (difference !== undefined) return failed(difference, cpuMs);
  if (one.limits.ms !== undefined && cpuMs > one.limits.ms * SLOWER) {
    return failed(`it took ${cpuMs.toFixed(0)} ms of processor time; the limit is ${one.limits.ms} ms, ten times of it at most`, cpuMs);
  }
  if (one.limits.rssMiB !== undefined && grownMiB > one.limits.rssMiB) {
    return failed(`memory grew by ${grownMiB.toFixed(0)} MiB; the limit is ${one.limits.rssMiB}`, cpuMs);
  }
  return checkProperties(one, adapter, call, result, cpuMs);
}

async function checkProperties(one: Case, adapter: CaseAdapter, call: CaseCall, result: unknown, cpuMs: number): Promise<CaseOutcome> {
  const checked: string[] = [];
  const unchecked: string[] = [];
  for (const name of one.invariants) {
    const check = adapter.properties?.[name];
    if (check === undefined) {
      unchecked.push(name);
      continue;
    }
    const broken = await check(call, result);
    if (broken !== undefined) return failed(`${name}: ${broken}`, cpuMs);
    checked.push(name);
  }
  return { failure: undefined, checked, unchecked, cpuMs };
}

function messagesOf(one: Case): CaseCall['messages'] {
  const generate = recordOf(one.input, 'generate');
  if (generate !== undefined) return generateMessages(generate);
  return neutralMessages(arrayOf(one.input, 'messages') ?? []);
}

function compare(one: Case, result: unknown): string | undefined {
  if (one.match !== 'oneOf') return differenceOf(result, one.expected, one.match === 'subset');
  const wanted = Array.isArray(one.expected) ? one.expected : [one.expected];
  const agrees = wanted.some((value: unknown) => differenceOf(result, value, false) === undefined);
  return agrees ? undefined : `value is ${JSON.stringify(result)}, expected one of ${JSON.stringify(wanted)}`;
}

/** Inputs are frozen, so that a function that changes them throws (P03). */
function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const item of Object.values(value)) freeze(item);
  return Object.freeze(value);
}

function failed(failure: string, cpuMs: number): CaseOutcome {
  return { failure, checked: [], unchecked: [], cpuMs };
}
