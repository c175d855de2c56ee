import { checkVector } from './checkVector';
import type { Difference, GoldenFunction, Vector } from './goldenTypes';
import { expandVector } from './readGolden';

/** As checkVector, also for a function that answers with a promise. */
export async function checkAsyncVector(
  packed: Vector,
  run: GoldenFunction,
  differences: readonly Difference[],
): Promise<string | undefined> {
  let answer: () => unknown;
  try {
    const actual: unknown = await run(expandVector(packed).input, packed.name);
    answer = () => actual;
  } catch (error) {
    answer = () => {
      throw error;
    };
  }
  return checkVector(packed, answer, differences);
}
