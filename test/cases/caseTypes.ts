import type { Message } from '../../src/core/model/message';
import type { JsonRecord } from '../../src/core/util/json';

/** A case as its file has it, with long strings built. */
export interface Case {
  readonly id: string;
  readonly component: string;
  readonly input: JsonRecord;
  readonly fn: string;
  readonly args: JsonRecord;
  readonly stubs: JsonRecord;
  readonly match: 'equals' | 'subset' | 'oneOf' | 'range';
  readonly expected: unknown;
  readonly invariants: readonly string[];
  readonly limits: { readonly ms?: number; readonly rssMiB?: number };
}

/** What an adapter gets. `input`, `args` and `stubs` are plain JSON; read them with the guards of util/json. */
export interface CaseCall {
  readonly id: string;
  readonly input: JsonRecord;
  readonly args: JsonRecord;
  readonly stubs: JsonRecord;
  /** `input.messages` or what `input.generate` asks for, translated once; [] when there are none. */
  readonly messages: readonly Message[];
}

/** Runs our code for a neutral function and answers in the neutral names. An expected failure is the value `{ throws: code }`. */
export type CaseFunction = (call: CaseCall) => unknown;

/** Checks one property of PROPERTIES.md on a result; undefined when it holds, else a sentence. */
export type PropertyCheck = (call: CaseCall, result: unknown) => string | undefined | Promise<string | undefined>;

/** The functions of one component, and the properties that can be checked on their results. */
export interface CaseAdapter {
  /** Set where another component has functions of the same names: then these are for its cases alone. */
  readonly component?: string;
  readonly functions: Readonly<Record<string, CaseFunction>>;
  readonly properties?: Readonly<Record<string, PropertyCheck>>;
}
