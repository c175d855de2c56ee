import type { UserStatement } from './offline/sessionFacts';
import { isHardRule } from './offline/statements';

/** True for a sentence with which the user binds the work and leaves no choice; questions and talk about what is so bind nothing. */
export function isConstraint({ text, bearing }: UserStatement): boolean {
  return bearing !== 'mention' && isHardRule(text);
}
