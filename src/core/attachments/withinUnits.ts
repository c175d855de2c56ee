import { cutToUnits } from '../util/text';

const MARK = '...';

/** White space collapsed and at most `maxUnits` UTF-16 units, the mark of a cut among them (seed 2, attachment budgets). */
export function withinUnits(text: string, maxUnits: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= maxUnits ? line : `${cutToUnits(line, maxUnits - MARK.length)}${MARK}`;
}
