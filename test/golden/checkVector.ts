import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../src/core/util/json';
import { differenceOf } from '../support/valueLanguage';
import type { Difference, GoldenFunction, Vector } from './goldenTypes';
import { expandVector } from './readGolden';

/**
 * Runs a vector. At the places that `differences` name our value must be the one written there and not the measured one; everything else must
 * match exactly. Undefined when it holds, else a sentence.
 */
export function checkVector(packed: Vector, run: GoldenFunction, differences: readonly Difference[]): string | undefined {
  const vector = expandVector(packed);
  let expected = vector.output;
  for (const difference of differences) {
    const steps = stepsOf(difference.path);
    const measured = valueAt(expected, steps);
    if (measured === undefined) return `the difference at ${difference.path} names nothing`;
    if (isDeepStrictEqual(measured, difference.ours)) return `the difference at ${difference.path} is none`;
    expected = withValue(expected, steps, difference.ours);
  }
  let actual: unknown;
  try {
    actual = run(vector.input, vector.name);
  } catch (error) {
    return `it threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  }
  return differenceOf(actual, expected, false, 'output');
}

function stepsOf(path: string): readonly (string | number)[] {
  const steps: (string | number)[] = [];
  for (const part of path === '' ? [] : path.split('.')) {
    const [name = '', ...indexes] = part.split('[');
    if (name !== '') steps.push(name);
    for (const index of indexes) steps.push(Number(index.replace(']', '')));
  }
  return steps;
}

function valueAt(value: unknown, steps: readonly (string | number)[]): unknown {
  let at = value;
  for (const step of steps) {
    if (typeof step === 'number') at = Array.isArray(at) ? (at[step] as unknown) : undefined;
    else at = isRecord(at) ? at[step] : undefined;
  }
  return at;
}

function withValue(value: unknown, steps: readonly (string | number)[], replacement: unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return replacement;
  if (typeof step === 'number') {
    if (!Array.isArray(value)) return value;
    return value.map((item: unknown, index) => (index === step ? withValue(item, rest, replacement) : item));
  }
  return isRecord(value) ? { ...value, [step]: withValue(value[step], rest, replacement) } : value;
}
