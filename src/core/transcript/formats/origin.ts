import type { FormatId } from '../../model/transcript';
import { isRecord, stringOf } from '../../util/json';
import { PartRecord } from '../partRecord';

/** Name of the part by which the readers of databases and folders say whose they are. */
export const ORIGIN_PART = 'origin';

/** True when the parts are of that agent's database or folder. The reader tells by tables, by names of files and by what they hold. */
export function isOriginOf(sample: readonly unknown[], agent: FormatId): boolean {
  return sample.some(
    (part) => part instanceof PartRecord && part.part === ORIGIN_PART && isRecord(part.value) && stringOf(part.value, 'agent') === agent,
  );
}
